// Frames: what ParaView reads is the mechanics of the step, from any number of ranks.
#include <fmt/format.h>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "app/frames.hpp"
#include "app/vtk_frame.hpp"
#include "io/scratch_folder.hpp"
#include "verification/stored_case.hpp"

using namespace percussion;

namespace {

/// A case of inputs/ with all series in full precision, some steps later.
struct Run {
  Run(const std::string& file, std::vector<std::string> overrides, int steps) {
    for (const char* more : {"output.interval=1e-9", "output.chains=true", "output.precision=double"}) overrides.emplace_back(more);
    const Parameters input = stored_input(file, overrides);
    c = std::make_unique<Case>(MPI_COMM_WORLD, input);
    frames.emplace(*c, folder.path(), input);
    frames->write(*c, 0);
    for (int k = 1; k <= steps; ++k) c->step();
    frames->write(*c, steps);
  }
  ScratchFolder folder;
  std::unique_ptr<Case> c;
  std::optional<Frames> frames;
};

/// One sphere on the floor, pulled along it by gravity_x.
Run pulled_sphere(double gravity_x, double mu) {
  return {"sphere_stack/stack.yaml",
          {"nodes=[{type: rigid_body, name: s, density: 1000, position: [0, 0, 0.099999999], shape: {type: sphere, radius: 0.1}}]", "output.observe=[]",
           fmt::format("gravity=[{}, 0, -10]", gravity_x), fmt::format("contact.friction={}", mu)},
          3};
}

double area(const std::vector<Vec3>& polygon) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < polygon.size(); ++i) sum += polygon[i].cross(polygon[(i + 1) % polygon.size()]);
  return 0.5 * sum.norm();
}

Plane plane(const Vec3& n, double offset) {
  Plane result;
  std::copy_n(n.data(), 3, result.n);
  result.offset = offset;
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(frames)

BOOST_AUTO_TEST_CASE(stack_at_rest_shows_its_weights) {
  const Run run("sphere_stack/stack.yaml", {}, 5);
  const double m = 1000 * 4. / 3 * M_PI * 1e-3, h = 1e-3, g = 10;
  const double accuracy = 1e-7;  // relative; that of the solver, as in the test of the stack itself

  const auto bodies = frame_of(run.folder / "bodies.pvd");
  BOOST_REQUIRE_EQUAL(bodies->GetNumberOfPoints(), 10);
  double mass = 0;
  for (int i = 0; i < 10; ++i) mass += bodies->GetPointData()->GetArray("mass")->GetComponent(i, 0);
  BOOST_TEST(std::abs(mass - 10 * m) < 1e-12 * mass);

  // Contact k carries the spheres above it.
  const auto contacts = frame_of(run.folder / "contacts.pvd");
  BOOST_REQUIRE_EQUAL(contacts->GetNumberOfPoints(), 10);
  for (int i = 0; i < 10; ++i) {
    const double above = 10 - std::round(contacts->GetPoint(i)[2] / 0.2), expected = above * m * g * h;
    BOOST_TEST(std::abs(contacts->GetPointData()->GetArray("normal_percussion")->GetComponent(i, 0) - expected) < accuracy * 10 * m * g * h);
    BOOST_TEST(vector(contacts->GetPointData()->GetArray("friction_percussion"), i).norm() < accuracy * 10 * m * g * h);
    BOOST_TEST(contacts->GetPointData()->GetArray("slip")->GetComponent(i, 0) == 0);
  }

  const auto walls = frame_of(run.folder / "walls.pvd");
  BOOST_REQUIRE_EQUAL(walls->GetNumberOfPolys(), 1);
  BOOST_TEST((vector(walls->GetCellData()->GetArray("force"), 0) - Vec3(0, 0, -10 * m * g)).norm() < accuracy * 10 * m * g);
  BOOST_TEST((vector(walls->GetCellData()->GetArray("percussion"), 0) - Vec3(0, 0, -10 * m * g * h)).norm() < accuracy * 10 * m * g * h);

  // Nine links of two radii between centres, one of one radius to the floor; the chain carries what the contacts do.
  const auto chains = frame_of(run.folder / "chains.pvd");
  BOOST_REQUIRE_EQUAL(chains->GetNumberOfLines(), 10);
  double length = 0, sum = 0;
  for (int i = 0; i < 10; ++i) {
    double a[3], b[3];
    chains->GetCell(i)->GetPoints()->GetPoint(0, a), chains->GetCell(i)->GetPoints()->GetPoint(1, b);
    length += std::abs(a[2] - b[2]);
    sum += chains->GetCellData()->GetArray("normal_percussion")->GetComponent(i, 0);
  }
  BOOST_TEST(std::abs(length - 1.9) < 1e-6);  // penetrations are 1e-9 each
  BOOST_TEST(std::abs(sum - 55 * m * g * h) < accuracy * 55 * m * g * h);
}

// A homogeneous sphere rolls without slip as long as gravity_x <= 7/2 mu gravity_z.
BOOST_AUTO_TEST_CASE(slip_and_stick_are_told_apart) {
  for (const auto& [pull, slips] : {std::pair(3., false), {4., true}}) {
    const Run run = pulled_sphere(pull, 0.1);
    const auto contacts = frame_of(run.folder / "contacts.pvd");
    BOOST_REQUIRE_EQUAL(contacts->GetNumberOfPoints(), 1);
    BOOST_TEST(contacts->GetPointData()->GetArray("slip")->GetComponent(0, 0) == (slips ? 1 : 0));
    const double P_N = contacts->GetPointData()->GetArray("normal_percussion")->GetComponent(0, 0);
    const Vec3 P_F = vector(contacts->GetPointData()->GetArray("friction_percussion"), 0);
    // On the wall: along the pull, 2/7 of it while rolling, mu P_N while sliding.
    const double m = 1000 * 4. / 3 * M_PI * 1e-3, expected = slips ? 0.1 * P_N : 2. / 7 * m * pull * 1e-3;
    BOOST_TEST((P_F - Vec3(expected, 0, 0)).norm() < 1e-6 * P_N);
  }
}

// The ball slides until t = 0.4, rolls against rolling friction until 2.08 and rests: while it moves one of its laws is on
// the boundary of its reservoir. Both views of declared contacts: velocity level, stages.
BOOST_AUTO_TEST_CASE(declared_contacts_slip_until_they_rest) {
  for (const char* integrator : {"integrator={type: moreau}", "integrator={type: radau_iia, stages: 2}"})
    for (const auto& [steps, friction] : {std::pair(2, 1), {12, 1}, {25, 0}}) {
      const Run run("rolling_ball/rolling_ball.yaml", {integrator, "nodes[0].position=[0, 0.0999999]"}, steps);
      const auto contacts = frame_of(run.folder / "contacts.pvd");
      BOOST_REQUIRE_EQUAL(contacts->GetNumberOfPoints(), 1);
      BOOST_TEST(contacts->GetPointData()->GetArray("slip")->GetComponent(0, 0) == friction);
    }
}

BOOST_AUTO_TEST_CASE(only_the_chosen_fields_are_written) {
  const Run run("sphere_stack/stack.yaml", {"output.body_fields=[radius, id]", "output.contact_fields=[gap]", "output.walls=false"}, 1);
  const auto bodies = frame_of(run.folder / "bodies.pvd"), contacts = frame_of(run.folder / "contacts.pvd");
  BOOST_TEST(bodies->GetPointData()->GetNumberOfArrays() == 2);
  BOOST_TEST(bodies->GetPointData()->HasArray("radius") == 1);
  BOOST_TEST(bodies->GetPointData()->HasArray("id") == 1);
  BOOST_TEST(contacts->GetPointData()->GetNumberOfArrays() == 1);
  BOOST_TEST(!std::filesystem::exists(run.folder / "walls.pvd"));
  BOOST_CHECK_THROW(stored_input("sphere_stack/stack.yaml", {"output.body_fields=[colour]"}), InputError);
}

BOOST_AUTO_TEST_CASE(single_precision_halves_the_reals_and_keeps_whole_numbers) {
  const ScratchFolder folder;
  const Parameters input = stored_input("sphere_stack/stack.yaml", {"output.interval=1"});
  const Case c(MPI_COMM_WORLD, input);
  Frames(c, folder.path(), input).write(c, 0);
  const auto bodies = frame_of(folder / "bodies.pvd");
  BOOST_TEST(bodies->GetPoints()->GetDataType() == VTK_FLOAT);
  BOOST_TEST(bodies->GetPointData()->GetArray("velocity")->GetDataType() == VTK_FLOAT);
  BOOST_TEST(bodies->GetPointData()->GetArray("id")->GetDataTypeSize() == 8);
}

BOOST_AUTO_TEST_CASE(intervals_are_kept_apart_and_a_run_that_goes_on_neither_skips_nor_doubles) {
  const ScratchFolder folder;
  const Parameters input = stored_input("sphere_stack/stack.yaml", {"output.interval=0.004", "output.contact_interval=0.002"});
  Case c(MPI_COMM_WORLD, input);
  const auto advance = [&](Frames& frames, int from, int to) {
    for (int k = from; k <= to; ++k) {
      c.step();
      c.system.t = k * c.h;
      if (frames.is_due(c.system.t)) frames.write(c, k);
    }
  };
  {
    Frames frames(c, folder.path(), input);
    frames.write(c, 0);
    advance(frames, 1, 7);
  }
  // From the checkpoint of step 5: the frame of step 6 is written again, in its place.
  Frames frames(c, folder.path(), input, Continuation{0, 5 * c.h});
  advance(frames, 6, 9);
  const auto check = [&](const char* name, const std::vector<double>& times) {
    const auto found = read_pvd(folder / name);
    BOOST_REQUIRE_EQUAL(found.size(), times.size());
    for (std::size_t i = 0; i < times.size(); ++i) BOOST_TEST(std::abs(found[i].time - times[i]) < 1e-12);
    MPI_Barrier(MPI_COMM_WORLD);
  };
  check("bodies.pvd", {0, 0.004, 0.008});
  check("walls.pvd", {0, 0.004, 0.008});
  check("contacts.pvd", {0, 0.002, 0.004, 0.006, 0.008});
}

BOOST_AUTO_TEST_CASE(planes_of_a_wall_bound_each_other) {
  Walls walls;
  walls.wall_of = {0, 0, 0, 0, 0, 1};
  // An open box 2 x 3, and an inclined plane of its own below it.
  const Vec3 slope = Vec3(1, 0, 1).normalized();
  walls.planes = {plane({1, 0, 0}, 0), plane({-1, 0, 0}, -2), plane({0, 1, 0}, 0), plane({0, -1, 0}, -3), plane({0, 0, 1}, 0), plane(slope, -1)};
  SceneBox scene;
  scene.include({1, 1, 1}, 0.5), scene.include({1, 2, 3.5}, 0.5);
  const double tolerance = 1e-6;  // polygons are cut with a slack of 1e-9 of the scene
  const double height = 4, expected[] = {3 * height, 3 * height, 2 * height, 2 * height, 6};
  for (int k = 0; k < 5; ++k) BOOST_TEST(std::abs(area(plane_polygon(walls, walls.planes, k, scene)) - expected[k]) < tolerance);
  // The lone plane reaches below all bodies.
  const auto lone = plane_polygon(walls, walls.planes, 5, scene);
  BOOST_REQUIRE(lone.size() >= 3);
  SceneBox covered;
  for (const Vec3& x : lone) {
    BOOST_TEST(std::abs(slope.dot(x) + 1) < tolerance);
    covered.include(x);
  }
  // Along y the plane is parallel to the scene; along x it reaches what is seen along its normal.
  BOOST_TEST(covered.lower[1] <= scene.lower[1]);
  BOOST_TEST(covered.upper[1] >= scene.upper[1]);
  const auto foot = [&](const Vec3& x) { return x[0] - (slope.dot(x) + 1) * slope[0]; };
  BOOST_TEST(covered.lower[0] <= foot({0.5, 1, 4}));
  BOOST_TEST(covered.upper[0] >= foot({1.5, 1, 0.5}));
  BOOST_TEST(plane_polygon(walls, walls.planes, 0, SceneBox()).empty());
}

BOOST_AUTO_TEST_SUITE_END()

// What bodies do to walls of every kind: what the bodies lose in momentum the walls get, at rest they carry the weight, and
// frames say the same as the sums. Surfaces of moving walls are drawn where they are.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "app/frames.hpp"
#include "app/vtk_frame.hpp"
#include "app/wall_reactions.hpp"
#include "assembly/energy.hpp"
#include "io/scratch_folder.hpp"
#include "verification/rk_case.hpp"

using namespace percussion;

namespace {

constexpr double g = 9.81;

struct Example {
  std::string name, input;
  std::vector<std::string> overrides;
  int steps;          ///< until bodies lie on all walls
  std::size_t parts;  ///< planes, and one for each drum, hopper and mesh
};
std::ostream& operator<<(std::ostream& out, const Example& e) {
  return out << e.name;
}

const std::string plugged_hopper = "walls=[{type: hopper, name: hopper, point: [0, 0, 0], outlet_radius: 0.02, top_radius: 0.06, height: 0.06, bin_height: 0.5}, "
                                   "{type: plane, name: plug, point: [0, 0, 0], normal: [0, 0, 1]}]";

// On velocity level, where one percussion per contact is all that acts: a Runge-Kutta step turns percussions with their normals
// from stage to stage and records their sum along the last one.
const std::vector<Example> examples = {
    {"drum", "rotating_drum/drum.yaml", {"integrator={type: moreau}", "fills[0].limit=60", "walls[0].rotation=0"}, 160, 3},
    {"turning drum", "rotating_drum/drum.yaml", {"integrator={type: moreau}", "fills[0].limit=60"}, 160, 3},
    {"hopper", "hopper/hopper.yaml", {"integrator={type: moreau}", "time.step=1e-3", "outlets=[]", "fills[0].limit=60", plugged_hopper}, 220, 2},
    {"mesh and shapes", "rock_pile/rock_pile.yaml", {"time.step=1e-3", "fills[0].count=12", "fills[0].upper=[-0.3, 0.3, 1.2]"}, 160, 5},
    {"shaken box and shapes", "mixed_shapes/mixed_shapes.yaml",
     {"time.step=1e-3", "fills[0].count=8", "fills[1].count=8", "fills[2].count=8", "fills[3].count=8", "fills[4].count=8", "fills[5].count=8",
      "walls[0].displacement_z=0.002*sin(2*pi*15*t)"}, 120, 5},
};

struct Sums {
  double mass = 0;
  Vec3 first = Vec3::Zero();  ///< sum of m r
  Vec3 momentum = Vec3::Zero();
};
Sums sums_of(const Case& c) {
  const NodeStore& nodes = c.system.nodes;
  Sums s;
  for (std::int32_t i = 0; i < nodes.owned(); ++i)
    s.mass += nodes[i].mass, s.first += nodes[i].mass * placement(nodes[i].kind, nodes.q(i).data()).r;
  s.momentum = local_energies(c.system, nodes.q()).momentum;
  MPI_Allreduce(MPI_IN_PLACE, &s, sizeof(Sums) / sizeof(double), MPI_DOUBLE, MPI_SUM, c.system.comm());
  return s;
}

std::vector<Reaction> reactions_of(const Case& c) {
  std::vector<ContactRecord> records;
  c.integrator().contacts(c.system, records);
  return WallParts(c.system.walls).reactions(c.system, records);
}
Vec3 total_percussion(const std::vector<Reaction>& reactions) {
  Vec3 sum = Vec3::Zero();
  for (const Reaction& r : reactions) sum += r.P;
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wall_reactions)

BOOST_DATA_TEST_CASE(walls_get_what_the_bodies_lose, examples, e) {
  const ScratchFolder folder;
  auto overrides = e.overrides;
  for (const char* more : {"output.interval=1e-9", "output.precision=double"}) overrides.emplace_back(more);
  const Parameters input = stored_input(e.input, overrides);
  Case c(MPI_COMM_WORLD, input);
  Frames frames(c, folder.path(), input);
  frames.write(c, 0);
  const WallParts parts(c.system.walls);
  BOOST_REQUIRE_EQUAL(parts.all().size(), e.parts);

  Sums before = sums_of(c);
  double imbalance = 0, largest = 0;
  std::vector<double> loads(e.parts, 0.);
  for (int k = 0; k < e.steps; ++k) {
    c.step();
    const auto reactions = reactions_of(c);
    const Sums now = sums_of(c);
    imbalance = std::max(imbalance, (now.momentum - before.momentum - now.mass * g * c.h * -Vec3::UnitZ() + total_percussion(reactions)).norm());
    largest = std::max(largest, total_percussion(reactions).norm());
    for (std::size_t p = 0; p < e.parts; ++p) loads[p] += reactions[p].P.norm();
    before = now;
  }
  BOOST_TEST(largest > before.mass * g * c.h);
  // Bodies exchange momentum by percussions alone, whatever the tolerance of the solver: rounding is left.
  BOOST_TEST(imbalance < 1e-11 * largest * static_cast<double>(e.steps));
  BOOST_TEST(loads.back() > 0);  // parts that are no planes come last

  // The polygons of a part have its percussion, whichever rank had the contact.
  frames.write(c, e.steps);
  const auto walls = frame_of(folder / "walls.pvd");
  const auto reactions = reactions_of(c);
  std::vector<Vec3> drawn(c.system.walls.input_names.size(), Vec3::Zero()), summed = drawn;
  for (vtkIdType k = 0; k < walls->GetNumberOfCells(); ++k)
    drawn[static_cast<std::size_t>(of_cell(walls, "wall", k))] += vector(walls->GetCellData()->GetArray("percussion"), k);
  for (std::size_t p = 0; p < e.parts; ++p) summed[parts.all()[p].input] += reactions[p].P;
  for (std::size_t w = 0; w < drawn.size(); ++w) BOOST_TEST((drawn[w] - summed[w]).norm() <= 1e-12 * largest);

  // Polygons are turned to the bodies, which press them away: patches are flat, so normals are off by some degrees at most.
  int pressed = 0;
  for (vtkIdType k = 0; k < walls->GetNumberOfCells(); ++k) {
    if (!(of_cell(walls, "pressure", k) > 0)) continue;
    const auto corner = [&](int i) { return point(walls, walls->GetCell(k)->GetPointId(i)); };
    const Vec3 n = (corner(1) - corner(0)).cross(corner(2) - corner(0)), P = vector(walls->GetCellData()->GetArray("percussion"), k);
    BOOST_TEST(n.dot(P) < 0);
    ++pressed;
  }
  BOOST_TEST((pressed > 0) == (total_percussion(reactions).norm() > 0));

  // Polygons of walls that move are where their walls are; planes are cut anew in every frame.
  const auto start = frame_of(folder / "walls.pvd", 0);
  BOOST_REQUIRE_EQUAL(start->GetNumberOfCells(), walls->GetNumberOfCells());
  const std::size_t planes = c.system.walls.planes.size();
  for (vtkIdType k = 0; k < walls->GetNumberOfCells(); ++k) {
    if (of_cell(walls, "surface", k) < static_cast<double>(planes)) continue;
    const WallPose pose = c.system.walls.motions[static_cast<std::size_t>(of_cell(walls, "wall", k))].at(c.system.t);
    for (int i = 0; i < 3; ++i) {
      const Vec3 a = point(start, start->GetCell(k)->GetPointId(i)), b = point(walls, walls->GetCell(k)->GetPointId(i));
      BOOST_REQUIRE((pose.A * a + pose.r - b).norm() < 1e-12);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// A heap at rest: all parts together carry its weight, and the moment of the weight about the reference points. That sums do
// not depend on the number of ranks is shown above.
BOOST_AUTO_TEST_CASE(a_heap_at_rest_weighs_on_its_walls, *boost::unit_test::precondition(on_one_rank)) {
  struct Rest {
    std::string input;
    std::vector<std::string> overrides;
    int steps;
  };
  for (const Rest& rest : {Rest{"rotating_drum/drum.yaml", {"integrator={type: moreau}", "fills[0].limit=40", "walls[0].rotation=0", "walls[0].rotation_centre=[0.1, 0, 0.05]"}, 900},
                           Rest{"hopper/hopper.yaml", {"integrator={type: moreau}", "time.step=1e-3", "outlets=[]", "fills[0].limit=40", plugged_hopper}, 900},
                           Rest{"rock_pile/rock_pile.yaml", {"time.step=1e-3", "fills[0].count=6", "fills[0].lower=[-0.9, -0.3, 0.75]", "fills[0].upper=[-0.6, 0.3, 1.2]", "walls[1].upper=[-0.5, 0.5, 3]", "contact.friction=1", "fills[0].shape={type: box, size: [1, 1, 0.6]}"}, 1500}}) {
    auto overrides = rest.overrides;
    for (const char* more : {"contact.restitution=0", "solver.tolerance=1e-7", "solver.max_iterations=20000"}) overrides.emplace_back(more);
    Case c(MPI_COMM_WORLD, stored_input(rest.input, overrides));
    for (int k = 0; k < rest.steps; ++k) c.step();
    const auto reactions = reactions_of(c);
    const WallParts parts(c.system.walls);
    const Sums s = sums_of(c);
    const double weight = s.mass * g * c.h;
    BOOST_TEST_CONTEXT(rest.input << ": speed of the centre of mass " << s.momentum.norm() / s.mass) {
      BOOST_TEST((total_percussion(reactions) + weight * Vec3::UnitZ()).norm() < 1e-3 * weight);
      // About the origin: M + x_ref x P of every part.
      Vec3 M = Vec3::Zero();
      for (std::size_t p = 0; p < reactions.size(); ++p) M += reactions[p].M + parts.reference(c.system.walls, p, c.system.t).cross(reactions[p].P);
      const Vec3 expected = s.first.cross(Vec3(0, 0, -g * c.h));
      BOOST_TEST((M - expected).norm() < 1e-3 * weight * (s.first / s.mass).norm() + 1e-5 * weight);
    }
  }
}

// One ball at rest beside the reference point of its floor, which rises: moment = arm x weight.
BOOST_AUTO_TEST_CASE(moments_are_about_the_point_that_moves_with_the_wall) {
  const double r = 0.1, v = 0.5;
  Case c(MPI_COMM_WORLD, stored_input("sphere_stack/stack.yaml",
                                      {"nodes=[{type: rigid_body, name: s, density: 1000, position: [0.3, 0.2, 0.0999999999], velocity: [0, 0, 0.5], shape: {type: sphere, radius: 0.1}}]",
                                       "output.observe=[]", "walls=[{type: plane, name: floor, point: [0, 0, 0], normal: [0, 0, 1], velocity: [0, 0, 0.5], rotation_centre: [1, 0, 0]}]"}));
  for (int k = 0; k < 50; ++k) c.step();
  const WallParts parts(c.system.walls);
  BOOST_TEST((parts.reference(c.system.walls, 0, c.system.t) - Vec3(1, 0, v * c.system.t)).norm() < 1e-14);
  const Reaction reaction = reactions_of(c).front();
  const double weight = sums_of(c).mass * 10 * c.h;
  BOOST_TEST((reaction.P + weight * Vec3::UnitZ()).norm() < 1e-8 * weight);
  BOOST_TEST((reaction.M - Vec3(0.3 - 1, 0.2, 0).cross(reaction.P)).norm() < 1e-8 * weight * r);
}

BOOST_AUTO_TEST_SUITE_END()

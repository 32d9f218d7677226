// Surfaces of bodies in the frames: every body that is no sphere, once, where it is, turned as it is and as large.
#include <vtkIdList.h>

#include <boost/test/unit_test.hpp>
#include <map>

#include "app/frames.hpp"
#include "app/vtk_frame.hpp"
#include "io/scratch_folder.hpp"
#include "verification/stored_case.hpp"

using namespace percussion;

namespace {

/// What the polygons of a body enclose.
struct Enclosed {
  double volume = 0;
  Vec3 moment = Vec3::Zero();  ///< integral of x
  std::map<vtkIdType, Vec3> points;
};

std::map<std::int64_t, Enclosed> bodies_of(vtkPolyData* surfaces) {
  std::map<std::int64_t, Enclosed> result;
  vtkNew<vtkIdList> corners;
  for (vtkIdType k = 0; k < surfaces->GetNumberOfCells(); ++k) {
    Enclosed& body = result[static_cast<std::int64_t>(of_cell(surfaces, "id", k))];
    surfaces->GetCellPoints(k, corners);
    for (vtkIdType i = 0; i < corners->GetNumberOfIds(); ++i) body.points[corners->GetId(i)] = point(surfaces, corners->GetId(i));
    // Cones from the origin over fans of triangles.
    const Vec3 a = point(surfaces, corners->GetId(0));
    for (vtkIdType i = 2; i < corners->GetNumberOfIds(); ++i) {
      const Vec3 b = point(surfaces, corners->GetId(i - 1)), c = point(surfaces, corners->GetId(i));
      const double volume = a.dot(b.cross(c)) / 6;
      body.volume += volume, body.moment += volume * (a + b + c) / 4;
    }
  }
  return result;
}

/// The mixed shapes after some steps, in full precision.
struct Run {
  explicit Run(std::vector<std::string> overrides) {
    for (const char* more : {"output.interval=1e-9", "output.precision=double"}) overrides.emplace_back(more);
    const Parameters input = stored_input("mixed_shapes/mixed_shapes.yaml", overrides);
    c = std::make_unique<Case>(MPI_COMM_WORLD, input);
    Frames frames(*c, folder.path(), input);
    for (int k = 0; k < 20; ++k) c->step();
    frames.write(*c, 20);
  }
  ScratchFolder folder;
  std::unique_ptr<Case> c;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(surfaces)

BOOST_AUTO_TEST_CASE(every_body_that_is_no_sphere_is_drawn_where_it_is) {
  const Run run({"output.surface_segments=64"});
  const auto bodies = frame_of(run.folder / "bodies.pvd"), surfaces = frame_of(run.folder / "surfaces.pvd");
  const auto drawn = bodies_of(surfaces);
  std::size_t expected = 0;
  for (vtkIdType k = 0; k < bodies->GetNumberOfPoints(); ++k) {
    const auto id = static_cast<std::int64_t>(of_point(bodies, "id", k));
    const auto index = static_cast<std::size_t>(of_point(bodies, "shape", k));
    BOOST_TEST(drawn.contains(id) == (index > 0));
    if (index == 0) continue;
    ++expected;
    const Shape& shape = run.c->system.shapes[index];
    const Enclosed& body = drawn.at(id);
    const double radius = of_point(bodies, "radius", k), scale = radius / shape.radius;
    const Vec3 r = point(bodies, k);
    // Corners of boxes and polyhedra are exact; a ball of 64 meridians lacks about 2 (pi/64)^2 of its volume. Spheres of the
    // clump overlap, so that its polygons enclose more than it, but the same for every turn and size.
    const bool exact = shape.polyhedron != nullptr;
    if (shape.kind == ShapeKind::clump) continue;
    BOOST_TEST(body.volume == shape.volume * std::pow(scale, 3), boost::test_tools::tolerance(exact ? 1e-10 : 6e-3));
    BOOST_TEST((body.moment / body.volume - r).norm() < (exact ? 1e-10 : 1e-9) * radius);
    auto* P = bodies->GetPointData()->GetArray("orientation");
    const Quat turn(P->GetComponent(k, 0), P->GetComponent(k, 1), P->GetComponent(k, 2), P->GetComponent(k, 3));
    for (const auto& [i, x] : body.points) {
      const Vec3 local = rotate_back<double>(turn, Vec3(x - r)) / scale;
      BOOST_TEST(local.norm() <= shape.radius * (1 + 1e-10));
      if (shape.kind == ShapeKind::box) BOOST_TEST(local.norm() == shape.radius, boost::test_tools::tolerance(1e-10));
      if (shape.kind == ShapeKind::cylinder) BOOST_TEST(std::abs(local[2]) == shape.half_length, boost::test_tools::tolerance(1e-10));
    }
  }
  BOOST_TEST(expected == 125u);
  BOOST_TEST(drawn.size() == expected);
  // A colour of bodies is a colour of surfaces.
  for (int k = 0; k < bodies->GetPointData()->GetNumberOfArrays(); ++k)
    BOOST_TEST(surfaces->GetCellData()->HasArray(bodies->GetPointData()->GetArrayName(k)) == 1);
  MPI_Barrier(MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_CASE(only_if_wanted_and_only_where_there_are_any) {
  const Run without({"output.surfaces=false"});
  BOOST_TEST(!std::filesystem::exists(without.folder / "surfaces.pvd"));
  const Run round({"fills=[{type: random, count: 9, lower: [0, 0, 0.01], upper: [0.1, 0.1, 0.1], radius: [0.007]}]"});
  BOOST_TEST(!std::filesystem::exists(round.folder / "surfaces.pvd"));
  MPI_Barrier(MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_SUITE_END()

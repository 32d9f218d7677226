// Mass, centre and inertia of shapes; hulls; surfaces.
#include "contact/shape.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "contact/mass_properties.hpp"
#include "contact/shape_surface.hpp"
#include "math/random.hpp"

using namespace percussion;
constexpr double pi = std::numbers::pi;

namespace {

std::vector<Vec3> random_points(std::uint64_t seed, int n) {
  const CounterRandom random(seed, 0);
  std::vector<Vec3> points;
  for (int k = 0; k < n; ++k) points.push_back(Vec3(random.normal(3 * k), 2 * random.normal(3 * k + 1), random.normal(3 * k + 2)) + Vec3(1, 2, 3));
  return points;
}

bool inside(const Polyhedron& body, const Vec3& x) {
  for (const PolyhedronFace& f : body.faces)
    if (f.normal.dot(x) > f.offset) return false;
  return true;
}

/// Volume, first and second moments by columns along z, whose ends the face planes give: another way than tetrahedra.
MassProperties by_columns(const Polyhedron& body, int n) {
  Vec3 lower = body.vertices[0], upper = lower;
  for (const Vec3& v : body.vertices) lower = lower.cwiseMin(v), upper = upper.cwiseMax(v);
  const Vec3 cell = (upper - lower) / n;
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double x = lower[0] + (i + 0.5) * cell[0], y = lower[1] + (j + 0.5) * cell[1];
      double z0 = lower[2], z1 = upper[2];
      for (const PolyhedronFace& f : body.faces) {
        const double rest = f.offset - f.normal[0] * x - f.normal[1] * y;
        if (f.normal[2] > 0) z1 = std::min(z1, rest / f.normal[2]);
        if (f.normal[2] < 0) z0 = std::max(z0, rest / f.normal[2]);
      }
      if (z1 <= z0) continue;
      const double l = z1 - z0, zz = (z1 * z1 - z0 * z0) / 2, zzz = (z1 * z1 * z1 - z0 * z0 * z0) / 3;
      volume += l, first += Vec3(x * l, y * l, zz);
      Mat3 m;
      m << x * x * l, x * y * l, x * zz, x * y * l, y * y * l, y * zz, x * zz, y * zz, zzz;
      second += m;
    }
  const double dA = cell[0] * cell[1];
  MassProperties result{volume * dA, first / volume, Mat3::Zero()};
  const Mat3 covariance = dA * (second - volume * result.centre * result.centre.transpose());
  result.inertia = covariance.trace() * Mat3::Identity() - covariance;
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shapes)

BOOST_AUTO_TEST_CASE(hull_of_random_points_contains_them_and_closes) {
  for (const int n : {4, 5, 8, 20, 100}) {
    const auto points = random_points(n, n);
    const Polyhedron hull = convex_hull(points);
    for (const Vec3& p : points)
      for (const PolyhedronFace& f : hull.faces) BOOST_TEST(f.normal.dot(p) - f.offset < 1e-8);
    // Euler's formula; corners of all faces = twice the edges.
    const int edges = static_cast<int>(hull.corners.size()) / 2;
    BOOST_TEST(static_cast<int>(hull.vertices.size()) - edges + static_cast<int>(hull.faces.size()) == 2);
    for (std::size_t v = 0; v < hull.vertices.size(); ++v) BOOST_TEST(hull.faces_at(v).size() >= 3u);
  }
}

BOOST_AUTO_TEST_CASE(hull_merges_coplanar_triangles) {
  std::vector<Vec3> points;  // a cube with points on its edges, faces and inside
  for (int i = 0; i < 27; ++i) points.push_back(Vec3(i % 3, i / 3 % 3, i / 9));
  const Polyhedron cube = convex_hull(points);
  BOOST_TEST(cube.vertices.size() == 8u);
  BOOST_TEST(cube.faces.size() == 6u);
  for (std::size_t f = 0; f < 6; ++f) BOOST_TEST(cube.face(f).size() == 4u);
  BOOST_TEST(mass_properties(cube).volume == 8., boost::test_tools::tolerance(1e-14));
  points.resize(9);
  BOOST_CHECK_THROW(convex_hull(points), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(tetrahedron_and_box_have_their_closed_forms) {
  // Regular tetrahedron of edge a: V = a^3 / (6 sqrt 2), Theta = m a^2 / 20.
  const std::vector<Vec3> corners{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  const double a = std::sqrt(8.);
  const Shape tetrahedron = polyhedron_shape(corners);
  BOOST_TEST(tetrahedron.volume == a * a * a / (6 * std::sqrt(2.)), boost::test_tools::tolerance(1e-14));
  for (const double theta : tetrahedron.inertia_per_mass) BOOST_TEST(theta == a * a / 20, boost::test_tools::tolerance(1e-13));
  const Shape box = box_shape({1, 2, 3});
  const MassProperties m = mass_properties(*box.polyhedron);
  BOOST_TEST(m.volume == box.volume, boost::test_tools::tolerance(1e-14));
  for (int i = 0; i < 3; ++i) BOOST_TEST(m.inertia(i, i) / m.volume == box.inertia_per_mass[i], boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(random_polyhedra_agree_with_another_integration) {
  for (const int n : {6, 12, 40}) {
    const Polyhedron hull = convex_hull(random_points(n + 100, n));
    const MassProperties m = mass_properties(hull), other = by_columns(hull, 600);
    // Midpoint rule: error of order (1/600)^2 where the rim is cut.
    BOOST_TEST(std::abs(m.volume - other.volume) < 2e-5 * m.volume);
    BOOST_TEST((m.centre - other.centre).norm() < 2e-5 * hull.radius());
    BOOST_TEST((m.inertia - other.inertia).norm() < 1e-4 * m.inertia.norm());
  }
}

BOOST_AUTO_TEST_CASE(a_polyhedron_is_kept_in_its_principal_frame) {
  const auto points = random_points(7, 15);
  const Shape shape = polyhedron_shape(points);
  const MassProperties m = mass_properties(*shape.polyhedron);
  BOOST_TEST(m.centre.norm() < 1e-13 * shape.radius);
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(m.inertia(i, i) / m.volume == shape.inertia_per_mass[i], boost::test_tools::tolerance(1e-12));
    BOOST_TEST(std::abs(m.inertia(i, (i + 1) % 3)) < 1e-12 * m.inertia.norm());
  }
  // turn and centre lead back to the frame of the input: every corner is one of the points.
  for (const Vec3& v : shape.polyhedron->vertices) {
    const Vec3 x = shape.centre + rotate<double>(shape.turn, v);
    double nearest = 1;
    for (const Vec3& p : points) nearest = std::min(nearest, (p - x).norm());
    BOOST_TEST(nearest < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(round_shapes_have_their_closed_forms) {
  const double r = 0.3, l = 1.1;
  const Shape cylinder = cylinder_shape(r, l), capsule = capsule_shape(r, l);
  BOOST_TEST(cylinder.volume == pi * r * r * l, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(cylinder.inertia_per_mass[2] == r * r / 2, boost::test_tools::tolerance(1e-15));
  // A capsule by slices: discs of radius rho(z), Theta_x = int (rho^2/4 + z^2) pi rho^2 dz.
  double volume = 0, across = 0, along = 0;
  const int n = 20000;
  const double half = l / 2 + r, dz = 2 * half / n;
  for (int k = 0; k < n; ++k) {
    const double z = -half + (k + 0.5) * dz, over = std::max(0., std::abs(z) - l / 2), rho2 = r * r - over * over;
    volume += pi * rho2 * dz, across += pi * rho2 * (rho2 / 4 + z * z) * dz, along += pi * rho2 * rho2 / 2 * dz;
  }
  BOOST_TEST(capsule.volume == volume, boost::test_tools::tolerance(1e-7));  // midpoint rule
  BOOST_TEST(capsule.inertia_per_mass[0] == across / volume, boost::test_tools::tolerance(1e-7));
  BOOST_TEST(capsule.inertia_per_mass[2] == along / volume, boost::test_tools::tolerance(1e-7));
}

BOOST_AUTO_TEST_CASE(clumps) {
  // Two spheres that touch: closed form by the theorem of parallel axes.
  const Shape pair = clump_shape({{{2, 0, 0}, 0.5}, {{3, 0, 0}, 0.5}});
  BOOST_TEST((pair.centre - Vec3(2.5, 0, 0)).norm() < 1e-15);
  BOOST_TEST(pair.inertia_per_mass[0] == 0.4 * 0.25, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(pair.inertia_per_mass[1] == 0.4 * 0.25 + 0.25, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(pair.radius == 1., boost::test_tools::tolerance(1e-15));
  // Two that overlap: the lens counts once. V = 2 V_ball - pi (4r + d)(2r - d)^2 / 12.
  const double r = 1, d = 1.2, ball = 4. / 3. * pi;
  const Shape overlapping = clump_shape({{{0, 0, 0}, r}, {{d, 0, 0}, r}});
  BOOST_TEST(overlapping.volume == 2 * ball - pi * (4 * r + d) * (2 * r - d) * (2 * r - d) / 12, boost::test_tools::tolerance(1e-4));
  // One sphere inside another counts for nothing.
  const Shape hidden = clump_shape({{{0, 0, 0}, r}, {{0.1, 0, 0}, 0.2}});
  BOOST_TEST(hidden.inertia_per_mass[0] == 0.4, boost::test_tools::tolerance(1e-4));
}

BOOST_AUTO_TEST_CASE(surfaces_are_closed_turned_outwards_and_nearly_as_large) {
  const Shape all[] = {sphere_shape(0.7), box_shape({1, 2, 3}), capsule_shape(0.3, 1), cylinder_shape(0.5, 1),
                       polyhedron_shape(random_points(3, 12)), clump_shape({{{0, 0, 0}, 0.5}, {{1, 0, 0}, 0.5}})};
  for (const Shape& shape : all) {
    BOOST_TEST_CONTEXT(name(shape.kind)) {
      const ShapeSurface s = surface(shape, 64);
      double volume = 0;
      for (const auto& polygon : s.polygons)
        for (std::size_t k = 2; k < polygon.size(); ++k) volume += s.points[polygon[0]].dot(s.points[polygon[k - 1]].cross(s.points[polygon[k]])) / 6;
      // 64 segments: a circle loses (2 pi / 64)^2 / 6 of its area, a sphere about twice that.
      BOOST_TEST(volume == shape.volume, boost::test_tools::tolerance(8e-3));
      for (const Vec3& p : s.points) BOOST_TEST(p.norm() <= shape.radius * (1 + 1e-14));
    }
  }
}

BOOST_AUTO_TEST_CASE(inside_of_a_hull) {  // the helper of the tests of contacts, and orientation of the faces
  const Shape shape = polyhedron_shape(random_points(9, 20));
  BOOST_TEST(inside(*shape.polyhedron, Vec3::Zero()));
  BOOST_TEST(!inside(*shape.polyhedron, Vec3(2 * shape.radius, 0, 0)));
}

BOOST_AUTO_TEST_SUITE_END()

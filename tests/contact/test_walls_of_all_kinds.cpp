// Drums, hoppers, meshes and moving walls: known gaps and normals, seams of meshes, search in the grid of triangles.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <set>

#include "contact/wall.hpp"
#include "math/random.hpp"

using namespace percussion;

namespace {

constexpr double pi = std::numbers::pi;

/// A grid of n x n squares of two triangles each over [0, 1]^2, at height f(x, y).
template <class F>
TriangleMesh terrain(int n, F&& f) {
  TriangleMesh mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) mesh.vertices.push_back({double(i) / n, double(j) / n, f(double(i) / n, double(j) / n)});
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int v = j * (n + 1) + i;
      mesh.triangles.push_back({v, v + 1, v + n + 2});
      mesh.triangles.push_back({v, v + n + 2, v + n + 1});
    }
  return mesh;
}

Convex placed(const Shape& s, const Vec3& x, const Mat3& A = Mat3::Identity()) { return {&s, 1, x, A}; }

/// All contacts of a body with a mesh.
std::vector<ManifoldPoint> all_contacts(const MeshWall& wall, const Convex& body, double threshold) {
  std::vector<ManifoldPoint> result;
  Manifold m;
  for (std::int32_t t = 0; t < wall.size(); ++t) {
    wall.contacts(t, body, threshold, m);
    result.insert(result.end(), m.points().begin(), m.points().end());
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(walls_of_all_kinds)

BOOST_AUTO_TEST_CASE(bodies_in_a_drum) {
  const Revolution drum{Vec3(0, -1, 0), Vec3::UnitY(), 2, 0, 2, 3};
  Manifold m;
  const Shape ball = sphere_shape(0.5), box = box_shape({1, 1, 1}), capsule = capsule_shape(0.25, 1);
  revolution_contacts(drum, placed(ball, {0, 0.3, -1.4}), 1, m);
  BOOST_REQUIRE(m.size() == 1);
  BOOST_TEST(m[0].gap == 0.1, boost::test_tools::tolerance(1e-14));
  BOOST_TEST((m[0].n + Vec3::UnitZ()).norm() < 1e-15);
  BOOST_TEST((m[0].on_a - Vec3(0, 0.3, -1.9)).norm() < 1e-15);
  // A box at the bottom touches with its four lower corners, which are sqrt(0.25 + z^2) from the axis.
  revolution_contacts(drum, placed(box, {0, 0, -1.4}), 0.1, m);
  BOOST_REQUIRE(m.size() == 4);
  for (const ManifoldPoint& p : m.points()) {
    BOOST_TEST(p.gap == 2 - std::hypot(0.5, 1.9), boost::test_tools::tolerance(1e-13));
    BOOST_TEST((p.n - Vec3(p.on_a[0], 0, p.on_a[2]).normalized()).norm() < 1e-14);
  }
  // A rod along the axis touches with both ends.
  revolution_contacts(drum, placed(capsule, {0, 0.5, -1.75}, Eigen::AngleAxisd(pi / 2, Vec3::UnitX()).toRotationMatrix()), 0.1, m);
  BOOST_REQUIRE(m.size() == 2);
  for (const ManifoldPoint& p : m.points()) BOOST_TEST(std::abs(p.gap) < 1e-14);
}

BOOST_AUTO_TEST_CASE(spheres_in_a_hopper) {
  // 45 degrees, outlet of radius 1.
  const Revolution hopper{Vec3::Zero(), Vec3::UnitZ(), 1, 0, 3, 2};
  Manifold m;
  const Shape ball = sphere_shape(0.2);
  const auto check = [&](const Vec3& x, double gap, const Vec3& n) {
    revolution_contacts(hopper, placed(ball, x), 10, m);
    BOOST_REQUIRE(m.size() == 1);
    BOOST_TEST(std::abs(m[0].gap - gap) < 1e-14);
    BOOST_TEST((m[0].n - n).norm() < 1e-13);
  };
  const double s = std::sqrt(0.5);
  check({0, 0, 1}, 2 * s - 0.2, Vec3(s, 0, -s));  // on the axis every direction is as good
  check({1, 0, 1}, s - 0.2, Vec3(s, 0, -s));
  check({0, 0.5, -1.2}, 1.3 - 0.2, Vec3(0, 5, 12) / 13);  // below: the rim of the outlet
  check({0, 2.5, 1}, 0.5 * s - 0.2, Vec3(0, -s, s));      // outside
}

BOOST_AUTO_TEST_CASE(a_flat_mesh_has_no_seams) {
  const MeshWall wall(terrain(8, [](double, double) { return 0.; }));
  const Shape ball = sphere_shape(0.1), box = box_shape({0.3, 0.3, 0.3});
  for (int k = 0; k < 500; ++k) {
    const CounterRandom random(1, k);
    // Often exactly over edges and corners.
    const auto place = [&](int draw) { return random.uniform(draw) < 0.5 ? random.uniform(draw + 1, 0.25, 0.75) : 0.125 * std::floor(random.uniform(draw + 1, 2, 7)); };
    const Vec3 x(place(0), place(2), 0.099);
    const auto contacts = all_contacts(wall, placed(ball, x), 0);
    BOOST_TEST(contacts.size() >= 1u);
    for (const ManifoldPoint& p : contacts) {
      BOOST_TEST((p.n + Vec3::UnitZ()).norm() < 1e-14);
      BOOST_TEST(std::abs(p.gap + 0.001) < 1e-14);
    }
    const Mat3 A = Eigen::AngleAxisd(random.uniform(9, 0, 3), Vec3::UnitZ()).toRotationMatrix();
    for (const ManifoldPoint& p : all_contacts(wall, placed(box, Vec3(x[0], x[1], 0.149), A), 0)) {
      BOOST_TEST((p.n + Vec3::UnitZ()).norm() < 1e-14);
      BOOST_TEST(std::abs(p.gap + 0.001) < 1e-14);
    }
  }
}

BOOST_AUTO_TEST_CASE(sphere_over_a_ridge_and_in_a_valley) {
  const Shape ball = sphere_shape(0.1);
  // A roof: both slopes end in the ridge at x = 0.5, which is touched once.
  const MeshWall roof(terrain(2, [](double x, double) { return -std::abs(x - 0.5); }));
  auto contacts = all_contacts(roof, placed(ball, {0.5, 0.3, 0.11}), 0.05);
  BOOST_REQUIRE(contacts.size() == 1u);
  BOOST_TEST(std::abs(contacts[0].gap - 0.01) < 1e-14);
  BOOST_TEST((contacts[0].n + Vec3::UnitZ()).norm() < 1e-12);
  // A valley: both slopes are touched, the edge at its bottom is not.
  const MeshWall valley(terrain(2, [](double x, double) { return std::abs(x - 0.5); }));
  contacts = all_contacts(valley, placed(ball, {0.5, 0.3, 0.1 * std::sqrt(2.)}), 1e-9);
  BOOST_REQUIRE(contacts.size() == 2u);
  for (const ManifoldPoint& p : contacts) {
    BOOST_TEST(std::abs(p.gap) < 1e-14);
    BOOST_TEST(std::abs(p.n[2] + std::sqrt(0.5)) < 1e-14);
  }
  // A tip: six triangles, one contact.
  const MeshWall tip(terrain(2, [](double x, double y) { return -std::max(std::abs(x - 0.5), std::abs(y - 0.5)); }));
  contacts = all_contacts(tip, placed(ball, {0.5, 0.5, 0.12}), 0.05);
  BOOST_REQUIRE(contacts.size() == 1u);
  BOOST_TEST(std::abs(contacts[0].gap - 0.02) < 1e-14);
}

BOOST_AUTO_TEST_CASE(grid_of_triangles_finds_what_a_full_search_finds) {
  const MeshWall wall(terrain(20, [](double x, double y) { return 0.2 * std::sin(7 * x) * std::cos(5 * y); }));
  for (int k = 0; k < 200; ++k) {
    const CounterRandom random(2, k);
    const Vec3 x(random.uniform(0, -0.2, 1.2), random.uniform(1, -0.2, 1.2), random.uniform(2, -0.3, 0.3));
    const double reach = random.uniform(3, 0.01, 0.3);
    std::multiset<std::int32_t> found;
    wall.for_each_near(x, reach, [&](std::int32_t t) { found.insert(t); });
    std::multiset<std::int32_t> expected;
    for (std::int32_t t = 0; t < wall.size(); ++t) {
      bool meets = true;
      for (int a = 0; a < 3; ++a) {
        const auto& v = wall.mesh().triangles[t];
        const auto [low, high] = std::minmax({wall.mesh().vertices[v[0]][a], wall.mesh().vertices[v[1]][a], wall.mesh().vertices[v[2]][a]});
        meets = meets && low <= x[a] + reach && high >= x[a] - reach;
      }
      if (meets) expected.insert(t);
    }
    BOOST_TEST((found == expected));
  }
}

BOOST_AUTO_TEST_CASE(moving_walls) {
  Walls walls;
  Parameters p;
  p.set("velocity", std::vector<double>{0, 0, 0});
  p.set("displacement_x", std::string("0.1*sin(3*t)")), p.set("displacement_y", std::string("0")), p.set("displacement_z", std::string("t^2"));
  p.set("rotation", std::string("2*t")), p.set("rotation_axis", std::vector<double>{0, 1, 0}), p.set("rotation_centre", std::vector<double>{1, 0, 0});
  const WallMotion motion(p);
  walls.motions.push_back(motion), walls.wall_of.push_back(0), walls.names.push_back("floor");
  walls.planes.resize(1);
  walls.planes[0].n[0] = 0.6, walls.planes[0].n[2] = 0.8, walls.planes[0].offset = 0.3;
  walls.obstacles.add(Revolution{Vec3::Zero(), Vec3::UnitY(), 1, 0, 1, 2}, motion, {0.3, 0, 0}, 0);
  std::vector<Plane> planes, later;
  const double t = 0.7, h = 1e-6;
  place_walls(walls, t, t, planes);
  // The velocity of a surface point is the difference of its places.
  const Vec3 X(0.3, -0.2, 0.9);
  const auto place = [&](double at) { const WallPose pose = motion.at(at); return Vec3(pose.A * X + pose.r); };
  const Vec3 v = (place(t + h) - place(t - h)) / (2 * h);
  for (const std::int32_t surface : {0, 1}) BOOST_TEST((surface_velocity(walls, planes, surface, place(t)) - v).norm() < 1e-8);  // differences
  // A point of the plane stays in the plane.
  const Vec3 on_plane = 0.3 * Vec3(0.6, 0, 0.8) + 0.2 * Vec3(0.8, 0, -0.6);
  const WallPose pose = motion.at(t);
  BOOST_TEST(std::abs(Eigen::Map<const Vec3>(planes[0].n).dot(pose.A * on_plane + pose.r) - planes[0].offset) < 1e-14);
  BOOST_TEST(surface_law(walls, planes, 1).mu == 0.3);
}

BOOST_AUTO_TEST_SUITE_END()

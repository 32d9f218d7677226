// Every shape at every kind of wall: gaps against an independent formula, and the same in a turned and moved frame.
#include <boost/test/unit_test.hpp>
#include <functional>

#include "contact/mesh_wall.hpp"
#include "contact/poses.hpp"
#include "contact/revolution.hpp"
#include "math/random.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

/// Points of a body that, rounded by their radius, span it: the nearest to a wall that is convex from inside is among them.
struct SpanPoint {
  Vec3 x;
  double r;
};
std::vector<SpanPoint> span_points(const Convex& body) {
  const Shape& s = *body.shape;
  std::vector<SpanPoint> points;
  const auto add = [&](const Vec3& local, double r) { points.push_back({body.to_world(local), body.scale * r}); };
  switch (s.kind) {
    case ShapeKind::sphere: add(Vec3::Zero(), s.core_radius); break;
    case ShapeKind::capsule: add({0, 0, s.half_length}, s.core_radius), add({0, 0, -s.half_length}, s.core_radius); break;
    case ShapeKind::clump:
      for (const ClumpSphere& c : s.spheres) add(c.x, c.r);
      break;
    case ShapeKind::cylinder:
      for (int k = 0; k < 20000; ++k) {
        const double phi = 2 * std::numbers::pi * k / 10000;
        add({s.core_radius * std::cos(phi), s.core_radius * std::sin(phi), k % 2 ? s.half_length : -s.half_length}, 0);
      }
      break;
    default:
      for (const Vec3& v : s.polyhedron->vertices) add(v, 0);
  }
  return points;
}

double least_gap(const Manifold& m) {
  double gap = 1e300;
  for (const ManifoldPoint& p : m.points()) gap = std::min(gap, p.gap);
  return gap;
}

struct Frame {
  Mat3 R;
  Vec3 r;
  Vec3 operator()(const Vec3& x) const { return R * x + r; }
};
Frame random_frame(const CounterRandom& random) {
  return {A_IK_of<double>(Quat(random.normal(0), random.normal(1), random.normal(2), random.normal(3))), {random.uniform(4), random.uniform(5), random.uniform(6)}};
}

/// Points of `m`, moved by the frame, are those of `other`.
void check_moved(const Manifold& m, const Manifold& other, const Frame& frame, double tolerance) {
  BOOST_TEST_REQUIRE(m.size() == other.size());
  for (const ManifoldPoint& p : m.points()) {
    bool found = false;
    for (const ManifoldPoint& o : other.points())
      found |= std::abs(p.gap - o.gap) < tolerance && (frame.R * p.n - o.n).norm() < tolerance && (frame(p.on_a) - o.on_a).norm() < tolerance;
    BOOST_TEST(found);
  }
}

/// Every pose at a wall of revolution, at known places and turned at random, against the distance of its points from the line
/// that makes the wall.
void check_revolution(const Revolution& wall, const Vec3& place, const std::function<double(double rho, double z)>& distance) {
  const auto all = poses();
  Manifold m, moved;
  for (int k = 0; k < 200; ++k) {
    const CounterRandom random(17, k);
    const Frame frame = random_frame(random);
    const Pose& pose = all[k % all.size()];
    const Mat3 A = k < static_cast<int>(all.size()) ? pose.A : random_frame(CounterRandom(18, k)).R;
    const Convex body{&pose.shape, 1, place + 0.05 * Vec3(random.uniform(7), random.uniform(8), random.uniform(9)), A};
    double expected = 1e300;
    for (const SpanPoint& p : span_points(body)) {
      const Vec3 d = p.x - wall.point;
      const double z = wall.axis.dot(d), rho = (d - z * wall.axis).norm();
      expected = std::min(expected, distance(rho, z) - p.r);
    }
    revolution_contacts(wall, body, 10, m);
    BOOST_TEST_CONTEXT(pose.name << ", sample " << k) {
      BOOST_TEST_REQUIRE(m.size() > 0);
      // The rims of a cylinder are 16 points each: short of the nearest by at most r (1 - cos(pi/16)).
      const double sampled = pose.shape.kind == ShapeKind::cylinder ? 0.4 * (1 - std::cos(std::numbers::pi / 16)) : 1e-12;
      BOOST_TEST(least_gap(m) >= expected - 1e-8);
      BOOST_TEST(least_gap(m) <= expected + sampled);
      for (const ManifoldPoint& p : m.points()) {
        BOOST_TEST((p.on_b - p.on_a - p.gap * p.n).norm() < 1e-12);
        const Vec3 d = p.on_b - wall.point;  // lies on the wall
        const double z = wall.axis.dot(d), rho = (d - z * wall.axis).norm();
        BOOST_TEST(std::abs(distance(rho, z)) < 1e-12);
      }
      Revolution other = wall;
      other.point = frame(wall.point), other.axis = frame.R * wall.axis;
      revolution_contacts(other, {body.shape, 1, frame(body.x), frame.R * A}, 10, moved);
      if (m.size() == moved.size() && pose.shape.kind != ShapeKind::cylinder) check_moved(m, moved, frame, 1e-9);
      BOOST_TEST(std::abs(least_gap(m) - least_gap(moved)) < 1e-12);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shapes_at_walls)

BOOST_AUTO_TEST_CASE(inside_a_drum) {
  const double R = 3;
  check_revolution({Vec3(0, -5, 0), Vec3::UnitY(), R, 0, R, 10}, {0.3, 0, -1.8}, [&](double rho, double) { return R - rho; });
}

// From radius 0.5 at the outlet to 4.5 at height 8: away from the rims the wall is the cone.
BOOST_AUTO_TEST_CASE(inside_a_hopper) {
  const double length = std::hypot(4., 8.);
  check_revolution({Vec3::Zero(), Vec3::UnitZ(), 0.5, 0, 4.5, 8}, {1, 0.5, 4.5}, [&](double rho, double z) { return (8 * (0.5 - rho) + 4 * z) / length; });
}

// A flat part of a mesh is a plane: the deepest points and the normal are those of the plane, whatever triangles are below.
BOOST_AUTO_TEST_CASE(flat_mesh) {
  const auto all = poses();
  Manifold m, on_plane;
  for (int k = 0; k < 200; ++k) {
    const CounterRandom random(19, k);
    const Frame frame = random_frame(random);
    TriangleMesh mesh;
    const int n = 12;
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i) mesh.vertices.push_back(frame(Vec3(0.5 * i - 3, 0.5 * j - 3, 0)));
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const int v = j * (n + 1) + i;
        mesh.triangles.push_back({v, v + 1, v + n + 2}), mesh.triangles.push_back({v, v + n + 2, v + n + 1});
      }
    const MeshWall wall(std::move(mesh));
    const Pose& pose = all[k % all.size()];
    const Mat3 A = frame.R * (k < static_cast<int>(all.size()) ? pose.A : random_frame(CounterRandom(20, k)).R);
    // Lowered until its lowest point is 0.01 below the plane.
    const Vec3 normal = frame.R.col(2);
    double lowest = 1e300;
    Convex body{&pose.shape, 1, frame(Vec3(random.uniform(7), random.uniform(8), 0)), A};
    for (const SpanPoint& p : span_points(body)) lowest = std::min(lowest, normal.dot(p.x - frame.r) - p.r);
    body.x -= (lowest + 0.01) * normal;
    plane_contacts(body, normal, normal.dot(frame.r), 0, on_plane);
    double deepest = 1e300;
    int points = 0;
    for (std::int32_t t = 0; t < wall.size(); ++t) {
      wall.contacts(t, body, 0, m);
      for (const ManifoldPoint& p : m.points()) {
        deepest = std::min(deepest, p.gap), ++points;
        BOOST_TEST((p.n + normal).norm() < 1e-12);
        BOOST_TEST(std::abs(normal.dot(p.on_b - frame.r)) < 1e-12);
      }
    }
    BOOST_TEST_CONTEXT(pose.name << ", sample " << k) {
      BOOST_TEST(points >= on_plane.size());
      // A cylinder turned anyhow is lowest at a point of its rim, of which span_points has 10000.
      BOOST_TEST(std::abs(deepest + 0.01) < (pose.shape.kind == ShapeKind::cylinder ? 1e-6 : 1e-12));
      BOOST_TEST(std::abs(least_gap(on_plane) + 0.01) < (pose.shape.kind == ShapeKind::cylinder ? 1e-6 : 1e-12));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

// Every pair of shapes: known gaps and normals, exchange of the bodies, rotation of the frame, identity of the points.
#include "contact/shape_contact.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "contact/poses.hpp"
#include "math/random.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

double least_gap(const Manifold& m) {
  double gap = 1e300;
  for (const ManifoldPoint& p : m.points()) gap = std::min(gap, p.gap);
  return gap;
}

void check_points(const Manifold& m) {
  BOOST_TEST(m.size() <= max_manifold);
  for (const ManifoldPoint& p : m.points()) {
    BOOST_TEST(p.n.norm() == 1., boost::test_tools::tolerance(1e-12));
    BOOST_TEST((p.on_b - p.on_a - p.gap * p.n).norm() < 1e-6);  // cylinders: 1e-7 of the size
  }
  for (int k = 0; k < m.size(); ++k)
    for (int l = 0; l < k; ++l) BOOST_TEST(m[k].feature != m[l].feature);
}

/// Points of a clump are not in one plane with those of the other side.
bool same_set(const Manifold& m, const Manifold& other, const Mat3& R, double sign, double tolerance) {
  if (m.size() != other.size()) return false;
  for (const ManifoldPoint& p : m.points()) {
    bool found = false;
    for (const ManifoldPoint& o : other.points()) {
      const Vec3 &on_a = sign > 0 ? o.on_a : o.on_b;
      found |= (R * p.n - sign * o.n).norm() < tolerance && (R * p.on_a - on_a).norm() < tolerance && std::abs(p.gap - o.gap) < tolerance;
    }
    if (!found) return false;
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shape_contact)

BOOST_AUTO_TEST_CASE(every_pair_above_each_other) {
  const auto all = poses();
  Manifold m;
  for (const Pose& a : all)
    for (const Pose& b : all)
      for (const double gap : {0.1, 0., -0.01}) {
        BOOST_TEST_CONTEXT(b.name << " above " << a.name << ", gap " << gap) {
          // Turned about z by an angle that leaves no edges parallel.
          const Convex low{&a.shape, 1, Vec3(1, 2, 3), a.A};
          const Convex high{&b.shape, 1.5, Vec3(1, 2, 3 + a.half + 1.5 * b.half + gap), turn(0.3, Vec3::UnitZ()) * b.A};
          body_contacts(low, high, 0.2, m);
          BOOST_REQUIRE(m.size() > 0);
          check_points(m);
          const bool curved = a.shape.kind == ShapeKind::cylinder || b.shape.kind == ShapeKind::cylinder;
          // Two sharp corners that overlap part more easily sideways: no known depth, but not deeper than along z.
          const bool sharp = a.shape.polyhedron && b.shape.polyhedron && a.points + b.points <= 3;
          if (sharp && gap <= 0) {
            BOOST_TEST(least_gap(m) >= gap - 1e-11);
            BOOST_TEST(least_gap(m) <= 1e-11);
            continue;
          }
          BOOST_TEST(std::abs(least_gap(m) - gap) < (curved ? 1e-6 : 1e-11));
          for (const ManifoldPoint& p : m.points())
            if (p.gap < gap + 1e-6) BOOST_TEST((p.n - Vec3::UnitZ()).norm() < (curved ? 2e-3 : 1e-9));
          // Flat on flat is carried by an area, a rod on a face by two points.
          int touching = 0;
          for (const ManifoldPoint& p : m.points()) touching += p.gap < gap + 1e-6;
          if (a.points >= 3 && b.points >= 3) BOOST_TEST(touching >= 3);
          if (std::min(a.points, b.points) == 2 && std::max(a.points, b.points) >= 3) BOOST_TEST(touching == 2);
        }
      }
}

BOOST_AUTO_TEST_CASE(every_shape_above_a_plane) {
  Manifold m;
  const Vec3 n = Vec3(1, -2, 2) / 3;
  const Mat3 R = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), n).toRotationMatrix();
  for (const Pose& a : poses())
    for (const double gap : {0.1, 0., -0.01}) {
      BOOST_TEST_CONTEXT(a.name << ", gap " << gap) {
        plane_contacts({&a.shape, 2, (2 * a.half + gap + 0.7) * n + 5 * R.col(0), R * a.A}, n, 0.7, 0.15, m);
        check_points(m);
        BOOST_TEST(std::abs(least_gap(m) - gap) < 1e-12);
        int touching = 0;
        for (const ManifoldPoint& p : m.points()) {
          touching += p.gap < gap + 1e-9;
          BOOST_TEST((p.n + n).norm() < 1e-15);
          BOOST_TEST(std::abs(n.dot(p.on_b) - 0.7) < 1e-12);
        }
        BOOST_TEST(touching == a.points);
      }
    }
}

BOOST_AUTO_TEST_CASE(random_pairs_do_not_depend_on_order_or_frame) {
  const auto all = poses();
  Manifold m, exchanged, turned;
  int found = 0;
  for (int k = 0; k < 3000; ++k) {
    const CounterRandom random(3, k);
    const auto random_turn = [&](int draw) { return A_IK_of<double>(Quat(random.normal(draw), random.normal(draw + 1), random.normal(draw + 2), random.normal(draw + 3))); };
    const Pose &p = all[k % all.size()], &q = all[k / all.size() % all.size()];
    const Convex a{&p.shape, 1, Vec3::Zero(), random_turn(0)};
    const Convex b{&q.shape, 1.3, 1.5 * Vec3(random.normal(4), random.normal(5), random.normal(6)), random_turn(7)};
    body_contacts(a, b, 0.3, m);
    if (m.size() == 0 || least_gap(m) < -0.3) continue;  // deep inside each other several directions are equally short
    ++found;
    BOOST_TEST_CONTEXT(p.name << " and " << q.name << ", sample " << k) {
      check_points(m);
      const bool curved = p.shape.kind == ShapeKind::cylinder || q.shape.kind == ShapeKind::cylinder;
      const double tolerance = curved ? 5e-3 : 1e-6;  // the direction at a curved surface: root of the error in distance
      body_contacts(b, a, 0.3, exchanged);
      BOOST_TEST(same_set(m, exchanged, Mat3::Identity(), -1, tolerance));
      const Mat3 R = random_turn(11);
      body_contacts({a.shape, 1, R * a.x, R * a.A}, {b.shape, 1.3, R * b.x, R * b.A}, 0.3, turned);
      BOOST_TEST(same_set(m, turned, R, 1, tolerance));
    }
  }
  BOOST_TEST(found > 500);
}

BOOST_AUTO_TEST_CASE(sphere_against_the_sides_of_shapes) {
  Manifold m;
  const Shape ball = sphere_shape(0.5), box = box_shape({2, 2, 2}), cylinder = cylinder_shape(1, 2), capsule = capsule_shape(0.5, 2);
  const auto check = [&](const Shape& shape, const Vec3& x, double gap, const Vec3& n) {
    body_contacts({&ball, 1, x, Mat3::Identity()}, {&shape, 1, Vec3::Zero(), Mat3::Identity()}, 10, m);
    BOOST_REQUIRE(m.size() == 1);
    BOOST_TEST(std::abs(m[0].gap - gap) < 1e-14);
    BOOST_TEST((m[0].n - n).norm() < 1e-14);
  };
  check(box, {3, 0.2, 0.3}, 1.5, -Vec3::UnitX());
  check(box, {4, 5, 0.3}, 4.5, -Vec3(3, 4, 0) / 5);
  check(box, {3, 3, 2}, 2.5, -Vec3(2, 2, 1) / 3);
  check(box, {0.9, 0, 0}, -0.6, -Vec3::UnitX());
  check(cylinder, {0, 3, 0.2}, 1.5, -Vec3::UnitY());
  check(cylinder, {0.1, 0.3, -2}, 0.5, Vec3::UnitZ());
  check(cylinder, {0, 4, 5}, 4.5, -Vec3(0, 3, 4) / 5);
  check(cylinder, {0, 0.3, 0.8}, -0.7, -Vec3::UnitZ());
  check(capsule, {0, 2, 0.3}, 1., -Vec3::UnitY());
  check(capsule, {0, 3, 5}, 4., -Vec3(0, 3, 4) / 5);
}

BOOST_AUTO_TEST_CASE(identity_survives_small_motions) {
  Manifold m, later;
  const auto all = poses();
  for (const Pose& a : all)
    for (const Pose& b : all) {
      const Convex low{&a.shape, 1, Vec3::Zero(), a.A};
      const Convex high{&b.shape, 1.5, Vec3(0, 0, a.half + 1.5 * b.half - 1e-3), turn(0.3, Vec3::UnitZ()) * b.A};
      body_contacts(low, high, 0, m);
      Convex moved = high;
      moved.x += Vec3(1e-5, -2e-5, 1e-6), moved.A = turn(1e-6, Vec3(1, 2, 3)) * moved.A;
      body_contacts(low, moved, 0, later);
      int kept = 0;
      for (const ManifoldPoint& p : m.points())
        for (const ManifoldPoint& q : later.points())
          if (p.feature == q.feature) {
            ++kept;
            BOOST_TEST((p.on_a - q.on_a).norm() < 2e-2);  // the same corner; an edge that cuts another moves a little more
          }
      BOOST_TEST_CONTEXT(b.name << " above " << a.name) BOOST_TEST(kept >= std::min(m.size(), later.size()) - 1);
    }
}

BOOST_AUTO_TEST_SUITE_END()

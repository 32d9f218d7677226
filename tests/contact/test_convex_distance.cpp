// Distances and depths of convex bodies: known cases, and the conditions that define them for random ones.
#include "contact/convex_distance.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "math/random.hpp"

using namespace percussion;

namespace {

Mat3 random_turn(const CounterRandom& random, int draw) {
  return A_IK_of<double>(Quat(random.normal(draw), random.normal(draw + 1), random.normal(draw + 2), random.normal(draw + 3)));
}

std::vector<Shape> samples() {
  std::vector<Vec3> points;
  const CounterRandom random(5, 0);
  for (int k = 0; k < 24; ++k) points.push_back(Vec3(random.normal(3 * k), random.normal(3 * k + 1), random.normal(3 * k + 2)).normalized());
  return {box_shape({1, 1.5, 0.7}), cylinder_shape(0.5, 1.2), capsule_shape(0.3, 1.), polyhedron_shape(points)};
}

/// Separation of the cores along n: what no direction can make larger than the distance.
double separation(const Convex& a, const Convex& b, const Vec3& n) { return n.dot(b.support(-n) - a.support(n)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(convex_distances)

BOOST_AUTO_TEST_CASE(two_boxes) {
  const Shape cube = box_shape({2, 2, 2});
  const Mat3 I = Mat3::Identity();
  const Mat3 turned = Eigen::AngleAxisd(0.25 * 3.14159265358979323846, Vec3::UnitZ()).toRotationMatrix();
  // Face to face, with a gap, touching and overlapping.
  for (const double gap : {1., 1e-3, 1e-9, 0., -1e-9, -1e-3, -0.4}) {
    const ConvexDistance d = convex_distance({&cube, 1, Vec3::Zero(), I}, {&cube, 1, Vec3(2 + gap, 0.3, -0.2), I});
    BOOST_TEST(std::abs(d.distance - gap) < 1e-12);
    BOOST_TEST((d.n - Vec3::UnitX()).norm() < 1e-9);
  }
  // Edge to face; edge to edge; corner to corner.
  const double s = std::sqrt(2.);
  const ConvexDistance edge = convex_distance({&cube, 1, Vec3::Zero(), I}, {&cube, 1, Vec3(1 + s + 0.1, 0, 0), turned});
  BOOST_TEST(std::abs(edge.distance - 0.1) < 1e-12);
  const ConvexDistance corner = convex_distance({&cube, 1, Vec3::Zero(), I}, {&cube, 1, Vec3(2.3, 2.4, 3.2), I});
  BOOST_TEST(corner.distance == std::sqrt(0.09 + 0.16 + 1.44), boost::test_tools::tolerance(1e-12));
  BOOST_TEST((corner.on_a - Vec3(1, 1, 1)).norm() < 1e-12);
  const Mat3 up = Eigen::AngleAxisd(0.25 * 3.14159265358979323846, Vec3::UnitX()).toRotationMatrix();
  const Mat3 side = Eigen::AngleAxisd(0.25 * 3.14159265358979323846, Vec3::UnitY()).toRotationMatrix();
  for (const double gap : {0.2, -0.1}) {  // edges along x and y cross above each other
    const ConvexDistance d = convex_distance({&cube, 1, Vec3::Zero(), up}, {&cube, 1, Vec3(0, 0, 2 * s + gap), side});
    BOOST_TEST(std::abs(d.distance - gap) < 1e-12);
    BOOST_TEST((d.n - Vec3::UnitZ()).norm() < 1e-12);
    BOOST_TEST((d.on_a - Vec3(0, 0, s)).norm() < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(random_pairs_are_optimal_and_symmetric) {
  const auto shapes = samples();
  int overlapping = 0, apart = 0;
  for (int k = 0; k < 400; ++k) {
    const CounterRandom random(11, k);
    const Shape &s = shapes[k % shapes.size()], &t = shapes[k / shapes.size() % shapes.size()];
    const Convex a{&s, 1, Vec3(random.normal(0), random.normal(1), random.normal(2)), random_turn(random, 3)};
    const Convex b{&t, 1.2, a.x + 1.1 * Vec3(random.normal(7), random.normal(8), random.normal(9)), random_turn(random, 10)};
    const ConvexDistance d = convex_distance(a, b), e = convex_distance(b, a);
    const bool curved = s.kind == ShapeKind::cylinder || t.kind == ShapeKind::cylinder;
    const double tolerance = curved ? 1e-6 : 1e-11;  // convex_distance.hpp: 1e-7 of the size
    BOOST_TEST(d.n.norm() == 1., boost::test_tools::tolerance(1e-12));
    // The bodies are that far apart along n, and the points are that far apart and belong to the bodies.
    BOOST_TEST(std::abs(separation(a, b, d.n) - d.distance) < tolerance);
    BOOST_TEST((d.on_b - d.on_a - d.distance * d.n).norm() < (curved ? 1e-3 : 1e-9));
    // No direction parts them better.
    for (int j = 0; j < 50; ++j) {
      const Vec3 n = (d.n + 0.1 * Vec3(random.normal(20 + 3 * j), random.normal(21 + 3 * j), random.normal(22 + 3 * j))).normalized();
      BOOST_TEST(separation(a, b, n) <= d.distance + tolerance);
    }
    BOOST_TEST(std::abs(e.distance - d.distance) < tolerance);
    if (!curved && d.distance > 1e-3) BOOST_TEST((e.n + d.n).norm() < 1e-9);
    ++(d.distance < 0 ? overlapping : apart);
  }
  BOOST_TEST(overlapping > 50);
  BOOST_TEST(apart > 50);
}

BOOST_AUTO_TEST_SUITE_END()

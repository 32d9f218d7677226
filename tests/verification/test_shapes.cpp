// Bodies that are not spheres: impacts, sliding, rest and stacks against closed forms.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "verification/rk_case.hpp"

using namespace percussion;

namespace {

std::unique_ptr<Case> case_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return std::make_unique<Case>(MPI_COMM_WORLD, parse_input("case: {name: t}\n" + text, "test.yaml", ".", overrides, case_schema()));
}

/// Sum over ranks of the normal percussions between two ids (b < 0: a wall), and how many contacts there are.
struct Carried {
  double normal = 0, contacts = 0;
};
Carried between(const Case& c, std::int64_t a, std::int64_t b) {
  std::vector<ContactRecord> records;
  c.integrator().contacts(c.system, records);
  double sum[2] = {0, 0};
  for (const ContactRecord& k : records)
    if (k.id_a == a && k.id_b == b) sum[0] += k.n.dot(k.P), sum[1] += 1;
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, c.system.comm());
  return {sum[0], sum[1]};
}

const std::string floor_wall = "walls:\n  - {type: plane, point: [0, 0, 0], normal: [0, 0, 1]}\n";

std::string body(const std::string& shape, const std::string& more) {
  return "nodes:\n  - {type: rigid_body, name: b, density: 1000, shape: {" + shape + "}, " + more + "}\n";
}

const char* const box = "type: box, size: [0.2, 0.3, 0.1]";

}  // namespace

BOOST_AUTO_TEST_SUITE(shapes)

BOOST_AUTO_TEST_CASE(mass_and_inertia_come_from_the_shape) {
  const auto c = case_of("time: {end: 1, step: 1.0e-3}\n" + body(box, "position: [0, 0, 1], orientation: [0.5, 0.5, 0.5, 0.5]"));
  for (std::int32_t i = 0; i < c->system.nodes.owned(); ++i) {
    const NodeData& node = c->system.nodes[i];
    BOOST_TEST(node.mass == 6., boost::test_tools::tolerance(1e-14));
    BOOST_TEST(node.inertia[0] == 6 * (0.09 + 0.01) / 12, boost::test_tools::tolerance(1e-14));
    BOOST_TEST(node.radius == 0.5 * std::sqrt(0.14), boost::test_tools::tolerance(1e-14));
  }
}

// A flat impact has no moment: the restitution law holds for the centre.
BOOST_AUTO_TEST_CASE(a_box_that_falls_flat_bounces) {
  const auto c = case_of("time: {end: 1, step: 1.0e-3}\ncontact: {restitution: 0.5}\nsolver: {type: gauss_seidel, tolerance: 1.0e-12, max_iterations: 10000}\n" + floor_wall +
                         body(box, "position: [0, 0, 0.06], velocity: [0, 0, -1]"));
  run(*c, 0.02);
  const NodeState s = c->state("b");
  BOOST_TEST(std::abs(s.u[2] - 0.5) < 1e-9);  // residual 1e-12, four redundant contacts
  for (const int k : {0, 1, 3, 4, 5}) BOOST_TEST(std::abs(s.u[k]) < 1e-9);
}

// A corner that meets the floor without friction and restitution: P = -v / (1/m + (r x n) Theta^-1 (r x n)).
BOOST_AUTO_TEST_CASE(a_box_that_falls_on_its_corner_turns) {
  const auto c = case_of("time: {end: 1, step: 1.0e-4}\nsolver: {type: gauss_seidel, tolerance: 1.0e-13}\n" + floor_wall +
                         body(box, "position: [0, 0, 0.2], velocity: [0, 0, -1], axis: [1, 2, 0.5], angle: 0.7"));
  const NodeState before = c->state("b");
  const Mat3 A = A_IK_of<double>(Quat(before.q[3], before.q[4], before.q[5], before.q[6]));
  Vec3 r = Vec3::Zero();  // the lowest corner
  for (int k = 0; k < 8; ++k) {
    const Vec3 corner = A * Vec3(k & 1 ? 0.1 : -0.1, k & 2 ? 0.15 : -0.15, k & 4 ? 0.05 : -0.05);
    if (corner[2] < r[2]) r = corner;
  }
  const Vec3 Theta(6 * 0.1 / 12, 6 * 0.05 / 12, 6 * 0.13 / 12), n = Vec3::UnitZ(), arm = A.transpose() * r.cross(n);
  const double P = 1 / (1. / 6 + arm.dot(arm.cwiseQuotient(Theta)));
  while (between(*c, 0, -1).contacts == 0 && c->system.t < 0.2) c->step();
  const NodeState after = c->state("b");
  BOOST_TEST(after.u[2] == -1 + P / 6, boost::test_tools::tolerance(1e-9));
  for (int i = 0; i < 3; ++i) BOOST_TEST(std::abs(after.u[3 + i] - P * arm[i] / Theta[i]) < 1e-9);
}

// On a slope of angle a > atan(mu) a box slides with g (sin a - mu cos a).
BOOST_AUTO_TEST_CASE(a_box_slides_down_a_slope) {
  const double a = 0.5, mu = 0.3, g = 10;
  const auto c = case_of("time: {end: 1, step: 1.0e-3}\nsolver: {type: gauss_seidel, tolerance: 1.0e-12, max_iterations: 20000}\ncontact: {friction: 0.3}\ngravity: [" +
                         std::to_string(g * std::sin(a)) + ", 0, " + std::to_string(-g * std::cos(a)) + "]\n" + floor_wall + body(box, "position: [0, 0, 0.05]"));
  run(*c, 0.2);
  const NodeState s = c->state("b");
  // Moreau's rule loses the contact for a step when the gap is positive by rounding: one step in 200 at most.
  BOOST_TEST(std::abs(s.u[0] - g * (std::sin(a) - mu * std::cos(a)) * 0.2) < 0.01 * s.u[0]);
  BOOST_TEST(std::abs(s.u[4]) < 1e-6);
}

BOOST_AUTO_TEST_CASE(a_stack_of_boxes_stands_and_carries_its_weight) {
  const auto c = stored_case("box_stack/stack.yaml");
  const NodeState start = c->state("b4");
  for (int k = 0; k < 300; ++k) BOOST_TEST_REQUIRE(c->step().solve.converged);
  const double weight = 4 * 10 * c->h;  // 4 kg each
  BOOST_TEST(std::abs(between(*c, 0, -1).normal / (5 * weight) - 1) < 1e-6);
  for (int k = 0; k < 4; ++k) {
    const Carried carried = between(*c, k, k + 1);
    BOOST_TEST(carried.contacts >= 3);
    BOOST_TEST(carried.contacts <= 4);
    BOOST_TEST(std::abs(carried.normal / ((4 - k) * weight) - 1) < 1e-6);
  }
  const NodeState end = c->state("b4");
  for (int i = 0; i < 3; ++i) BOOST_TEST(std::abs(end.q[i] - start.q[i]) < 1e-6);
}

BOOST_AUTO_TEST_CASE(all_solvers_agree_on_the_stack) {
  for (const std::string solver : {"type: hybrid", "type: projected_jacobi, max_iterations: 200000", "type: iterative_projection, max_iterations: 200000"}) {
    BOOST_TEST_CONTEXT(solver) {
      const auto c = stored_case("box_stack/stack.yaml", {"solver={" + solver + ", tolerance: 1.0e-7}"});
      for (int k = 0; k < 3; ++k) BOOST_TEST(c->step().solve.converged);
      for (int k = 0; k < 4; ++k) BOOST_TEST(std::abs(between(*c, k, k + 1).normal / ((4 - k) * 40 * c->h) - 1) < 1e-4);
    }
  }
}

// Methods on position level: the box comes to rest without penetration.
BOOST_AUTO_TEST_CASE(a_box_comes_to_rest_with_radau, *boost::unit_test::precondition(at_most_two_ranks)) {
  const auto c = case_of("time: {end: 1, step: 2.0e-3}\ngravity: [0, 0, -10]\ncontact: {friction: 0.3}\nintegrator: {type: radau_iia, stages: 2}\nsolver: {type: hybrid, tolerance: 1.0e-10}\n" +
                         floor_wall + body(box, "position: [0, 0, 0.052], velocity: [0.05, 0, 0]"));
  double deepest = 0;
  run(*c, 0.1, [&](const StepReport& r) { deepest = std::max(deepest, r.penetration); });
  BOOST_TEST(deepest < 1e-9);
  const NodeState s = c->state("b");
  BOOST_TEST(std::abs(s.q[2] - 0.05) < 1e-8);
  for (const double u : s.u) BOOST_TEST(std::abs(u) < 1e-7);
}

BOOST_AUTO_TEST_CASE(bad_shapes_are_input_errors) {
  const auto make = [&](const std::string& shape) { case_of("time: {end: 1, step: 1.0e-3}\n" + body(shape, "position: [0, 0, 1]")); };
  BOOST_CHECK_THROW(make("type: polyhedron, vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]"), InputError);                        // flat
  BOOST_CHECK_THROW(make("type: polyhedron, vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 0.1, 0.1]"), InputError);         // one inside
  BOOST_CHECK_THROW(make("type: polyhedron"), InputError);
  BOOST_CHECK_THROW(make("type: clump, centres: [0, 0, 0, 1, 0, 0], radii: [1, 1, 1]"), InputError);
}

BOOST_AUTO_TEST_SUITE_END()

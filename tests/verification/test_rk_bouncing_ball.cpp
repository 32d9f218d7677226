// B2: one-dimensional bouncing ball in two large steps (Breuling Ex. 4.12, 4.13, 5.2).
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "verification/rk_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

constexpr double h = 3;

std::unique_ptr<Case> ball(const Method& method, double y_0, double e_N = 0) {
  return rk_case("bouncing_ball/bouncing_ball.yaml", method + ", atol: 1.0e-13, rtol: 1.0e-13",
                 {"nodes[0].position=[" + std::to_string(y_0) + "]", "contributions[1].e_N=" + std::to_string(e_N)});
}

struct TwoSteps {
  double u_1, y_2, u_2;
};

/// Naive two-stage Radau IIA with m = g = 1, u_n = -1: u_{n+1} = u_n - h + z_2 with z of (4.91), (4.93), then the same with z of
/// (4.97)-(4.102), y_{n+2} = w_2.
TwoSteps naive(double y) {
  const bool closes_at_both_stages = y <= h * h / 6 + h / 2;  // case 1, else case 3
  if (closes_at_both_stages) {
    const double u_1 = -1 - h + (2 * y / h + h + 1);
    if (y <= h * h / 6) return {u_1, 0, u_1 - h + (h - 2 * y / h)};                  // 1.1
    if (y <= h * h / 4) return {u_1, 0, u_1 - h + (2 * h * h - 8 * y) / h};          // 1.3
    return {u_1, (4 * y - h * h) / 2, u_1 - h};                                      // 1.4
  }
  const double u_1 = -1 - h + (4 * h + 2 * h * h - 4 * y) / h;
  if (y >= h * h / 6 + 0.75 * h) return {u_1, 0, u_1 - h + (4 * y - 3 * h) / h};     // 3.1
  if (y >= h * h / 8 + 0.75 * h) return {u_1, 0, u_1 - h + (16 * y - 12 * h - 2 * h * h) / h};  // 3.3
  return {u_1, (h * h + 6 * h - 8 * y) / 2, u_1 - h};                                // 3.4
}

// Two heights inside each of the intervals of cases 1.1, 1.3, 1.4, 3.4, 3.3, 3.1 (h = 3: limits 1.5, 2.25, 3, 3.375, 3.75, 7.5).
const std::vector<double> heights = {0.5, 1.25, 1.75, 2, 2.5, 2.75, 3.125, 3.25, 3.5, 3.625, 4, 6.5};

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_bouncing_ball, *boost::unit_test::precondition(at_most_two_ranks))

BOOST_DATA_TEST_CASE(naive_scheme_realises_the_cases_of_the_complementarity_problem, data::make(heights), y_0) {
  const auto c = ball(radau_2 + ", projection: false", y_0);
  const TwoSteps expected = naive(y_0);
  BOOST_TEST(c->step().solve.converged);
  NodeState s = c->state("ball");
  BOOST_TEST(std::abs(s.q[0]) < 1e-10);  // contact at the end of the first step in all cases
  BOOST_TEST(std::abs(s.u[0] - expected.u_1) < 1e-10);
  BOOST_TEST(c->step().solve.converged);
  s = c->state("ball");
  BOOST_TEST(std::abs(s.q[0] - expected.y_2) < 1e-10);
  BOOST_TEST(std::abs(s.u[0] - expected.u_2) < 1e-10);
}

// (4.85)-(4.88): backward Euler is inelastic over two steps.
BOOST_DATA_TEST_CASE(naive_single_stage_is_inelastic_over_two_steps, data::make(heights), y_0) {
  const auto c = ball(radau_1 + ", projection: false", y_0);
  c->step();
  BOOST_TEST(std::abs(c->state("ball").q[0]) < 1e-10);
  BOOST_TEST(std::abs(c->state("ball").u[0] + y_0 / h) < 1e-10);
  c->step();
  BOOST_TEST(std::abs(c->state("ball").q[0]) < 1e-10);
  BOOST_TEST(std::abs(c->state("ball").u[0]) < 1e-10);
}

// The velocity level uses the velocities at both ends of the step: u_1 = -e_N u_0, at all heights that end in contact.
BOOST_DATA_TEST_CASE(impact_law_is_realised, data::make(runge_kutta_methods) * data::make({0., 0.5, 1.}), method, e_N) {
  if (!runs_here(method)) return;
  int impacts = 0;
  for (const double y_0 : heights) {
    const auto c = ball(method, y_0, e_N);
    BOOST_TEST(c->step().solve.converged);
    const NodeState one = c->state("ball");
    BOOST_TEST(one.q[0] > -1e-10);
    if (one.q[0] > 1e-10) continue;  // the last stage is open, see below
    ++impacts;
    BOOST_TEST(std::abs(one.u[0] - e_N) < 1e-10, method << ", y_0 = " << y_0 << ": u_1 = " << one.u[0]);
    if (e_N > 0) continue;
    c->step();
    BOOST_TEST(std::abs(c->state("ball").q[0]) < 1e-10);
    BOOST_TEST(std::abs(c->state("ball").u[0]) < 1e-10);
  }
  if (method == pair_4) BOOST_TEST(impacts >= 8);
  else BOOST_TEST(impacts == 12);
}

// The usual regime, g h small against u, with the impact anywhere in the step: the law is realised in this step.
// Not so for the pair with four stages. From y_n < 0.276 h |u_n| on, stages 2 and 3 close and the last one opens with
// y_{n+1} = 0.146 y_n, so that the contact is not in A_{n+1} and (5.33) leaves u as it was; steps later it still touches.
BOOST_DATA_TEST_CASE(impact_anywhere_in_a_step, data::make(runge_kutta_methods), method) {
  if (method == pair_4 || !runs_here(method)) return;
  for (int k = 0; k <= 40; ++k) {
    char position[60];
    std::snprintf(position, sizeof position, "nodes[0].position=[%.17g]", k == 40 ? 1e-16 : 1e-3 * k / 40);
    const auto c = rk_case("bouncing_ball/bouncing_ball.yaml", method, {position, "contributions[1].e_N=0.5", "time.step=0.001"});
    BOOST_TEST(c->step().solve.converged);
    BOOST_TEST(std::abs(c->state("ball").q[0]) < 1e-12, method << ", " << position);
    BOOST_TEST(std::abs(c->state("ball").u[0] - 0.5) < 1e-10, method << ", " << position << ": u = " << c->state("ball").u[0]);
  }
}

BOOST_AUTO_TEST_SUITE_END()

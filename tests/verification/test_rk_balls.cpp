// B3-B5: one ball with the Runge-Kutta families: impacts, slip, stick and rolling against closed forms (Breuling 7.1-7.3).
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "verification/rk_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

const std::vector<Method> methods = {radau_1, radau_2, pair_2};
constexpr double g = 10, h = 0.01, y_0 = 1, R = 0.1, mu = 0.2;
const double t_1 = std::sqrt(2 * (y_0 - R) / g);  ///< time of the first impact

struct Impact {
  std::vector<double> P;
  NodeState before;
};

/// The first step that ends in contact.
Impact first_impact(Case& c, double end) {
  for (int k = steps_until(c, end); k > 0; --k) {
    const NodeState before = c.state("ball");
    BOOST_TEST(c.step().solve.converged);
    const std::vector<double> P = c.percussion(0);
    if (!P.empty() && P[0] > 0) return {P, before};
  }
  return {};
}

/// Overrides that start the same fall later, so that a step begins 1e-10 s before the impact.
std::vector<std::string> impact_on_the_grid() {
  const double tau = t_1 - 42 * h - 1e-10;
  char position[80], velocity[80];
  std::snprintf(position, sizeof position, "nodes[0].position=[0,%.17g]", y_0 - 0.5 * g * tau * tau);
  std::snprintf(velocity, sizeof velocity, "nodes[0].velocity=[0,%.17g]", -g * tau);
  return {position, velocity};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_balls, *boost::unit_test::precondition(at_most_two_ranks))

BOOST_DATA_TEST_CASE(bouncing_ball_passes_the_zeno_point, data::make(methods), method) {
  const auto c = rk_case("rotating_ball/case_1.yaml", method);
  double lowest = 1, top = 0, u_before = 0, rest = 0;
  int impacts = 0;
  run(*c, 2., [&](const StepReport&) {
    const NodeState ball = c->state("ball");
    lowest = std::min(lowest, ball.q[1] - R);
    if (u_before < -0.1 && ball.u[1] > 0) {
      ++impacts;
      BOOST_TEST(std::abs(ball.u[1] + 0.5 * u_before) < 1e-9);  // Newton's law between the ends of the step
    }
    if (impacts == 1) top = std::max(top, ball.q[1] - R);
    if (std::abs(ball.u[1]) > g * h) rest = c->system.t;
    u_before = ball.u[1];
  });
  const NodeState ball = c->state("ball");
  BOOST_TEST_MESSAGE(method << ": lowest gap " << lowest << ", " << impacts << " impacts, first top " << top << ", moves until " << rest);
  BOOST_TEST(lowest >= -1e-8);
  BOOST_TEST(impacts >= 4);
  BOOST_TEST(std::abs(ball.u[1]) < 1e-9);
  BOOST_TEST(std::abs(ball.q[1] - R) < 1e-9);
  // Exact: 0.9 e_N^2 = 0.225. The velocity that the impact law sees is that of the last grid point, up to g h less (backward
  // Euler falls as if it had started h/2 earlier: 1.5 g h), and backward Euler rises less by g h t / 2.
  const bool euler = method == radau_1;
  const double u_plus = 0.5 * (g * t_1 - (euler ? 1.5 : 1.) * g * h);
  BOOST_TEST(top < 0.225 + 1e-9);
  BOOST_TEST(top > u_plus * u_plus / (2 * g) - (euler ? 0.5 * h * u_plus : 0.) - g * h * h / 8);  // the top lies between grid points
  // Exact: t_1 (1 + 2 e_N / (1 - e_N)) = 1.27. Each impact is met up to h early and with g h less, which shortens all flights
  // after it by 2 e_N h / (1 - e_N) = 2 h: 3 h for each of six impacts, and 4 h for the flights that begin below g h.
  BOOST_TEST(rest < 3 * t_1 + h);
  BOOST_TEST(rest > 3 * t_1 - 22 * h);
}

// The momentum of the step of the impact: P_N = m (g h - u_n), with -u_n up to g h below the velocity of the impact (backward
// Euler: another h/2 early).
BOOST_DATA_TEST_CASE(impact_percussion_while_sliding, data::make(methods), method) {
  const auto c = rk_case("rotating_ball/case_2.yaml", method);
  const Impact impact = first_impact(*c, 1.);
  BOOST_TEST_REQUIRE(impact.P.size() == 2u);
  BOOST_TEST(std::abs(impact.P[0] - (g * h - impact.before.u[1])) < 1e-10);
  BOOST_TEST(std::abs(impact.P[0] - 4.3426) < (method == radau_1 ? 1.5 : 1.) * g * h);
  BOOST_TEST(std::abs(std::abs(impact.P[1]) - mu * impact.P[0]) < 1e-10);
  bool sticks = false;
  run(*c, 1., [&](const StepReport&) {
    const auto P = c->percussion(0);
    BOOST_TEST_REQUIRE(P.size() == 2u);
    BOOST_TEST(std::abs(P[0] - g * h) < 1e-10);
    // Sliding with mu m g until it rolls; then la_T is zero. One step in between has both.
    if (sticks) BOOST_TEST(std::abs(P[1]) < 1e-10);
    const NodeState ball = c->state("ball");
    const bool rolls = std::abs(ball.u[0] + R * ball.u[2]) < 1e-10;
    if (!rolls) BOOST_TEST(std::abs(std::abs(P[1]) - mu * g * h) < 1e-10);
    sticks = rolls;
  });
  BOOST_TEST(sticks);
  BOOST_TEST(std::abs(c->state("ball").u[2] - 50. * 2 / 7) < 1e-9);  // momentum balance, whatever happened in between
}

// An impact on the grid: no part of a step is lost, and the percussions are those of the text. Free flight is exact for the
// methods of order 2 and more.
BOOST_DATA_TEST_CASE(impact_percussions_of_an_impact_on_the_grid, data::make({radau_2, radau_3, pair_2, pair_3}), method) {
  const auto sliding = rk_case("rotating_ball/case_2.yaml", method, impact_on_the_grid());
  const Impact slides = first_impact(*sliding, 1.);
  BOOST_TEST_REQUIRE(slides.P.size() == 2u);
  BOOST_TEST(std::abs(slides.P[0] - (t_1 * g + g * h)) < 1e-8);  // 1e-10 s of gravity, and 4.3426 to its digits
  BOOST_TEST(std::abs(slides.P[0] - 4.3426) < 1e-4);
  BOOST_TEST(std::abs(std::abs(slides.P[1]) - 0.8685) < 1e-4);
  const auto sticking = rk_case("rotating_ball/case_3.yaml", method, impact_on_the_grid());
  const Impact sticks = first_impact(*sticking, 1.);
  BOOST_TEST_REQUIRE(sticks.P.size() == 2u);
  BOOST_TEST(std::abs(sticks.P[0] - 4.3426) < 1e-4);
  BOOST_TEST(std::abs(sticks.P[1] + 2. / 7) < 1e-9);
}

BOOST_DATA_TEST_CASE(impact_percussion_while_sticking, data::make(methods), method) {
  const auto c = rk_case("rotating_ball/case_3.yaml", method);
  const Impact impact = first_impact(*c, 1.);
  BOOST_TEST_REQUIRE(impact.P.size() == 2u);
  BOOST_TEST(std::abs(impact.P[1] + 2. / 7) < 1e-10);  // -2/7 m R omega
  run(*c, 1., [&](const StepReport&) {
    BOOST_TEST_REQUIRE(c->percussion(0).size() == 2u);
    BOOST_TEST(std::abs(c->percussion(0)[1]) < 1e-10);
  });
  BOOST_TEST(std::abs(c->state("ball").u[2] - 10. * 2 / 7) < 1e-9);
}

// Breuling 7.2, closed form as derived for the Moreau family in test_balls.cpp. t_1 = 0.4 is a grid point of h = 0.1; the rest
// at t_2 = 2.08 falls into a step.
BOOST_DATA_TEST_CASE(rolling_ball_follows_the_closed_form, data::make(methods), method) {
  const double m = 1, Theta = 0.004, mu_T = 0.1, mu_R = 0.005, v_0 = 1, w_0 = -1;
  const double a_phi_0 = (mu_R - R * mu_T) * m * g / Theta, a_x_0 = -mu_T * g, t_roll = (v_0 + R * w_0) / (mu_T * g - R * a_phi_0);
  const double a_phi_1 = mu_R * m * g / (Theta + m * R * R), u_x_1 = v_0 + a_x_0 * t_roll, u_phi_1 = w_0 + a_phi_0 * t_roll;
  const double t_rest = t_roll - u_phi_1 / a_phi_1, x_1 = v_0 * t_roll + 0.5 * a_x_0 * t_roll * t_roll;
  const auto c = rk_case("rolling_ball/rolling_ball.yaml", method);
  run(*c, 3., [&](const StepReport&) {
    const double t = c->system.t, s = std::min(t, t_rest) - t_roll;
    const NodeState ball = c->state("ball");
    const double u_phi = t < t_roll ? w_0 + a_phi_0 * t : std::min(0., u_phi_1 + a_phi_1 * (t - t_roll));
    const double u_x = t < t_roll ? v_0 + a_x_0 * t : -R * u_phi;
    const double x = t < t_roll ? v_0 * t + 0.5 * a_x_0 * t * t : x_1 + u_x_1 * s - 0.5 * R * a_phi_1 * s * s;
    BOOST_TEST(std::abs(ball.u[0] - u_x) < 1e-10);  // solver tolerance; R = 0.1
    BOOST_TEST(std::abs(ball.u[2] - u_phi) < 1e-9);
    // Positions: exact for piecewise linear velocities with kinks on the grid, but backward Euler, whose sum h u_n lags by
    // h/2 (v_0 - u). In the step across t_rest the velocity lies between zero and its start, R a_phi (t_rest - 2) <= R a_phi h.
    const double lag = method == radau_1 ? -0.5 * c->h * (v_0 - u_x) : 0.;
    BOOST_TEST(std::abs(ball.q[0] - x - lag) < (t < t_rest ? 1e-10 : R * a_phi_1 * c->h * c->h));
  });
}

// Breuling 7.3: contact on position level keeps the ball out of the curved wall, contact on velocity level does not.
BOOST_DATA_TEST_CASE(no_penetration_of_the_hollow_body, data::make({"sphere", "cylinder"}) * data::make(methods), shape, method) {
  const std::string file = "ball_in_hollow_sphere/" + std::string(shape) + ".yaml";
  const auto c = rk_case(file, method), moreau = rk_case(file, "type: moreau");
  const auto gap = [](const Case& k) {
    const NodeState ball = k.state("ball");
    return 0.9 - std::hypot(ball.q[0], ball.q[1]);
  };
  double lowest = 1, lowest_moreau = 1;
  bool touched = false;
  run(*c, 2., [&](const StepReport&) { lowest = std::min(lowest, gap(*c)), touched |= gap(*c) < 1e-8; });
  run(*moreau, 2., [&](const StepReport&) { lowest_moreau = std::min(lowest_moreau, gap(*moreau)); });
  BOOST_TEST_MESSAGE(shape << ", " << method << ": lowest gap " << lowest << ", Moreau " << lowest_moreau);
  BOOST_TEST(touched);
  BOOST_TEST(lowest >= -1e-8);
  BOOST_TEST(lowest_moreau < -1e-4);
}

BOOST_AUTO_TEST_SUITE_END()

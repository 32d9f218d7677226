// B7: stiff elastic pendulum with a wall (Breuling 7.5): steps that the methods can take with a stiff force.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>

#include "verification/rk_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

const char* const file = "elastic_pendulum/elastic_pendulum.yaml";

std::unique_ptr<Case> pendulum(const Method& method, double h) {
  char step[40];
  std::snprintf(step, sizeof step, "time.step=%.17g", h);
  return rk_case(file, method, {step});
}

/// Whether the energy stays within a thousandth of m g L = 10 J of its start on the first 0.2 s, on the way down.
bool stable(const Method& method, double h) {
  const auto c = pendulum(method, h);
  const double E_0 = total_energy(*c);
  for (int k = steps_until(*c, 0.2); k > 0; --k)
    if (!c->step().solve.converged || !(total_energy(*c) - E_0 < 0.01)) return false;
  return true;
}

/// Largest h = 0.01 / 2^k that is stable.
double largest_stable_step(const Method& method) {
  for (double h = 0.01; h > 5e-5; h /= 2)
    if (stable(method, h)) return h;
  return 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_stiff_pendulum, *boost::unit_test::precondition(at_most_two_ranks))

BOOST_AUTO_TEST_CASE(largest_stable_steps, *boost::unit_test::precondition(on_one_rank)) {
  std::map<Method, double> h;
  for (const Method& method : runge_kutta_methods) {
    h[method] = largest_stable_step(method);
    BOOST_TEST_MESSAGE(method << ": stable up to h = " << h[method]);
  }
  // Implicit methods are stable at the step of the input. The pair is explicit in the force: RATTLE needs h sqrt(c/m) <= 2, that is
  // h <= 2e-4, and more stages change it by a factor of two at most.
  for (const Method& method : {radau_1, radau_2, radau_3, lobatto_2, lobatto_3, sdirk_2, sdirk_3, tr_bdf2_0, trx2_0, tr_theta_0})
    BOOST_TEST(h[method] == 0.01, method << ": " << h[method]);
  BOOST_TEST(h[pair_2] <= 2e-4);
  for (const Method& method : {pair_2, pair_3, pair_4}) {
    BOOST_TEST(h[method] >= 1e-4);
    BOOST_TEST(h[method] < 1e-3);
    BOOST_TEST(stable(method, 1e-4));  // the step of the thesis
  }
  BOOST_TEST(!stable(pair_2, 0.01));
}

// Impacts at t = K(1/sqrt 2) / sqrt(g/L) = 0.58630 with sqrt(2 g L) and at 1.6133 (Moreau's rule, h = 1e-4) with half of it. An
// impact is seen at the end of its step, with the velocity at its beginning: u_x is stationary there, (u_n - u)/u = (g h / u)^2/2.
// Not here: radau_1 and SDIRK, which damp the swing (order 1, 6 and 2 percent of u); lobatto_iiic, s = 2, whose Newton
// iteration leaves for another root of the stage equations at h = 0.01; pair_4, see test_rk_bouncing_ball.cpp.
BOOST_DATA_TEST_CASE(impacts, data::make({radau_2, radau_3, lobatto_3, tr_bdf2_0, trx2_0, tr_theta_0, pair_2, pair_3}), method) {
  if (ranks() > 1 && method != radau_2) return;  // the pair takes 20,000 steps
  const double h = method.find("iiia") == std::string::npos ? 0.01 : 1e-4;
  const auto c = pendulum(method, h);
  std::vector<double> times, speeds;
  double before = 0, stretch = 0;
  run(*c, 2., [&](const StepReport& report) {
    const NodeState s = c->state("mass");
    BOOST_TEST(report.penetration <= 1e-8);
    stretch = std::max(stretch, std::abs(std::hypot(s.q[0], s.q[1]) - 1));
    if (before < 0 && s.u[0] > 0) {
      times.push_back(c->system.t), speeds.push_back(-before);
      BOOST_TEST(std::abs(s.u[0] + 0.5 * before) < 1e-8);
    }
    before = s.u[0];
  });
  BOOST_TEST_REQUIRE(times.size() == 2u);
  BOOST_TEST_MESSAGE(method << ": impacts at " << times[0] << " with " << speeds[0] << ", at " << times[1] << " with " << speeds[1] << ", stretch " << stretch);
  const double exact[2] = {0.58630, 1.6133}, u[2] = {std::sqrt(20.), std::sqrt(5.)};
  for (const int k : {0, 1}) {
    BOOST_TEST(times[k] > exact[k] - 1e-4);
    BOOST_TEST(times[k] < exact[k] + (1 + k) * h + 1e-4);  // late by a step at most, and the second inherits from the first
    BOOST_TEST(std::abs(speeds[k] / u[k] - 1) < 2e-3);     // (g h / u)^2 / 2 = 1e-3 at h = 0.01 and the slower impact
  }
  BOOST_TEST(stretch < 1e-5);  // 3 m g / c = 3e-7 at the bottom; oscillations of the spring are damped or small
}

BOOST_AUTO_TEST_SUITE_END()

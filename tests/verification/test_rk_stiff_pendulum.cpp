// B7: stiff elastic pendulum with a wall (Breuling 7.5): what the methods can do with a stiff force.
#include <boost/test/unit_test.hpp>

#include "verification/rk_case.hpp"

using namespace percussion;

namespace {

const char* const file = "elastic_pendulum/elastic_pendulum.yaml";

/// No energy is fed in (m g L = 10 J at the start): in 200 steps, and 0.2 s, no more than a thousandth of it. On the way down, before the wall.
bool stable(const Method& method, double h) {
  char step[40];
  std::snprintf(step, sizeof step, "time.step=%.17g", h);
  const auto c = rk_case(file, method, {step});
  const double E_0 = total_energy(*c);
  for (int k = std::min(2000, std::max(20, steps_until(*c, 0.2))); k > 0; --k) {
    if (!c->step().solve.converged) return false;
    const double E = total_energy(*c) - E_0;
    if (!(E < 0.01)) return false;
  }
  return true;
}

/// Largest h = 0.02 / 2^k that is stable.
double largest_stable_step(const Method& method) {
  for (double h = 0.02; h > 2e-5; h /= 2)
    if (stable(method, h)) return h;
  return 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_stiff_pendulum, *boost::unit_test::precondition(at_most_two_ranks))

BOOST_AUTO_TEST_CASE(largest_stable_steps) {
  for (const Method& method : runge_kutta_methods) BOOST_TEST_MESSAGE(method << ": stable up to h = " << largest_stable_step(method));
}

BOOST_AUTO_TEST_CASE(impacts_of_the_stiff_pendulum) {
  for (const Method& method : runge_kutta_methods) {
    const auto c = rk_case(file, method, {method.find("iiia") == std::string::npos ? "time.step=0.01" : "time.step=1e-4"});
    double before = 0, hit = 0, lowest = 1, stretch = 0;
    for (int k = steps_until(*c, 2.); k > 0; --k) {
      const auto report = c->step();
      if (!report.solve.converged) BOOST_TEST_MESSAGE("  not converged " << c->system.t << " " << report.solve.residual);
      const NodeState s = c->state("mass");
      lowest = std::min(lowest, s.q[0]);
      stretch = std::max(stretch, std::abs(std::hypot(s.q[0], s.q[1]) - 1));
      if (before < 0 && s.u[0] > 0) BOOST_TEST_MESSAGE("   impact " << c->system.t << " " << before << " -> " << s.u[0]), hit = c->system.t;
      before = s.u[0];
    }
    BOOST_TEST_MESSAGE(method << " lowest " << lowest << " last hit " << hit << " stretch " << stretch << " E " << total_energy(*c));
  }
}

BOOST_AUTO_TEST_SUITE_END()

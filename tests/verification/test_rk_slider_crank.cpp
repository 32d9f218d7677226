// B8: slider-crank with clearance, six bilateral constraints and four frictional corners (Breuling 7.6).
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "verification/rk_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

constexpr double l_1 = 0.153, l_2 = 0.306, a = 0.05, b = 0.025, d = 0.052;

struct Levels {
  double g = 0, g_dot = 0, gap = 1;
};

/// (7.19) and its rate, (7.20).
Levels levels(const Case& c) {
  const NodeState x = c.state("crank"), y = c.state("rod"), z = c.state("slider");
  const double C1 = std::cos(x.q[2]), S1 = std::sin(x.q[2]), C2 = std::cos(y.q[2]), S2 = std::sin(y.q[2]), C3 = std::cos(z.q[2]), S3 = std::sin(z.q[2]);
  const double g[6] = {x.q[0] - l_1 / 2 * C1, x.q[1] - l_1 / 2 * S1, x.q[0] + l_1 / 2 * C1 - y.q[0] + l_2 / 2 * C2,
                       x.q[1] + l_1 / 2 * S1 - y.q[1] + l_2 / 2 * S2, y.q[0] + l_2 / 2 * C2 - z.q[0], y.q[1] + l_2 / 2 * S2 - z.q[1]};
  const double v[6] = {x.u[0] + l_1 / 2 * S1 * x.u[2], x.u[1] - l_1 / 2 * C1 * x.u[2], x.u[0] - l_1 / 2 * S1 * x.u[2] - y.u[0] - l_2 / 2 * S2 * y.u[2],
                       x.u[1] + l_1 / 2 * C1 * x.u[2] - y.u[1] + l_2 / 2 * C2 * y.u[2], y.u[0] - l_2 / 2 * S2 * y.u[2] - z.u[0],
                       y.u[1] + l_2 / 2 * C2 * y.u[2] - z.u[1]};
  Levels r;
  for (int k = 0; k < 6; ++k) r.g = std::max(r.g, std::abs(g[k])), r.g_dot = std::max(r.g_dot, std::abs(v[k]));
  for (const double sa : {-a, a})
    for (const double sb : {-b, b}) r.gap = std::min(r.gap, d / 2 - std::abs(z.q[1] + sa * S3 + sb * C3));
  return r;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_slider_crank, *boost::unit_test::precondition(at_most_two_ranks))

BOOST_DATA_TEST_CASE(constraints_contacts_and_orientation, data::make({radau_2, pair_2}), method) {
  const double end = ranks() == 1 ? 0.1 : 0.03;
  const auto c = rk_case("slider_crank/contacts.yaml", method);
  double g = 0, g_dot = 0, gap = 1, angle = 0, rate = 0, late_rate = 0;
  const double E_0 = total_energy(*c);
  int impacts = 0;
  run(*c, end, [&](const StepReport& report) {
    const Levels now = levels(*c);
    g = std::max(g, now.g), g_dot = std::max(g_dot, now.g_dot), gap = std::min(gap, now.gap);
    const NodeState slider = c->state("slider");
    if (c->system.t > 0.01) angle = std::max(angle, std::abs(slider.q[2])), rate = std::max(rate, std::abs(slider.u[2]));
    if (c->system.t > 0.02) late_rate = std::max(late_rate, std::abs(slider.u[2]));
    impacts += report.contacts > 0;
  });
  BOOST_TEST_MESSAGE(method << ": |g| " << g << ", |g'| " << g_dot << ", gap >= " << gap << ", after 0.01: |phi_3| " << angle << ", |u_phi_3| "
                            << rate << ", after 0.02: " << late_rate << ", energy " << total_energy(*c) / E_0);
  BOOST_TEST(g < 1e-10);      // Newton tolerance 1e-10 on velocities of 20 m/s, times h
  BOOST_TEST(g_dot < 1e-10);  // solver tolerance 1e-12, velocities of 20 m/s
  BOOST_TEST(gap >= -1e-8);
  BOOST_TEST(impacts > 100);
  // The slider starts with phi_3 = 0.017 and turns with up to 17 rad/s; then it is guided by two corners.
  BOOST_TEST(angle < 1e-8);
  BOOST_TEST(rate < 1e-3);  // the last bounces halve it in every step
  BOOST_TEST(late_rate < 1e-8);
  BOOST_TEST(total_energy(*c) < E_0);
  BOOST_TEST(total_energy(*c) > 0.9 * E_0);  // friction of mu = 0.01 and the first impacts
}

// Bodies and contacts on two ranks and on one: the same motion. Impacts do not amplify rounding here, as all corners end closed.
BOOST_DATA_TEST_CASE(ranks_agree, data::make({radau_2, pair_2}), method) {
  const std::vector<std::string> overrides = {"integrator={" + method + "}", "solver={type: hybrid, tolerance: 1.0e-12}"};
  const auto together = stored_case("slider_crank/contacts.yaml", overrides), alone = stored_case("slider_crank/contacts.yaml", overrides, MPI_COMM_SELF);
  double difference = 0;
  for (int k = steps_until(*together, 0.03); k > 0; --k) {
    together->step(), alone->step();
    for (const char* name : {"crank", "rod", "slider"}) {
      const NodeState x = together->state(name), y = alone->state(name);
      for (int i = 0; i < 3; ++i) difference = std::max({difference, std::abs(x.q[i] - y.q[i]), 1e-2 * std::abs(x.u[i] - y.u[i])});
    }
  }
  BOOST_TEST_MESSAGE(method << ": ranks differ by " << difference);
  BOOST_TEST(difference < 1e-8);  // velocities of 100 rad/s count a hundredth
}

BOOST_AUTO_TEST_SUITE_END()

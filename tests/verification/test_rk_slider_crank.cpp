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

BOOST_DATA_TEST_CASE(constraints_contacts_and_orientation, data::make({radau_2, pair_2, radau_1, pair_3, radau_3, lobatto_2, sdirk_2, tr_bdf2_0}), method) {
  const auto c = rk_case("slider_crank/contacts.yaml", method);
  Levels worst;
  double angle[10] = {0,0,0,0,0,0,0,0,0,0}, rate[10] = {0,0,0,0,0,0,0,0,0,0};
  int failed = 0;
  const double E_0 = total_energy(*c);
  for (int k = steps_until(*c, 0.1); k > 0; --k) {
    failed += !c->step().solve.converged;
    const Levels now = levels(*c);
    worst = {std::max(worst.g, now.g), std::max(worst.g_dot, now.g_dot), std::min(worst.gap, now.gap)};
    const int i = std::min(9, static_cast<int>(c->system.t / 0.01));
    angle[i] = std::max(angle[i], std::abs(c->state("slider").q[2])), rate[i] = std::max(rate[i], std::abs(c->state("slider").u[2]));
  }
  BOOST_TEST_MESSAGE(method << ": |g| " << worst.g << ", |g'| " << worst.g_dot << ", lowest gap " << worst.gap << " failed " << failed << " E " << total_energy(*c)/E_0);
  for (int i = 0; i < 10; ++i) BOOST_TEST_MESSAGE("  from " << 0.01 * i << ": |phi_3| " << angle[i] << ", |u_phi_3| " << rate[i]);
}

BOOST_AUTO_TEST_SUITE_END()

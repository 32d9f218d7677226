// B6: period of the stick-slip orbit with RATTLE (Breuling 7.4).
#include <boost/test/unit_test.hpp>

#include "verification/rk_case.hpp"

using namespace percussion;

namespace {

/// Time between two passages of x = 3 towards the left, each from the cubic through the positions and velocities at both ends
/// of its step, so that the grid does not limit it. The first lies in the slip phase after a start shortly before a release.
double period(const Method& method, double h) {
  const auto c = rk_case("block_on_belt/block_on_belt.yaml", method, {"time.step=" + std::to_string(h), "nodes[0].position=[4.5,0]"});
  std::vector<double> passages;
  NodeState a = c->state("block");
  int sticks = 0;
  run(*c, 50., [&](const StepReport&) {
    const NodeState b = c->state("block");
    sticks += std::abs(b.u[0] - 0.2) < 1e-9;
    if (a.q[0] > 3 && b.q[0] <= 3) {
      double lower = 0, upper = 1;
      for (int k = 0; k < 60; ++k) {
        const double s = 0.5 * (lower + upper), r = 1 - s;
        const double x = r * r * (1 + 2 * s) * a.q[0] + s * s * (3 - 2 * s) * b.q[0] + h * s * r * (r * a.u[0] - s * b.u[0]);
        (x > 3 ? lower : upper) = s;
      }
      passages.push_back(c->system.t - h + lower * h);
    }
    a = b;
  });
  BOOST_TEST(sticks > 0);
  BOOST_TEST_REQUIRE(passages.size() >= 3u);
  BOOST_TEST(std::abs((passages[2] - passages[1]) - (passages[1] - passages[0])) < h);  // periodic, releases are met within h
  BOOST_TEST_MESSAGE(method << ", h = " << h << ": period " << passages[1] - passages[0] << ", " << passages[2] - passages[1]);
  return 0.5 * (passages[2] - passages[0]);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_belt, *boost::unit_test::precondition(on_one_rank))

BOOST_AUTO_TEST_CASE(period_converges) {
  const double T[4] = {period(pair_2, 0.04), period(pair_2, 0.02), period(pair_2, 0.01), period(pair_2, 0.005)};
  const double d[3] = {std::abs(T[0] - T[1]), std::abs(T[1] - T[2]), std::abs(T[2] - T[3])};
  BOOST_TEST_MESSAGE("differences of the period " << d[0] << ", " << d[1] << ", " << d[2]);
  BOOST_TEST(d[1] < d[0]);
  BOOST_TEST(d[2] < d[1]);
}

BOOST_AUTO_TEST_SUITE_END()

// B11: Painleve rod: a contact force that grows without bound before take-off (Breuling 7.8).
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "verification/rk_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

struct Slide {
  std::vector<double> P;       ///< normal percussion of each step
  std::vector<double> closed;  ///< h la_N of the closed form at the middle of the step
  double lowest = 1;           ///< gap
  std::size_t first_opening = 0;  ///< first step without contact
};

Slide slide(const Method& method) {
  const auto c = rk_case("painleve_rod/painleve_rod.yaml", method);
  Slide r;
  NodeState a = c->state("rod");
  run(*c, 1.5, [&](const StepReport&) {
    const NodeState b = c->state("rod");
    const std::vector<double> P = c->percussion(0);
    r.P.push_back(P.empty() ? 0. : P[0]);
    r.lowest = std::min(r.lowest, b.q[1] + std::sin(b.q[2]));
    if (r.P.back() == 0 && r.first_opening == 0) r.first_opening = r.P.size();
    // la_N = m (g + l u_phi^2 sin phi) / A while the tip slides forward.
    const double phi = 0.5 * (a.q[2] + b.q[2]), u_phi = 0.5 * (a.u[2] + b.u[2]), S = std::sin(phi), C = std::cos(phi);
    r.closed.push_back(c->h * (10 + u_phi * u_phi * S) / (1 + 3 * C * C + 5 * S * C));
    a = b;
  });
  return r;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_painleve, *boost::unit_test::precondition(at_most_two_ranks))

BOOST_DATA_TEST_CASE(contact_force_rises_smoothly_to_take_off, data::make(runge_kutta_methods), method) {
  if (!runs_here(method)) return;
  const Slide r = slide(method);
  // Up to four times its first value the force of the closed form changes by less than a fifth within a step, and the methods
  // must follow it. Beyond that its pole is three steps away, and h decides what is seen of it.
  std::size_t end = 0;
  while (end < r.P.size() && r.P[end] < 0.2) ++end;
  double error = 0;
  for (std::size_t k = 0; k < end; ++k) error = std::max(error, std::abs(r.P[k] / r.closed[k] - 1));
  BOOST_TEST_MESSAGE(method << ": gap >= " << r.lowest << ", P_N < 0.2 until step " << end << ", error " << error << ", opens at step " << r.first_opening
                            << ", largest " << *std::max_element(r.P.begin(), r.P.end()));
  BOOST_TEST(r.lowest >= -1e-8);
  for (std::size_t k = 1; k < end; ++k) BOOST_TEST(r.P[k] > r.P[k - 1]);              // monotonous
  for (std::size_t k = 2; k < end - 1; ++k) BOOST_TEST(r.P[k + 1] - r.P[k] > r.P[k - 1] - r.P[k - 2] - 1e-9);  // and convex: no artificial impacts
  // Order 1 (radau_1, SDIRK): a part of the last change within a step. Others: its square.
  BOOST_TEST(error < (method == radau_1 || method == sdirk_2 || method == sdirk_3 ? 0.15 : 0.02));
  BOOST_TEST(std::abs(static_cast<double>(end) - 159) <= 4);
  BOOST_TEST(r.first_opening > end);
  BOOST_TEST(r.first_opening <= end + 6);  // take-off at t about 0.82
}

// On velocity level the rod drifts into the ground; when the contact test misses a step, the next one is an impact.
BOOST_AUTO_TEST_CASE(moreau_shows_artificial_impacts) {
  const Slide r = slide("type: moreau");
  // It opens in the first steps already, and the step after carries twice the percussion; and again before the take-off.
  int early = 0, late = 0;
  for (std::size_t k = 1; k < 160; ++k)
    if (r.P[k] < 0.5 * r.P[k - 1]) {
      ++(k < 50 ? early : late);
      BOOST_TEST_MESSAGE("Moreau, step " << k << ": P_N from " << r.P[k - 1] << " to " << r.P[k] << " to " << r.P[k + 1]);
    }
  BOOST_TEST(early > 0);
  BOOST_TEST(late > 0);
  BOOST_TEST(r.lowest < -1e-5);
}

BOOST_AUTO_TEST_SUITE_END()

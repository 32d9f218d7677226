// S1: an elastic bar thrown at a rigid wall, Runge-Kutta families (Schindler 7.1, Table 5).
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <numbers>

#include "verification/rk_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

const double E = 2.1e11, A = std::numbers::pi * 1e-4, rho = 7800, v_0 = 0.1;
const double c_0 = std::sqrt(E / rho), T = 2 / c_0, force = E * A * v_0 / c_0;  ///< 3.854e-4 s, 1.271e3 N, L = 1 m

/// `width`: length of the front of the wave in the mesh, as a part of the bar.
void check_contact(const char* file, const Method& method, double width) {
  const auto c = rk_case(file, method);
  const double h = c->h, E_0 = total_energy(*c);
  int intervals = 0, steps = 0;
  double impulse = 0, plateau = 0, largest_u = 0, penetration = 0, touch = 0;
  bool before = false;
  run(*c, 8e-4, [&](const StepReport& report) {
    penetration = std::max(penetration, report.penetration);
    const std::vector<double> P = c->percussion(0);
    const bool closed = !P.empty() && P[0] > 0;
    intervals += closed && !before;
    before = closed;
    if (!closed) return;
    if (steps == 0) touch = c->system.t;
    ++steps, impulse += P[0];
    const double s = steps * h / T;
    if (s < 0.9) largest_u = std::max(largest_u, std::abs(c->state("bar.first").u[0]));
    if (s > 0.1 && s < 0.4) plateau += P[0] / (0.3 * T);
  });
  BOOST_TEST_MESSAGE(file << ", " << method << ": contact " << steps * h << " s, force " << plateau << " N, |u| " << largest_u << ", impulse / 2 m v_0 "
                          << impulse / (2 * rho * A * v_0) << ", energy " << total_energy(*c) / E_0);
  BOOST_TEST(intervals == 1);                         // no chattering
  BOOST_TEST(std::abs(touch - 1e-4) < 1.5 * h);       // 1e-5 m at 0.1 m/s
  BOOST_TEST(largest_u < 1e-10);                      // solver tolerance on v_0
  BOOST_TEST(penetration < 1e-12);                    // gaps are of the order 1e-5 m here
  // The mesh disperses the front over `width`: the reflected one opens the contact that part of T early, and as much of the
  // momentum stays behind in vibrations. Force: the same oscillations, averaged over a third of the contact.
  BOOST_TEST(std::abs(steps * h / 3.854e-4 - 1) < width);
  BOOST_TEST(std::abs(plateau / 1.271e3 - 1) < 0.01);
  BOOST_TEST(std::abs(impulse / (2 * rho * A * v_0) - 1) < 1.5 * width);
  BOOST_TEST(total_energy(*c) < E_0);
  BOOST_TEST(total_energy(*c) > 0.98 * E_0);          // the end node stops, sqrt(3)/6 of an element; the rest is damping
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_bar, *boost::unit_test::precondition(at_most_two_ranks))

// 50 elements: the front is about one element wide. h = 1e-6 s is half of what the explicit pair can take, l / (sqrt(3) c_0).
BOOST_DATA_TEST_CASE(fifty_elements, data::make({radau_2, pair_2, tr_bdf2_0}), method) {
  if (runs_here(method)) check_contact("elastic_bar/bar_50.yaml", method, 0.02);
}

// 1000 elements: waves pass five of them in a step, so the step sets the width; only implicit methods can do this.
BOOST_AUTO_TEST_CASE(thousand_elements, *boost::unit_test::label("long")) {
  BOOST_TEST(std::abs(T - 3.854e-4) < 1e-7);
  BOOST_TEST(std::abs(force - 1.271e3) < 1.);
  check_contact("elastic_bar/bar_1000.yaml", radau_2, 0.01);
}

BOOST_AUTO_TEST_SUITE_END()

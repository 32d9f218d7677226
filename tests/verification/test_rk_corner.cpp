// B12: ball in a corner: redundant contacts (Breuling 7.9).
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "verification/rk_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

const char* const file = "ball_in_corner/ball_in_corner.yaml";

double lowest_gap(const Case& c) {
  const NodeState s = c.state("ball");
  const double r = std::sqrt(0.5);
  return r * std::min(s.q[1] - s.q[0], s.q[1] + s.q[0]) - 0.1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_corner, *boost::unit_test::precondition(at_most_two_ranks))

// Fixed-point iterations need 1/k of the residual on the singular problem while the last bounces fade (t about 1.4): in these
// steps they stop at 10,000 iterations. The hybrid solver converges in every step.
BOOST_DATA_TEST_CASE(rests_with_both_contacts_closed,
                     data::make({radau_2, pair_2}) * data::make({"type: hybrid, tolerance: 1.0e-10",
                                                                 "type: iterative_projection, tolerance: 1.0e-8, max_iterations: 10000"}),
                     method, solver) {
  const bool exact = std::string(solver).find("hybrid") != std::string::npos;
  const auto c = rk_case(file, method, {std::string("solver={") + solver + "}"});
  double lowest = 1, residual = 0;
  int unconverged = 0;
  bool last = false;
  for (int k = steps_until(*c, 2.); k > 0; --k) {
    const StepReport report = c->step();
    last = report.solve.converged;
    unconverged += !last;
    residual = std::max(residual, report.solve.residual);
    lowest = std::min(lowest, lowest_gap(*c));
  }
  BOOST_TEST_MESSAGE(method << ", " << solver << ": gap >= " << lowest << ", " << unconverged << " steps not converged, residual " << residual);
  BOOST_TEST(lowest >= -1e-8);
  BOOST_TEST(last);
  if (exact) BOOST_TEST(unconverged == 0);
  else BOOST_TEST(residual < 1e-2);
  for (const double u : c->state("ball").u) BOOST_TEST(std::abs(u) < 1e-8);
  const std::vector<double> P1 = c->percussion(0), P2 = c->percussion(1);
  BOOST_TEST_REQUIRE(P1.size() == 2u);
  BOOST_TEST_REQUIRE(P2.size() == 2u);
  // Balance with the weight h m g = 0.1; tangents (s, s) and (s, -s), normals (-s, s) and (s, s).
  const double s = std::sqrt(0.5);
  BOOST_TEST(std::abs(s * (P1[0] + P2[0] + P1[1] - P2[1]) - 0.1) < 1e-8);
  BOOST_TEST(std::abs(s * (P2[0] - P1[0] + P1[1] + P2[1])) < 1e-8);
}

// Four rows for three degrees of freedom: with both contacts closed and sticking the matrix of Newton's method is singular.
BOOST_DATA_TEST_CASE(newton_alone_stops_at_the_singular_matrix, data::make({Method("type: moreau"), radau_2, pair_2}), method) {
  const auto c = rk_case(file, method, {"solver={type: semismooth_newton, tolerance: 1.0e-10}"});
  int unconverged = 0, singular = 0;
  double first = 0;
  for (int k = steps_until(*c, 2.); k > 0; --k) {
    const StepReport report = c->step();
    unconverged += !report.solve.converged, singular += report.solve.singular;
    if (!report.solve.converged && first == 0) first = c->system.t;
    if (report.solve.singular) BOOST_TEST(!report.solve.converged);
  }
  BOOST_TEST_MESSAGE(method << ": " << unconverged << " steps not converged, the first at " << first << ", " << singular << " with a singular matrix");
  BOOST_TEST(unconverged > 0);
  BOOST_TEST(first > 1.);  // fine until the second contact closes
  BOOST_TEST(singular > 0);
}

BOOST_AUTO_TEST_SUITE_END()

// B1: orders of the Runge-Kutta families on a bilateral constraint (Breuling Ex. 4.9-4.11, 5.3).
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "verification/rk_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

const char* const file = "spring_pendulum/spring_pendulum.yaml";
const std::string tight = "atol=1e-15,rtol=1e-15";

struct Expected {
  std::string type, options;
  double order_q, order_u;
  double h;  ///< finer of the two steps whose errors are compared
  std::string method() const { return type + "{" + options + (options.empty() ? "" : ",") + tight + "}"; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_pendulum, *boost::unit_test::precondition(at_most_two_ranks))

// h is the smallest step whose error stays a hundred times above rounding, which at these step counts is 2e-14 in q and 2e-13
// in u: 0.0032 up to order 4, larger beyond. The bound of 0.15 is the distance that the next term of the error, of relative
// size h, leaves there.
BOOST_AUTO_TEST_CASE(orders_on_a_constraint) {
  std::vector<Expected> table = {
      {"radau_iia", "stages=1", 1, 1, 0.0032},
      {"radau_iia", "stages=2", 3, 3, 0.0032},
      {"radau_iia", "stages=3", 5, 5, 0.0064},
      {"radau_iia", "stages=2,projection=false", 3, 2, 0.0032},
      {"radau_iia", "stages=3,projection=false", 5, 3, 0.0064},
      {"lobatto_iiic", "stages=2", 2, 2, 0.0032},
      {"lobatto_iiic", "stages=3", 4, 4, 0.0032},
      {"tr_bdf2", "", 2, 2, 0.0032},
      {"trx2", "", 2, 2, 0.0032},
      {"tr_theta", "", 2, 2, 0.0032},
      {"lobatto_iiia_iiib", "stages=2", 2, 2, 0.0032},
      {"lobatto_iiia_iiib", "stages=3", 4, 4, 0.0032},
      {"lobatto_iiia_iiib", "stages=4", 6, 6, 0.0256},
      // The stages of SDIRK have order 1 only, and a constraint lets that through (index 3): order 1, not 2 and 3.
      {"sdirk", "stages=2", 1, 1, 0.0032},
      {"sdirk", "stages=3", 1, 1, 0.0032},
  };
  if (ranks() > 1) std::erase_if(table, [](const Expected& e) { return e.options != "stages=2" || e.type == "sdirk"; });
  std::string methods;
  for (const Expected& e : table) methods += (methods.empty() ? "" : ",") + e.method();
  const ConvergenceRows rows =
      orders(file, {"time.end=0.2048", "solver={type: hybrid, tolerance: 1.0e-14}"}, methods, {0.0512, 0.0256, 0.0128, 0.0064, 0.0032}, 0.0016);
  for (const Expected& e : table) {
    const ConvergenceRow& row = row_of(rows, e.method(), e.h);
    BOOST_TEST_MESSAGE(e.method() << " h = " << e.h << ": order " << *row.order_q << " in q, " << *row.order_u << " in u");
    BOOST_TEST(row.unconverged == 0);
    BOOST_TEST(std::abs(*row.order_q - e.order_q) < 0.15, e.method() << ": order " << *row.order_q << " in q");
    BOOST_TEST(std::abs(*row.order_u - e.order_u) < 0.15, e.method() << ": order " << *row.order_u << " in u");
  }
}

// Both levels of the constraint at every grid point. With the solver and Newton at 1e-12, velocities are of size 1.
BOOST_DATA_TEST_CASE(constraint_holds_on_both_levels, data::make(runge_kutta_methods), method) {
  if (!runs_here(method)) return;
  const auto c = rk_case(file, method + ", atol: 1.0e-12, rtol: 1.0e-12");
  double g = 0, g_dot = 0;
  run(*c, 2.4832, [&](const StepReport&) {
    const NodeState s = c->state("mass");
    g = std::max(g, std::abs(std::hypot(s.q[0], s.q[1]) - 1));
    g_dot = std::max(g_dot, std::abs(s.q[0] * s.u[0] + s.q[1] * s.u[1]));
  });
  BOOST_TEST_MESSAGE(method << ": |g| <= " << g << ", |g'| <= " << g_dot);
  BOOST_TEST(g < 1e-11);
  BOOST_TEST(g_dot < 1e-10);
}

// Without projection g' is of the size that Ex. 4.9 shows (about 1e-3 at h = 0.0256): it is the projection that removes it.
BOOST_AUTO_TEST_CASE(without_projection_the_velocity_leaves_the_constraint) {
  const auto c = rk_case(file, radau_2 + ", projection: false");
  double g = 0, g_dot = 0;
  run(*c, 2.4832, [&](const StepReport&) {
    const NodeState s = c->state("mass");
    g = std::max(g, std::abs(std::hypot(s.q[0], s.q[1]) - 1));
    g_dot = std::max(g_dot, std::abs(s.q[0] * s.u[0] + s.q[1] * s.u[1]));
  });
  BOOST_TEST_MESSAGE("without projection: |g| <= " << g << ", |g'| <= " << g_dot);
  BOOST_TEST(g < 1e-10);
  BOOST_TEST(g_dot > 1e-4);
  BOOST_TEST(g_dot < 1e-2);
}

BOOST_AUTO_TEST_SUITE_END()

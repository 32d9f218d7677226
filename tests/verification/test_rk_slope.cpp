// B10: orders of the Runge-Kutta families with frictional contact, closed and closing (Breuling 7.7).
#include <array>
#include <boost/test/unit_test.hpp>
#include <map>

#include "verification/rk_case.hpp"

using namespace percussion;

namespace {

const std::string tight = ",atol=1e-15,rtol=1e-15}";

struct Expected {
  std::string method;
  double order_q, order_u;
  double h;  ///< finer of the two steps whose errors are compared
};

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_slope, *boost::unit_test::precondition(at_most_two_ranks))

// Case 1: contact closed and sliding, all is smooth. h: finest step a hundred times above rounding (1e-14 in q, 1e-13 in u), as
// in test_rk_pendulum.cpp.
BOOST_AUTO_TEST_CASE(orders_with_closed_contact) {
  std::vector<Expected> table = {
      {"radau_iia{stages=1" + tight, 1, 1, 0.0064},
      {"radau_iia{stages=2" + tight, 3, 3, 0.0064},
      {"radau_iia{stages=3" + tight, 5, 5, 0.0128},
      {"lobatto_iiia_iiib{stages=2" + tight, 2, 2, 0.0064},
      {"lobatto_iiia_iiib{stages=3" + tight, 4, 4, 0.0064},
      {"lobatto_iiia_iiib{stages=4" + tight, 6, 6, 0.0512},
      {"tr_bdf2{atol=1e-15,rtol=1e-15}", 2, 2, 0.0064},
      {"trx2{atol=1e-15,rtol=1e-15}", 2, 2, 0.0064},
      {"tr_theta{atol=1e-15,rtol=1e-15}", 2, 2, 0.0064},
      {"sdirk{stages=2" + tight, 1, 1, 0.0064},  // order reduction, as on a bilateral constraint
      {"sdirk{stages=3" + tight, 1, 1, 0.0064},
      {"lobatto_iiic{stages=2" + tight, 2, 2, 0.0064},
      // 4 on a bilateral constraint. Here stage 1 sits at the beginning of the step, where the percussion so far, h^3 la'' / 24
      // in the method, has no sign of its own: where it would be negative the contact law opens the stage by O(h^3).
      {"lobatto_iiic{stages=3" + tight, 3, 3, 0.0064},
  };
  if (ranks() > 1) table = {table[1], table[3]};
  std::string methods;
  for (const Expected& e : table) methods += (methods.empty() ? "" : ",") + e.method;
  const ConvergenceRows rows =
      orders("slope/case_1.yaml", {"time.end=0.8192", "solver={type: hybrid, tolerance: 1.0e-14}"}, methods, {0.1024, 0.0512, 0.0256, 0.0128, 0.0064}, 0.0016);
  for (const Expected& e : table) {
    const ConvergenceRow& row = row_of(rows, e.method, e.h);
    BOOST_TEST_MESSAGE(e.method << " h = " << e.h << ": order " << *row.order_q << " in q, " << *row.order_u << " in u");
    BOOST_TEST(row.unconverged == 0);
    BOOST_TEST(std::abs(*row.order_q - e.order_q) < 0.15, e.method << ": order " << *row.order_q << " in q");
    BOOST_TEST(std::abs(*row.order_u - e.order_u) < 0.15, e.method << ": order " << *row.order_u << " in u");
  }
}

// (5.42): contact laws on integrated percussions lose an order, 3 instead of 4.
BOOST_AUTO_TEST_CASE(integrated_percussions_lose_order, *boost::unit_test::precondition(on_one_rank)) {
  const std::string plain = "lobatto_iiia_iiib{stages=3}", integrated = "lobatto_iiia_iiib{stages=3,integrated_percussions=true}";
  const ConvergenceRows rows = orders("slope/case_1.yaml", {"time.end=0.8192", "solver={type: hybrid, tolerance: 1.0e-12}"}, plain + "," + integrated,
                                      {0.1024, 0.0512, 0.0256}, 0.0032);
  const ConvergenceRow &a = row_of(rows, plain, 0.0256), &b = row_of(rows, integrated, 0.0256);
  BOOST_TEST(std::abs(*a.order_q - 4) < 0.15);
  BOOST_TEST(std::abs(*a.order_u - 4) < 0.15);
  BOOST_TEST(std::abs(*b.order_q - 3) < 0.3);
  BOOST_TEST(std::abs(*b.order_u - 3) < 0.3);
  BOOST_TEST(b.error_q > 10 * a.error_q);
}

// Case 2: an impact inside a step. Its time is resolved to h only, so the order is 1, and the error depends on where in its
// step the impact falls: errors are averaged over five heights and fitted by a line, neighbours alone say nothing.
BOOST_AUTO_TEST_CASE(order_one_through_an_impact, *boost::unit_test::precondition(on_one_rank)) {
  const std::vector<double> steps = {0.0512, 0.0256, 0.0128, 0.0064, 0.0032};
  const std::vector<std::string> methods = {"radau_iia{stages=2}", "lobatto_iiia_iiib{stages=2}"};
  std::map<std::string, std::vector<std::array<double, 2>>> errors;
  for (const char* height : {"1.43", "1.47", "1.5", "1.54", "1.61"}) {
    const ConvergenceRows rows =
        orders("slope/case_2.yaml", {"time.end=0.8192", "solver={type: hybrid, tolerance: 1.0e-12}", "nodes[0].position=[0," + std::string(height) + "]"},
               methods[0] + "," + methods[1], steps, 0.0004, 1);
    for (const std::string& m : methods) {
      errors[m].resize(steps.size());
      for (std::size_t i = 0; i < steps.size(); ++i) {
        const ConvergenceRow& row = row_of(rows, m, steps[i]);
        BOOST_TEST(row.unconverged == 0);
        errors[m][i][0] += row.error_q / 5, errors[m][i][1] += row.error_u / 5;
      }
    }
  }
  for (const std::string& m : methods) {
    for (const int k : {0, 1}) {
      double x = 0, y = 0, xx = 0, xy = 0;
      const double n = static_cast<double>(steps.size());
      for (std::size_t i = 0; i < steps.size(); ++i) {
        const double log_h = std::log(steps[i]), log_e = std::log(errors[m][i][k]);
        x += log_h, y += log_e, xx += log_h * log_h, xy += log_h * log_e;
      }
      const double order = (n * xy - x * y) / (n * xx - x * x);
      BOOST_TEST_MESSAGE(m << ": order " << order << (k ? " in u" : " in q") << " through the impact, errors "
                             << errors[m].front()[k] << " to " << errors[m].back()[k]);
      BOOST_TEST(order > 0.6);
      BOOST_TEST(order < 1.6);
      BOOST_TEST(errors[m].back()[k] < 0.25 * errors[m].front()[k]);  // convergent, whatever the line says
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

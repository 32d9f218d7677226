// Functions of time: derivatives against closed forms, spline order, errors that say where, text.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "math/time_function.hpp"

using namespace percussion;

namespace {

std::string error_of(const std::string& text) {
  try {
    TimeFunction::from_text(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& s, const std::string& part) { return s.find(part) != std::string::npos; }

Table sine_table(int n, Interpolation kind) {
  std::vector<double> x, y;
  for (int i = 0; i <= n; ++i) {
    const double s = double(i) / n;
    x.push_back(3.0 * (s + 0.1 * std::sin(2 * s)));  // unequal intervals
    y.push_back(std::sin(2.0 * x.back()));
  }
  return Table(x, y, kind);
}

// Largest error of value, first and second derivative over the table.
struct Errors {
  double v = 0, d = 0, dd = 0;
};
Errors sine_errors(int n, Interpolation kind) {
  const Table table = sine_table(n, kind);
  Errors e;
  for (double t = 0.0; t < table.x().back(); t += 0.0013) {
    e.v = std::max(e.v, std::abs(table.value(t) - std::sin(2 * t)));
    e.d = std::max(e.d, std::abs(table.first_derivative(t) - 2 * std::cos(2 * t)));
    e.dd = std::max(e.dd, std::abs(table.second_derivative(t) + 4 * std::sin(2 * t)));
  }
  return e;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(time_function)

BOOST_AUTO_TEST_CASE(constants) {
  for (const std::string text : {"2.5", " +2.5 ", "25e-1"}) {
    const TimeFunction f = TimeFunction::from_text(text);
    BOOST_TEST(f.is_constant());
    BOOST_TEST(f(3.0) == 2.5);
    BOOST_TEST(f.first_derivative(1.0) == 0.0);
    BOOST_TEST(f.second_derivative(1.0) == 0.0);
  }
  BOOST_TEST(TimeFunction()(1.0) == 0.0);
  BOOST_TEST(TimeFunction(4.0)(1.0) == 4.0);
}

BOOST_AUTO_TEST_CASE(expressions_know_pi_e_and_the_usual_functions) {
  const double t = 0.3, pi = std::numbers::pi, e = std::numbers::e;
  const auto value = [&](const char* text) { return TimeFunction::from_text(text)(t); };
  BOOST_TEST(value("0.1*sin(2*pi*t)") == 0.1 * std::sin(2 * pi * t), boost::test_tools::tolerance(1e-15));
  BOOST_TEST(value("e^t + 1e1") == std::pow(e, t) + 10.0, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(value("t >= 0.3 ? 1 : 2") == 1.0);
  BOOST_TEST(value("max(t, 5) + min(t, -1) + abs(-t)") == 4.3, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(value("ln(t)") == std::log(t), boost::test_tools::tolerance(1e-15));
  BOOST_TEST(value("-t^2") == -t * t, boost::test_tools::tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(differences_reach_the_documented_accuracy_over_seven_decades_of_frequency) {
  // Relative to the amplitude of the derivative; the argument w t is rounded, which costs eps |w t|.
  double worst_1 = 0, worst_2 = 0;
  for (double w = 1e-3; w < 1.1e4; w *= std::sqrt(10.0))
    for (const double t : {0.0, 0.1, 0.3, 1.0, 7.7, 100.0, 1000.0}) {
      const std::string text = "sin(" + TimeFunction(w).text() + "*t + 1)";
      const TimeFunction f = TimeFunction::from_text(text);
      const double allowance = 1.0 + std::abs(w * t);
      worst_1 = std::max(worst_1, std::abs(f.first_derivative(t) - w * std::cos(w * t + 1)) / w / allowance);
      worst_2 = std::max(worst_2, std::abs(f.second_derivative(t) + w * w * std::sin(w * t + 1)) / (w * w) / allowance);
    }
  BOOST_TEST(worst_1 < 1e-12);
  BOOST_TEST(worst_2 < 1e-10);
}

BOOST_AUTO_TEST_CASE(differences_of_other_functions) {
  struct Case { const char* text; double t, d, dd; };
  const double c = std::cosh(0.2);
  for (const Case& k : {Case{"exp(-3*t)", 2.0, -3 * std::exp(-6.0), 9 * std::exp(-6.0)},
                        Case{"sqrt(t)", 1e-3, 0.5 / std::sqrt(1e-3), -0.25 * std::pow(1e-3, -1.5)},  // NaN for t < 0
                        Case{"ln(t)", 3.0, 1.0 / 3, -1.0 / 9},
                        Case{"t^3 - 5*t", 2.0, 7.0, 12.0},
                        Case{"tanh(100*(t-1))", 1.002, 100 / (c * c), -2e4 * std::tanh(0.2) / (c * c)},
                        Case{"t<1 ? 0 : (t-1)^2", 1.01, 0.02, 2.0},  // kink of the second derivative close by
                        Case{"t<1 ? 0 : (t-1)^2", 0.99, 0.0, 0.0},
                        Case{"1e6*t + sin(100*t)", 0.0, 1e6 + 100, 0.0}}) {
    const TimeFunction f = TimeFunction::from_text(k.text);
    BOOST_TEST_CONTEXT(k.text << " at " << k.t) {
      BOOST_TEST(std::abs(f.first_derivative(k.t) - k.d) < 1e-12 * (1 + std::abs(k.d)));
      BOOST_TEST(std::abs(f.second_derivative(k.t) - k.dd) < 1e-9 * (1 + std::abs(k.dd)));
    }
  }
  // Samples a period apart must not look like a constant.
  const TimeFunction f = TimeFunction::from_text("sin(2*pi*16*t)");
  BOOST_TEST(std::abs(f.first_derivative(0.5) - 32 * std::numbers::pi) < 1e-9);
}

BOOST_AUTO_TEST_CASE(given_derivatives_are_used) {
  // Not the true derivatives, on purpose: the result shows which one was evaluated.
  const TimeFunction f = TimeFunction::from_text("t^2; 10*t; 20*t");
  BOOST_TEST(f(3.0) == 9.0);
  BOOST_TEST(f.first_derivative(3.0) == 30.0);
  BOOST_TEST(f.second_derivative(3.0) == 60.0);
  const TimeFunction g = TimeFunction::from_text("t^2; 10*t");  // second: difference of the given first
  BOOST_TEST(g.second_derivative(3.0) == 10.0, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(linear_table) {
  const TimeFunction f = TimeFunction::from_text("table linear: 0 1, 2 5, 3 -1");
  BOOST_TEST(f(0.5) == 2.0);
  BOOST_TEST(f(2.0) == 5.0);
  BOOST_TEST(f(2.5) == 2.0);
  BOOST_TEST(f(-1.0) == 1.0);
  BOOST_TEST(f(9.0) == -1.0);
  BOOST_TEST(f.first_derivative(1.0) == 2.0);
  BOOST_TEST(f.first_derivative(2.0) == -6.0);  // to the right
  BOOST_TEST(f.first_derivative(3.0) == 0.0);
  BOOST_TEST(f.first_derivative(-0.1) == 0.0);
  BOOST_TEST(f.second_derivative(1.0) == 0.0);
}

BOOST_AUTO_TEST_CASE(cubic_table_reproduces_cubics) {
  const auto p = [](double t) { return 1 - 2 * t + 0.5 * t * t + 3 * t * t * t; };
  for (const std::vector<double>& x : {std::vector<double>{0, 0.4, 1.5, 2}, {-1, 0, 0.1, 2, 2.5, 4}}) {
    std::vector<double> y;
    for (const double t : x) y.push_back(p(t));
    const Table table(x, y, Interpolation::cubic);
    for (double t = x.front(); t < x.back(); t += 0.07) {  // not-a-knot: exact for cubics, values up to 200
      BOOST_TEST(std::abs(table.value(t) - p(t)) < 1e-12);
      BOOST_TEST(std::abs(table.first_derivative(t) - (-2 + t + 9 * t * t)) < 1e-11);
      BOOST_TEST(std::abs(table.second_derivative(t) - (1 + 18 * t)) < 1e-10);
    }
  }
  const Table parabola({0, 1, 3}, {0, 1, 9}, Interpolation::cubic), line({0, 2}, {1, 5}, Interpolation::cubic);
  BOOST_TEST(parabola.value(2.0) == 4.0, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(parabola.second_derivative(0.5) == 2.0, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(line.value(1.0) == 3.0);
}

BOOST_AUTO_TEST_CASE(tables_converge_with_their_order) {
  const Errors a = sine_errors(40, Interpolation::cubic), b = sine_errors(80, Interpolation::cubic);
  BOOST_TEST(std::log2(a.v / b.v) > 3.7);  // orders 4, 3, 2 up to the ends of the table
  BOOST_TEST(std::log2(a.d / b.d) > 2.7);
  BOOST_TEST(std::log2(a.dd / b.dd) > 1.7);
  const Errors c = sine_errors(40, Interpolation::linear), d = sine_errors(80, Interpolation::linear);
  BOOST_TEST(std::abs(std::log2(c.v / d.v) - 2.0) < 0.1);
}

BOOST_AUTO_TEST_CASE(errors_name_the_place) {
  BOOST_TEST(has(error_of("2*x + 1"), "character 3"));
  BOOST_TEST(has(error_of("sin(t"), "character 6"));  // just past the end
  BOOST_TEST(has(error_of("3 + * t"), "character 5"));
  BOOST_TEST(has(error_of("sin(t); cos(q)"), "character 13"));  // counted in the whole text
  BOOST_TEST(has(error_of("t = 3"), "character 3"));
  BOOST_TEST(has(error_of("1, 2"), "character 2"));
  BOOST_TEST(has(error_of("  "), "empty"));
  BOOST_TEST(has(error_of("1; 2; 3; 4"), "at most"));
  BOOST_TEST(has(error_of("inf"), "inf"));
  BOOST_TEST(has(error_of("table linear: 0 1, 1 x, 2 2"), "point 2"));
  BOOST_TEST(has(error_of("table linear: 0 1, 1 2, 1 3"), "point 3"));
  BOOST_TEST(has(error_of("table linear: 0 1"), "two points"));
  BOOST_TEST(has(error_of("table spline: 0 1, 1 1"), "table cubic"));
  BOOST_CHECK_THROW(Table({0, 1}, {0}, Interpolation::linear), std::invalid_argument);
  BOOST_TEST(error_of("t == 3 ? 1 : t <= 2") == "");  // comparisons are no assignments
}

BOOST_AUTO_TEST_CASE(text_reads_back_to_the_same_function) {
  for (const std::string text : {"0.1", "-1.2345678901234567e-301", "0.1*sin(2*pi*t)", "t^2; 2*t; 2",
                                 "table linear: 0 0.1, 0.3333333333333333 2, 7 -1e-17", "table cubic: 0 1, 1 3, 2 0, 4 1"}) {
    const TimeFunction f = TimeFunction::from_text(text), g = TimeFunction::from_text(f.text());
    BOOST_TEST(g.text() == f.text());
    for (const double t : {0.0, 0.123, 1.7, 3.9}) {
      BOOST_TEST(f(t) == g(t));
      BOOST_TEST(f.first_derivative(t) == g.first_derivative(t));
      BOOST_TEST(f.second_derivative(t) == g.second_derivative(t));
    }
  }
}

BOOST_AUTO_TEST_CASE(copies_are_independent) {
  TimeFunction f = TimeFunction::from_text("2*t");
  TimeFunction copy = f;
  f = TimeFunction::from_text("3*t");
  BOOST_TEST(copy(2.0) == 4.0);
  BOOST_TEST(f(2.0) == 6.0);
  TimeFunction moved = std::move(copy);
  BOOST_TEST(moved(5.0) == 10.0);  // the parser still finds its variable after the move
  std::vector<TimeFunction> many(20, moved);
  many.resize(100, TimeFunction(1.0));  // reallocation moves or copies
  BOOST_TEST(many[19](3.0) == 6.0);
  BOOST_TEST(many[99](3.0) == 1.0);
}

BOOST_AUTO_TEST_SUITE_END()

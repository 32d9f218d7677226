// Scalar function of time as users give it: prescribed motion, loads, actuators.
// Three forms, each with value and two time derivatives and a text that reads back to the same
// function (numbers are written so that they are restored exactly):
//   constant     "2.5"
//   expression   "0.1*sin(2*pi*t)", optionally with its derivatives: "f; df/dt; d2f/dt2"
//   table        "table linear: 0 0, 1 2.5, 2 0" or "table cubic: ..."
// Derivatives of an expression that are not given are differences, see math/expression.hpp; those
// given are trusted. Value semantics; one object must not be evaluated by two threads.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "math/expression.hpp"
#include "math/table.hpp"

namespace percussion {

class TimeFunction {
 public:
  TimeFunction() : form_(0.0) {}
  TimeFunction(double constant) : form_(constant) {}  // NOLINT: a number is a function of time
  explicit TimeFunction(Table table) : form_(std::move(table)) {}

  // Any of the three text forms. Throws std::invalid_argument that says where and why.
  static TimeFunction from_text(const std::string& text);
  std::string text() const;

  double value(double t) const;
  double first_derivative(double t) const;
  double second_derivative(double t) const;
  double operator()(double t) const { return value(t); }

  bool is_constant() const { return std::holds_alternative<double>(form_); }

 private:
  struct Formula {
    Expression f;
    std::optional<Expression> df, ddf;
  };
  explicit TimeFunction(Formula formula) : form_(std::move(formula)) {}
  static TimeFunction formula_from_text(const std::string& text);

  std::variant<double, Formula, Table> form_;
};

}  // namespace percussion

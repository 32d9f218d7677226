// Scalar expression in the time t, read by muParser: usual operators and functions, `a ? b : c`,
// and the constants pi and e. Assignments are not allowed.
// Derivatives are central differences of order 8 with a step chosen at every t: from 1e-6 upwards as
// long as the samples resolve the expression, the least estimate of truncation + roundoff wins. For
// an expression that is smooth around t the error relative to the scale of the derivative is about
// 1e-12 (first) and 1e-10 (second), plus the unavoidable roundoff of the argument at large t. A kink
// at distance d costs accuracy like eps/d and eps/d^2, one nearer than 4e-6 is smeared; TimeFunction
// takes derivatives as text for such cases. Where the expression is not defined on both sides of t
// (t^1.5 at t = 0) the derivative is NaN.
// Evaluation reuses internal storage: one object must not be evaluated by two threads.
#pragma once

#include <memory>
#include <string>

namespace percussion {

class Expression {
 public:
  // Throws std::invalid_argument naming the character (from 1) in the text; `offset` is added to it
  // when the text is part of a longer one.
  explicit Expression(const std::string& text, std::size_t offset = 0);
  Expression(const Expression& other);
  Expression& operator=(const Expression& other);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  const std::string& text() const;
  double value(double t) const;
  double first_derivative(double t) const;
  double second_derivative(double t) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace percussion

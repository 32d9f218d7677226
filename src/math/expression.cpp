#include "math/expression.hpp"

#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace percussion {

struct Expression::State {
  std::string text;
  mu::Parser parser;
  double t = 0.0;
};

namespace {

[[noreturn]] void fail(const std::string& text, std::size_t position, const std::string& why) {
  throw std::invalid_argument("expression '" + text + "', character " + std::to_string(position) + ": " + why);
}

// muParser's own position, counted from 0, would contradict ours.
std::string without_position(std::string message) {
  for (const char* phrase : {" found at position", " at position"})
    if (const std::size_t i = message.find(phrase); i != std::string::npos) message.erase(i);
  return message;
}

// muParser knows assignment; `t = 1` would change the time instead of comparing with it.
void reject_assignment(const std::string& text, std::size_t offset) {
  for (std::size_t i = text.find('='); i != std::string::npos; i = text.find('=', i + 1)) {
    const bool closes = i > 0 && std::string("=!<>").find(text[i - 1]) != std::string::npos;
    const bool opens = i + 1 < text.size() && text[i + 1] == '=';
    if (!closes && !opens) fail(text, offset + i + 1, "assignment is not allowed; compare with ==");
  }
}

struct Estimate {
  double value;
  double truncation;  // difference to the stencil of order 6
  double variation;   // what the samples show beyond a line (parabola), in units of the derivative
};

// Central stencils of order 8 on p[k] = f(t + kh), m[k] = f(t - kh).
Estimate first_difference(double, const double* p, const double* m, double h) {
  const double d1 = p[1] - m[1], d2 = p[2] - m[2], d3 = p[3] - m[3], d4 = p[4] - m[4];
  const double order8 = (4.0 / 5.0 * d1 - 1.0 / 5.0 * d2 + 4.0 / 105.0 * d3 - 1.0 / 280.0 * d4) / h;
  const double order6 = (3.0 / 4.0 * d1 - 3.0 / 20.0 * d2 + 1.0 / 60.0 * d3) / h;
  const double beyond = std::max({std::abs(d2 - 2.0 * d1), std::abs(d3 - 3.0 * d1), std::abs(d4 - 4.0 * d1)});
  return {order8, std::abs(order8 - order6), beyond / h};
}

Estimate second_difference(double f0, const double* p, const double* m, double h) {
  const double s1 = p[1] + m[1] - 2.0 * f0, s2 = p[2] + m[2] - 2.0 * f0;
  const double s3 = p[3] + m[3] - 2.0 * f0, s4 = p[4] + m[4] - 2.0 * f0;
  const double order8 = (8.0 / 5.0 * s1 - 1.0 / 5.0 * s2 + 8.0 / 315.0 * s3 - 1.0 / 560.0 * s4) / (h * h);
  const double order6 = (3.0 / 2.0 * s1 - 3.0 / 20.0 * s2 + 1.0 / 90.0 * s3) / (h * h);
  const double beyond = std::max({std::abs(s2 - 4.0 * s1), std::abs(s3 - 9.0 * s1), std::abs(s4 - 16.0 * s1)});
  return {order8, std::abs(order8 - order6), beyond / (h * h)};
}

// Steps from 1e-6 upwards, the least estimate of truncation + roundoff wins. The search ends at the
// first step that does not resolve f any more (truncation no small part of the variation:
// undersampled oscillation, kink inside the stencil); larger steps could look right by aliasing.
double differentiate(const Expression& f, double t, int order) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  constexpr int levels = 25;             // up to h = 17
  constexpr double resolved_part = 1e-3;
  constexpr double noise_margin = 10.0;  // the roundoff estimate is no bound
  const auto stencil = order == 1 ? first_difference : second_difference;
  const double f0 = f.value(t);
  double h = 0x1p-20;
  double best = std::numeric_limits<double>::quiet_NaN(), best_error = std::numeric_limits<double>::infinity();
  bool resolved_before = false;
  double previous = best, previous_noise = 0.0;
  for (int level = 0; level < levels; ++level, h *= 2.0) {
    double p[5], m[5], largest = std::abs(f0);
    for (int k = 1; k <= 4; ++k) {
      p[k] = f.value(t + k * h);
      m[k] = f.value(t - k * h);
      largest = std::max({largest, std::abs(p[k]), std::abs(m[k])});
    }
    const Estimate now = stencil(f0, p, m, h);
    // Roundoff of the samples; t itself is rounded, which moves f by eps |t f'|.
    const double slope = std::max(std::abs(p[1] - f0), std::abs(m[1] - f0)) / h;
    const double noise = 2.0 * eps * (largest + std::abs(t) * slope) / (order == 1 ? h : h * h);
    const bool resolved = now.truncation <= resolved_part * now.variation + noise_margin * noise &&
                          !(std::abs(now.value - previous) > resolved_part * now.variation + noise_margin * previous_noise);
    if (!resolved && resolved_before) break;
    if (resolved > resolved_before || now.truncation + noise < best_error) {
      best = now.value;
      best_error = now.truncation + noise;
    }
    resolved_before = resolved;
    previous = now.value;
    previous_noise = noise;
  }
  return best;
}

}  // namespace

Expression::Expression(const std::string& text, std::size_t offset) : state_(std::make_unique<State>()) {
  state_->text = text;
  if (text.find_first_not_of(" \t\n") == std::string::npos) fail(text, offset + 1, "it is empty");
  reject_assignment(text, offset);
  mu::Parser& parser = state_->parser;
  try {
    parser.DefineConst("pi", std::numbers::pi);
    parser.DefineConst("e", std::numbers::e);
    parser.DefineVar("t", &state_->t);
    parser.SetExpr(text);
    parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    const auto position = static_cast<std::size_t>(std::max(error.GetPos(), 0));
    fail(text, offset + std::min(position, text.size()) + 1, without_position(error.GetMsg()));
  }
  if (parser.GetNumResults() != 1) fail(text, offset + text.find(',') + 1, "one value is expected, not a list");
}

Expression::Expression(const Expression& other) : Expression(other.text()) {}
Expression& Expression::operator=(const Expression& other) { return *this = Expression(other); }
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

const std::string& Expression::text() const { return state_->text; }

double Expression::value(double t) const {
  state_->t = t;
  return state_->parser.Eval();
}

double Expression::first_derivative(double t) const { return differentiate(*this, t, 1); }
double Expression::second_derivative(double t) const { return differentiate(*this, t, 2); }

}  // namespace percussion

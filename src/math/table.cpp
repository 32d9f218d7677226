#include "math/table.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace percussion {

Table::Table(std::vector<double> x, std::vector<double> y, Interpolation kind)
    : x_(std::move(x)), y_(std::move(y)), m_(x_.size(), 0.0), kind_(kind) {
  if (x_.size() != y_.size())
    throw std::invalid_argument("table: " + std::to_string(x_.size()) + " times but " + std::to_string(y_.size()) +
                                " values");
  if (x_.size() < 2) throw std::invalid_argument("table: at least two points are needed");
  for (std::size_t i = 0; i < x_.size(); ++i) {
    if (!std::isfinite(x_[i]) || !std::isfinite(y_[i]))
      throw std::invalid_argument("table: point " + std::to_string(i + 1) + " is not finite");
    if (i > 0 && !(x_[i] > x_[i - 1]))
      throw std::invalid_argument("table: the time of point " + std::to_string(i + 1) +
                                  " is not larger than the one before");
  }
  if (kind_ == Interpolation::cubic) compute_spline();
}

// Second derivatives m: h_{i-1} m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_i m_{i+1} = 6 (s_i - s_{i-1}) with
// interval lengths h and slopes s. Not-a-knot makes m linear over the first (and last) two
// intervals, which eliminates m_0 and m_n and leaves a diagonally dominant tridiagonal system.
void Table::compute_spline() {
  const std::size_t n = x_.size() - 1;  // intervals
  if (n == 1) return;
  const auto h = [&](std::size_t i) { return x_[i + 1] - x_[i]; };
  const auto slope = [&](std::size_t i) { return (y_[i + 1] - y_[i]) / h(i); };
  if (n == 2) {
    const double curvature = 2.0 * (slope(1) - slope(0)) / (h(0) + h(1));
    m_.assign(3, curvature);
    return;
  }
  const std::size_t count = n - 1;  // unknowns m_1 .. m_{n-1}
  std::vector<double> lower(count), diagonal(count), upper(count), rhs(count);
  for (std::size_t k = 0; k < count; ++k) {
    lower[k] = h(k);
    diagonal[k] = 2.0 * (h(k) + h(k + 1));
    upper[k] = h(k + 1);
    rhs[k] = 6.0 * (slope(k + 1) - slope(k));
  }
  diagonal.front() += h(0) * (h(0) + h(1)) / h(1);
  upper.front() -= h(0) * h(0) / h(1);
  diagonal.back() += h(n - 1) * (h(n - 1) + h(n - 2)) / h(n - 2);
  lower.back() -= h(n - 1) * h(n - 1) / h(n - 2);
  for (std::size_t k = 1; k < count; ++k) {
    const double factor = lower[k] / diagonal[k - 1];
    diagonal[k] -= factor * upper[k - 1];
    rhs[k] -= factor * rhs[k - 1];
  }
  m_[count] = rhs[count - 1] / diagonal[count - 1];
  for (std::size_t k = count - 1; k-- > 0;) m_[k + 1] = (rhs[k] - upper[k] * m_[k + 2]) / diagonal[k];
  m_[0] = m_[1] + (m_[1] - m_[2]) * h(0) / h(1);
  m_[n] = m_[n - 1] + (m_[n - 1] - m_[n - 2]) * h(n - 1) / h(n - 2);
}

std::size_t Table::interval(double x) const {
  const auto it = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  return static_cast<std::size_t>(it - x_.begin()) - 1;
}

double Table::value(double x) const {
  if (x <= x_.front()) return y_.front();
  if (x >= x_.back()) return y_.back();
  const std::size_t i = interval(x);
  const double h = x_[i + 1] - x_[i], b = (x - x_[i]) / h, a = 1.0 - b;
  return a * y_[i] + b * y_[i + 1] + h * h / 6.0 * ((a * a * a - a) * m_[i] + (b * b * b - b) * m_[i + 1]);
}

double Table::first_derivative(double x) const {
  if (outside(x)) return 0.0;
  const std::size_t i = interval(x);
  const double h = x_[i + 1] - x_[i], b = (x - x_[i]) / h, a = 1.0 - b;
  return (y_[i + 1] - y_[i]) / h + h / 6.0 * ((1.0 - 3.0 * a * a) * m_[i] + (3.0 * b * b - 1.0) * m_[i + 1]);
}

double Table::second_derivative(double x) const {
  if (outside(x)) return 0.0;
  const std::size_t i = interval(x);
  const double b = (x - x_[i]) / (x_[i + 1] - x_[i]);
  return (1.0 - b) * m_[i] + b * m_[i + 1];
}

}  // namespace percussion

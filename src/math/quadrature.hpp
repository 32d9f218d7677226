// Gauss-Legendre rules with n = 1..5 points, exact for polynomials of degree 2n - 1.
// Points are on [-1, 1] and ascending; integrate() maps them to any interval.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <type_traits>

namespace percussion {

struct QuadratureRule {
  std::span<const double> points;
  std::span<const double> weights;
};

inline QuadratureRule gauss_legendre(int n) {
  static constexpr double x[15] = {
      0.0,
      -0.57735026918962576451, 0.57735026918962576451,
      -0.77459666924148337704, 0.0, 0.77459666924148337704,
      -0.86113631159405257522, -0.33998104358485626480, 0.33998104358485626480, 0.86113631159405257522,
      -0.90617984593866399280, -0.53846931010568309104, 0.0, 0.53846931010568309104, 0.90617984593866399280};
  static constexpr double w[15] = {
      2.0,
      1.0, 1.0,
      0.55555555555555555556, 0.88888888888888888889, 0.55555555555555555556,
      0.34785484513745385737, 0.65214515486254614263, 0.65214515486254614263, 0.34785484513745385737,
      0.23692688505618908751, 0.47862867049936646804, 0.56888888888888888889, 0.47862867049936646804,
      0.23692688505618908751};
  assert(n >= 1 && n <= 5);
  const auto first = static_cast<std::size_t>(n * (n - 1) / 2), count = static_cast<std::size_t>(n);
  return {{x + first, count}, {w + first, count}};
}

// Integral of f over [a, b] with n points; f returns a number, vector or matrix by value.
template <class F>
auto integrate(F&& f, double a, double b, int n) {
  const QuadratureRule rule = gauss_legendre(n);
  const double half = 0.5 * (b - a), mid = 0.5 * (a + b);
  std::decay_t<decltype(f(a))> sum = f(mid + half * rule.points[0]) * (half * rule.weights[0]);
  for (std::size_t i = 1; i < rule.points.size(); ++i)
    sum += f(mid + half * rule.points[i]) * (half * rule.weights[i]);
  return sum;
}

}  // namespace percussion

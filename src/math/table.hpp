// Function of one variable given by points, interpolated linearly or by a cubic spline.
// The spline has not-a-knot ends, so a smooth function is met with order 4 up to the ends (two points
// give a line, three a parabola). Outside the table the end value is held and derivatives are zero;
// at a point the derivative is the one to the right. Immutable after construction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace percussion {

enum class Interpolation : std::uint8_t { linear, cubic };

class Table {
 public:
  // Strictly increasing x, as many y, at least two, all finite; else std::invalid_argument.
  Table(std::vector<double> x, std::vector<double> y, Interpolation kind);

  double value(double x) const;
  double first_derivative(double x) const;
  double second_derivative(double x) const;

  std::span<const double> x() const { return x_; }
  std::span<const double> y() const { return y_; }
  Interpolation kind() const { return kind_; }

 private:
  bool outside(double x) const { return x < x_.front() || x >= x_.back(); }
  std::size_t interval(double x) const;
  void compute_spline();

  std::vector<double> x_, y_;
  std::vector<double> m_;  // second derivatives at the points
  Interpolation kind_;
};

}  // namespace percussion

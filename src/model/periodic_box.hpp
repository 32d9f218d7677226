// Directions in which space repeats itself, along the axes.
//
// A position stands for all its images x + k L. Nothing but output minds which one is stored: whoever compares two places
// takes the nearest images of them. That is the one and only pair of images that can touch if L is more than twice the
// reach of any contact, which System checks (assembly/system.hpp). So a contact keeps the identity of its two bodies,
// ghosts are single copies, and without periodic directions nothing is computed at all.
#pragma once
#include <cmath>
#include <limits>

#include "math/types.hpp"

namespace percussion {

struct PeriodicBox {
  double lower[3] = {0, 0, 0};
  double length[3] = {0, 0, 0};   ///< 0: not periodic
  double inverse[3] = {0, 0, 0};  ///< of the length; 0: not periodic

  void set(int axis, double from, double to) { lower[axis] = from, length[axis] = to - from, inverse[axis] = 1 / (to - from); }
  bool is_periodic(int axis) const { return length[axis] > 0; }
  bool any() const { return length[0] + length[1] + length[2] > 0; }
  /// Infinite without periodic directions.
  double shortest() const {
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k)
      if (is_periodic(k)) least = std::fmin(least, length[k]);
    return least;
  }

  /// Periods between x and the image of x that is nearest to `from`; exactly zero where that is x itself.
  double periods(int axis, double from, double x) const { return std::rint((x - from) * inverse[axis]); }
  /// x := its image nearest to `from`.
  void to_nearest(const double* from, double* x) const {
    for (int k = 0; k < 3; ++k) x[k] -= length[k] * periods(k, from[k], x[k]);
  }
  /// How often the box fits between its lower side and x: zero inside.
  double cells(int axis, double x) const { return std::floor((x - lower[axis]) * inverse[axis]); }
  /// x := its image in the box.
  void wrap(double* x) const {
    for (int k = 0; k < 3; ++k) x[k] -= length[k] * cells(k, x[k]);
  }
  Vec3 wrapped(Vec3 x) const {
    wrap(x.data());
    return x;
  }

  /// f(image of x) for every image not further than `reach` from the box, of each opposite pair of shifts one: enough to
  /// find each pair across a side once, as a body and an image. x is in the box.
  template <class Function>
  void for_each_image(const double* x, double reach, Function&& f) const {
    int first[3], last[3];
    for (int k = 0; k < 3; ++k) {
      first[k] = is_periodic(k) && lower[k] + length[k] - x[k] <= reach ? -1 : 0;
      last[k] = is_periodic(k) && x[k] - lower[k] <= reach ? 1 : 0;
    }
    for (int i = 0; i <= last[0]; ++i)
      for (int j = i > 0 ? first[1] : 0; j <= last[1]; ++j)
        for (int k = i > 0 || j > 0 ? first[2] : 1; k <= last[2]; ++k) {
          const double image[3] = {x[0] + i * length[0], x[1] + j * length[1], x[2] + k * length[2]};
          f(image);
        }
  }
};

}  // namespace percussion

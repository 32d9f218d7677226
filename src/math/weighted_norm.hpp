// The norm in which the iterations of a step end (Breuling 6.7, 6.15, 6.17):
//
//   | e_k / (n (atol + rtol |size_k|)) |_2 < 1     element by element, n entries
//
// Entries may come in any order and from several ranks: sums of squares add.
#pragma once
#include <cmath>

namespace percussion {

/// In the units of the entries.
struct NormTolerance {
  double atol = 1e-10, rtol = 1e-10;
};

class WeightedNorm {
 public:
  /// `n`: entries on all ranks, at least 1.
  WeightedNorm(const NormTolerance& tolerance, double n) : tolerance_(tolerance), n_(n) {}

  void add(double e, double size) {
    const double part = e / (n_ * (tolerance_.atol + tolerance_.rtol * std::abs(size)));
    sum_ += part * part;
  }
  /// Of the entries of this rank. The norm is the root of the sum over ranks.
  double sum_of_squares() const { return sum_; }

 private:
  NormTolerance tolerance_;
  double n_, sum_ = 0;
};

}  // namespace percussion

// Radii of the bodies of a fill: uniform, lognormal or from a table, as a pure function of the random numbers of the body.
#pragma once
#include <vector>

#include "base/schema.hpp"
#include "math/random.hpp"

namespace percussion {

class SizeDistribution {
 public:
  static void add_keys(Schema& schema);
  /// InputError for ranges and tables that make no sense.
  explicit SizeDistribution(const Parameters& p);

  double smallest() const { return smallest_; }
  double largest() const { return largest_; }
  /// Uses draw 0 and, for the lognormal distribution, those from 2000 on.
  double radius(const CounterRandom& random) const;

 private:
  enum class Kind { uniform, lognormal, table } kind_;
  double smallest_, largest_, median_ = 0, sigma_ = 0;
  std::vector<double> radii_, cumulated_;
};

}  // namespace percussion

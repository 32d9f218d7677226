#include "app/size_distribution.hpp"

#include <algorithm>
#include <cmath>

namespace percussion {

void SizeDistribution::add_keys(Schema& s) {
  s.reals("radius", {1, 2}).required().positive().unit("m").doc("radius (other shapes: of the bounding sphere), or smallest and largest radius");
  s.text("sizes").one_of({"uniform", "lognormal", "table"}).fallback("uniform").doc("distribution of the radii, by number, between the two");
  s.real("median").positive().unit("m").doc("lognormal: median before the cut at smallest and largest; default their geometric mean");
  s.real("sigma").fallback(0.3).positive().doc("lognormal: standard deviation of the logarithm");
  s.reals("table").doc("sizes: table: radius, part of all bodies below it, radius, part...; both ascending, ending with 1; radii between are interpolated");
}

SizeDistribution::SizeDistribution(const Parameters& p) : smallest_(p.reals("radius").front()), largest_(p.reals("radius").back()) {
  if (smallest_ > largest_) p.fail("radius", "the smallest radius is above the largest", "[smallest, largest]", "exchange the two numbers");
  const std::string& sizes = p.text("sizes");
  kind_ = sizes == "lognormal" ? Kind::lognormal : sizes == "table" ? Kind::table : Kind::uniform;
  sigma_ = p.real("sigma"), median_ = p.has("median") ? p.real("median") : std::sqrt(smallest_ * largest_);
  if (kind_ == Kind::lognormal && (median_ < smallest_ || median_ > largest_))
    p.fail("median", "the median is outside the radii", "a number between smallest and largest radius", "correct median or radius");
  if ((kind_ == Kind::table) != p.has("table"))
    p.fail(p.has("table") ? "table" : "sizes", "a table and sizes: table go together", "both or none", "add the missing one");
  if (kind_ != Kind::table) return;
  const std::vector<double>& table = p.reals("table");
  for (std::size_t k = 0; k + 1 < table.size(); k += 2) radii_.push_back(table[k]), cumulated_.push_back(table[k + 1]);
  const bool ascending = std::is_sorted(radii_.begin(), radii_.end()) && std::is_sorted(cumulated_.begin(), cumulated_.end());
  if (table.size() % 2 != 0 || radii_.size() < 2 || !ascending || cumulated_.front() < 0 || cumulated_.back() != 1)
    p.fail("table", "is not a distribution", "pairs of radius and part below it, ascending, the last part 1", "correct the table");
  if (radii_.front() < smallest_ || radii_.back() > largest_)
    p.fail("table", "leaves the range of radius", "radii between smallest and largest radius", "correct table or radius");
}

double SizeDistribution::radius(const CounterRandom& random) const {
  if (kind_ == Kind::uniform || smallest_ == largest_) return random.uniform(0, smallest_, largest_);
  if (kind_ == Kind::lognormal) {
    for (std::uint64_t draw = 2000; draw < 2100; ++draw) {
      const double r = median_ * std::exp(sigma_ * random.normal(draw));
      if (r >= smallest_ && r <= largest_) return r;
    }
    return median_;  // the range is so narrow that hardly any draw falls into it
  }
  const double part = random.uniform(0);
  const auto upper = std::upper_bound(cumulated_.begin(), cumulated_.end(), part);
  if (upper == cumulated_.begin()) return radii_.front();
  const auto k = std::min<std::size_t>(upper - cumulated_.begin(), radii_.size() - 1);
  const double width = cumulated_[k] - cumulated_[k - 1], t = width > 0 ? (part - cumulated_[k - 1]) / width : 1.;
  return radii_[k - 1] + std::clamp(t, 0., 1.) * (radii_[k] - radii_[k - 1]);
}

}  // namespace percussion

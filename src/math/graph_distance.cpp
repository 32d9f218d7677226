#include "math/graph_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.hpp"

namespace percussion {

namespace {

constexpr double tolerance = 1e-6;
constexpr int most_halvings = 40;  // beyond, a piece is as short as rounding

/// Distance of p to the segment a-b in the metric (45). It is convex and piecewise linear along the segment: the minimum
/// is at an end, at a zero of one coordinate, or where both coordinates have equal size.
double distance(GraphPoint p, GraphPoint a, GraphPoint b) {
  const double t = a.t - p.t, x = a.x - p.x, dt = b.t - a.t, dx = b.x - a.x;
  const auto at = [&](double s) { return std::max(std::abs(t + s * dt), std::abs(x + s * dx)); };
  double least = std::min(at(0), std::max(std::abs(b.t - p.t), std::abs(b.x - p.x)));
  const auto consider = [&](double numerator, double denominator) {
    if (denominator == 0) return;
    const double s = numerator / denominator;
    if (s > 0 && s < 1) least = std::min(least, at(s));
  };
  consider(-t, dt);
  consider(-x, dx);
  consider(x - t, dt - dx);
  consider(-x - t, dt + dx);
  return least;
}

struct Hit {
  double distance;
  std::size_t segment;
};

class Polyline {
 public:
  explicit Polyline(std::span<const GraphPoint> points) : points_(points) {
    for (const GraphPoint& p : points) lower_ = std::min(lower_, p.x), upper_ = std::max(upper_, p.x);
  }

  double distance_to(GraphPoint p, std::size_t segment) const {
    return distance(p, points_[segment], points_[std::min(segment + 1, points_.size() - 1)]);
  }

  /// The nearest segment: from the one at the time of p outwards, as long as the times alone do not exclude it.
  Hit nearest(GraphPoint p) const {
    const std::size_t n = points_.size() > 1 ? points_.size() - 1 : 1;
    const auto after = std::lower_bound(points_.begin(), points_.end(), p.t, [](const GraphPoint& a, double t) { return a.t < t; });
    const auto index = static_cast<std::size_t>(after - points_.begin());
    const std::size_t start = std::min(index > 0 ? index - 1 : 0, n - 1);
    Hit best{distance_to(p, start), start};
    // Nothing can be nearer than the range of all x.
    const double bound = std::max({lower_ - p.x, p.x - upper_, 0.});
    const auto try_segment = [&](std::size_t k) {
      const double d = distance_to(p, k);
      if (d < best.distance) best = {d, k};
    };
    for (std::size_t k = start + 1; k < n && best.distance > bound && points_[k].t - p.t < best.distance; ++k) try_segment(k);
    for (std::size_t k = start; k-- > 0 && best.distance > bound && p.t - points_[k + 1].t < best.distance;) try_segment(k);
    return best;
  }

 private:
  std::span<const GraphPoint> points_;
  double lower_ = std::numeric_limits<double>::infinity(), upper_ = -lower_;
};

class Excess {
 public:
  explicit Excess(const Polyline& to) : to_(to) {}

  double operator()(std::span<const GraphPoint> from) {
    // Vertices first: with a good lower bound most pieces need no halving.
    std::vector<Hit> hits;
    hits.reserve(from.size());
    for (const GraphPoint& p : from) {
      hits.push_back(to_.nearest(p));
      largest_ = std::max(largest_, hits.back().distance);
    }
    for (std::size_t i = 0; i + 1 < from.size(); ++i) refine(from[i], hits[i], from[i + 1], hits[i + 1], 0);
    return largest_;
  }

 private:
  void refine(GraphPoint a, Hit hit_a, GraphPoint b, Hit hit_b, int halvings) {
    const double bound = std::min(std::max(hit_a.distance, to_.distance_to(b, hit_a.segment)),
                                  std::max(hit_b.distance, to_.distance_to(a, hit_b.segment)));
    if (bound <= (1 + tolerance) * largest_ || halvings == most_halvings) return;
    const GraphPoint middle{0.5 * (a.t + b.t), 0.5 * (a.x + b.x)};
    const Hit hit = to_.nearest(middle);
    largest_ = std::max(largest_, hit.distance);
    refine(a, hit_a, middle, hit, halvings + 1);
    refine(middle, hit, b, hit_b, halvings + 1);
  }

  const Polyline& to_;
  double largest_ = 0;
};

bool is_finite(std::span<const GraphPoint> points) {
  return std::all_of(points.begin(), points.end(), [](const GraphPoint& p) { return std::isfinite(p.t) && std::isfinite(p.x); });
}

}  // namespace

double graph_excess(std::span<const GraphPoint> from, std::span<const GraphPoint> to) {
  PERCUSSION_CHECK(!from.empty() && !to.empty(), "a graph has points");
  if (!is_finite(from) || !is_finite(to)) return std::numeric_limits<double>::infinity();
  const Polyline target(to);
  return Excess(target)(from);
}

double graph_distance(std::span<const GraphPoint> a, std::span<const GraphPoint> b) {
  return std::max(graph_excess(a, b), graph_excess(b, a));
}

}  // namespace percussion

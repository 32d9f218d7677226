#include "contact/manifold.hpp"

#include <algorithm>
#include <cmath>

namespace percussion {

constexpr double as_good = 1e-4;  // of the extent of the manifold

void Manifold::keep_deepest() {
  if (count_ <= max_manifold) return;
  std::partial_sort(points_.begin(), points_.begin() + max_manifold, points_.begin() + count_,
                    [](const ManifoldPoint& p, const ManifoldPoint& q) { return p.gap != q.gap ? p.gap < q.gap : p.feature < q.feature; });
  count_ = max_manifold;
}

void Manifold::reduce() {
  if (count_ <= max_manifold) return;
  const auto take = [&](int place, auto&& measure) {
    int best = place;
    for (int k = place + 1; k < count_; ++k) {
      // Points that are nearly as good are told apart by their feature: rounding and small motions must not choose.
      const double better = measure(points_[k]) - measure(points_[best]);
      if (better > as_good || (better > -as_good && points_[k].feature < points_[best].feature)) best = k;
    }
    std::swap(points_[place], points_[best]);
  };
  double spread = 0;
  for (int k = 1; k < count_; ++k) spread = std::max(spread, (points_[k].on_a - points_[0].on_a).norm());
  if (!(spread > 0)) {
    count_ = 1;
    return;
  }
  take(0, [&](const ManifoldPoint& p) { return -p.gap / spread; });
  const ManifoldPoint& p0 = points_[0];
  take(1, [&](const ManifoldPoint& p) { return (p.on_a - p0.on_a).norm() / spread; });
  const Vec3 across = p0.n.cross(points_[1].on_a - p0.on_a).normalized();
  const auto side = [&](const ManifoldPoint& p) { return across.dot(p.on_a - p0.on_a) / spread; };
  take(2, [&](const ManifoldPoint& p) { return std::abs(side(p)); });
  const double sign = side(points_[2]) > 0 ? -1 : 1;
  take(3, [&](const ManifoldPoint& p) { return sign * side(p); });
  count_ = max_manifold;
  // All on one side: the area of the triangle is what matters, a point inside it adds nothing but a fourth unknown.
  if (sign * side(points_[3]) <= as_good) count_ = 3;
}

void Manifold::exchange(int first) {
  for (int k = first; k < count_; ++k) {
    points_[k].n = -points_[k].n;
    std::swap(points_[k].on_a, points_[k].on_b);
  }
}

}  // namespace percussion

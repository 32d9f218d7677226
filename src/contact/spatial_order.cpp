#include "contact/spatial_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "contact/ball.hpp"
#include "math/morton.hpp"

namespace percussion {

std::vector<std::int32_t> spatial_order(const NodeStore& store, std::span<const double> q) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double cells = 1 << 21;
  const std::int32_t n = store.owned();
  std::vector<Ball> place(n, Ball{{inf, inf, inf}, 0});
  double lower[3] = {inf, inf, inf}, upper[3] = {-inf, -inf, -inf};
  const auto has_place = [&](std::int32_t i) { return std::isfinite(place[i].x[0] + place[i].x[1] + place[i].x[2]); };
  for (std::int32_t i = 0; i < n; ++i) {
    if (store[i].kind == NodeKind::generalized) continue;
    place[i] = ball_of(store, q, i);
    if (!has_place(i)) continue;
    for (int a = 0; a < 3; ++a) {
      lower[a] = std::min(lower[a], place[i].x[a]);
      upper[a] = std::max(upper[a], place[i].x[a]);
    }
  }
  const double length = std::max({upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]});
  const double scale = length > 0 ? cells / length : 0.;

  struct Key {
    std::uint64_t code;
    std::int64_t id;
    std::int32_t node;
  };
  std::vector<Key> keys(n);
  for (std::int32_t i = 0; i < n; ++i) {
    std::uint64_t cell[3] = {};
    for (int a = 0; a < 3 && has_place(i); ++a)
      cell[a] = static_cast<std::uint64_t>(std::min(cells - 1, (place[i].x[a] - lower[a]) * scale));
    keys[i] = {has_place(i) ? morton_code(cell[0], cell[1], cell[2]) : ~std::uint64_t{0}, store[i].id, i};
  }
  std::sort(keys.begin(), keys.end(),
            [](const Key& a, const Key& b) { return std::tie(a.code, a.id) < std::tie(b.code, b.id); });
  std::vector<std::int32_t> order(n);
  std::transform(keys.begin(), keys.end(), order.begin(), [](const Key& k) { return k.node; });
  return order;
}

}  // namespace percussion

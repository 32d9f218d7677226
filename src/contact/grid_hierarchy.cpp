#include "contact/grid_hierarchy.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace percussion {

namespace {

constexpr int max_levels = 32;  // whatever is smaller joins the last

struct Sizes {
  double r_max = 0;                          // of all balls
  std::array<double, max_levels> largest{};  // of each level
  std::array<std::int32_t, max_levels> count{};

  int level(double r) const { return std::min(std::ilogb(r_max / r), max_levels - 1); }
};

Sizes measure(std::span<const Ball> balls) {
  Sizes s;
  for (const Ball& b : balls) s.r_max = std::max(s.r_max, b.r);
  for (const Ball& b : balls) {
    const int l = s.level(b.r);
    s.largest[l] = std::max(s.largest[l], b.r);
    ++s.count[l];
  }
  return s;
}

// The common order follows the cells of the level with most balls.
double cell_of_order(const Sizes& s) {
  const auto most = std::max_element(s.count.begin(), s.count.end()) - s.count.begin();
  return s.count[most] > 0 ? 2 * s.largest[most] : 1.;
}

}  // namespace

GridHierarchy::GridHierarchy(std::span<const Ball> balls) : all_(balls, cell_of_order(measure(balls))) {
  const Sizes sizes = measure(balls);
  if (std::count_if(sizes.count.begin(), sizes.count.end(), [](std::int32_t n) { return n > 0; }) < 2) return;

  const std::int32_t n = all_.size();
  for (int l = 0; l < max_levels; ++l) {
    if (sizes.count[l] == 0) continue;
    std::vector<Ball> members;
    std::vector<std::int32_t> slot_of_member;
    members.reserve(sizes.count[l]);
    slot_of_member.reserve(sizes.count[l]);
    for (std::int32_t slot = 0; slot < n; ++slot) {
      if (sizes.level(all_.balls()[slot].r) != l) continue;
      members.push_back(all_.balls()[slot]);
      slot_of_member.push_back(slot);
    }
    Level level{CellGrid(members, 2 * sizes.largest[l]), std::vector<std::int32_t>(members.size())};
    for (std::size_t i = 0; i < members.size(); ++i) level.slot[i] = slot_of_member[level.grid.index()[i]];
    levels_.push_back(std::move(level));
  }
}

}  // namespace percussion

// Overlapping balls of any mixture of sizes, in linear time.
//
// Balls are grouped by size into levels, each with half the size of the one above and a CellGrid of its own. Pairs
// of one level are found in its grid; pairs of two levels from the smaller ball, which meets a few cells of the
// larger level's grid. So no ball ever looks through cells crowded with much smaller ones. Sizes within a factor
// of two need only one grid.
//
// All balls together also have one common order in space, the slots: contiguous in memory means near in space.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "contact/cell_grid.hpp"

namespace percussion {

class GridHierarchy {
 public:
  /// Coordinates must be finite, radii positive.
  explicit GridHierarchy(std::span<const Ball> balls);

  /// By slot: the balls, and their places in the input.
  std::span<const Ball> balls() const { return all_.balls(); }
  std::span<const std::int32_t> order() const { return all_.index(); }
  int levels() const { return levels_.empty() ? 1 : static_cast<int>(levels_.size()); }

  /// found(slot, other slot) once for every pair that overlaps.
  template <class Found>
  void for_each_pair(Found&& found) const {
    if (levels_.empty()) return all_.for_each_pair(found);
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const Level& small = levels_[l];
      small.grid.for_each_pair([&](std::int32_t i, std::int32_t j) { found(small.slot[i], small.slot[j]); });
      for (std::size_t m = 0; m < l; ++m) {
        const Level& large = levels_[m];
        for (std::int32_t i = 0; i < small.grid.size(); ++i)
          large.grid.for_each_near(small.grid.balls()[i],
                                   [&](std::int32_t j) { found(small.slot[i], large.slot[j]); });
      }
    }
  }

 private:
  struct Level {
    CellGrid grid;
    std::vector<std::int32_t> slot;  // common slot of the grid's slots
  };

  CellGrid all_;
  std::vector<Level> levels_;  // from large to small; none if all_ serves for the search too
};

}  // namespace percussion

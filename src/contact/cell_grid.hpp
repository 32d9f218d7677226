// Balls sorted into cubic cells by a counting sort, to find those that overlap.
//
// Cells are numbered with x fastest and the balls of a row of cells lie one after the other, so the neighbourhood of
// a cell is a few contiguous runs. The grid covers the bounding box of the balls. If that needs more than 4 cells per
// ball (a few bodies far away, a sparse cloud), the long axes are folded: cell k stands for all k + m p, with a prime
// p so that regular arrangements spread evenly. Balls that share a folded cell by chance are told apart by their
// distance. Memory is O(balls) whatever the box.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/ball.hpp"

namespace percussion {

inline bool overlap(const Ball& a, const Ball& b) {
  const double dx = b.x[0] - a.x[0], dy = b.x[1] - a.x[1], dz = b.x[2] - a.x[2], r = a.r + b.r;
  return dx * dx + dy * dy + dz * dz <= r * r;
}

class CellGrid {
 public:
  /// `cell_size` > 0. Coordinates must be finite; ball k is known by its slot afterwards.
  CellGrid(std::span<const Ball> balls, double cell_size);

  std::int32_t size() const { return static_cast<std::int32_t>(balls_.size()); }
  /// Ordered by cell; index()[slot] is the place in the input, ascending within a cell.
  std::span<const Ball> balls() const { return balls_; }
  std::span<const std::int32_t> index() const { return index_; }
  std::size_t cells() const { return start_.size() - 1; }
  /// Number of balls in the fullest cell: what the search costs at worst.
  std::int32_t fullest_cell() const;

  /// found(slot, other slot) once for every pair that overlaps. Needs cell_size >= 2 max r.
  template <class Found>
  void for_each_pair(Found&& found) const;

  /// found(slot) for every ball of the grid that overlaps `ball`. Needs cell_size >= ball.r + max r.
  template <class Found>
  void for_each_near(const Ball& ball, Found&& found) const;

 private:
  struct Axis {
    double lower = 0, upper = 0;
    std::int64_t needed = 1;  // cells over the whole extent
    std::int64_t n = 1;       // cells there are
    bool folded = false;
  };
  struct Run {
    std::int32_t begin, end;  // slots
  };
  /// Runs of the cells around one cell; at most five rows, each cut in three by folding.
  struct Runs {
    std::array<Run, 15> run;
    int count = 0;
    void add(Run r) {
      if (r.begin < r.end) run[count++] = r;
    }
  };

  void set_axes(std::span<const Ball> balls, double cell_size);
  std::int32_t cell_of(const Ball& ball) const;
  std::int64_t raw_cell(int axis, double x) const {
    return static_cast<std::int64_t>((x - axis_[axis].lower) * inverse_size_);
  }
  /// Cells x0 .. x1 of a row; x0 = -1 and x1 = n reach over the border of a folded axis.
  void add_row(Runs& runs, std::int64_t x0, std::int64_t x1, std::int64_t y, std::int64_t z) const;
  /// The neighbours of a cell that come after it.
  Runs later_neighbours(std::int64_t x, std::int64_t y, std::int64_t z) const;

  std::array<Axis, 3> axis_;
  double inverse_size_ = 1;
  double r_max_ = 0;
  double roundoff_ = 0;              // of a coordinate
  std::vector<std::int32_t> start_;  // first slot of each cell, and the end
  std::vector<std::int32_t> index_;
  std::vector<Ball> balls_;
};

// ---------------------------------------------------------------------------------------------------------------------

template <class Found>
void CellGrid::for_each_pair(Found&& found) const {
  std::size_t cell = 0;
  for (std::int64_t z = 0; z < axis_[2].n; ++z)
    for (std::int64_t y = 0; y < axis_[1].n; ++y)
      for (std::int64_t x = 0; x < axis_[0].n; ++x, ++cell) {
        const std::int32_t begin = start_[cell], end = start_[cell + 1];
        if (begin == end) continue;
        const Runs runs = later_neighbours(x, y, z);
        for (std::int32_t i = begin; i < end; ++i) {
          const Ball ball = balls_[i];
          for (std::int32_t j = i + 1; j < end; ++j)
            if (overlap(ball, balls_[j])) found(i, j);
          for (int k = 0; k < runs.count; ++k)
            for (std::int32_t j = runs.run[k].begin; j < runs.run[k].end; ++j)
              if (overlap(ball, balls_[j])) found(i, j);
        }
      }
}

template <class Found>
void CellGrid::for_each_near(const Ball& ball, Found&& found) const {
  // Wider by roundoff, so that a ball at the very border of its cell is seen.
  const double reach = (ball.r + r_max_) * (1 + 1e-12) + roundoff_;
  std::int64_t first[3], last[3];
  for (int a = 0; a < 3; ++a) {
    if (!(ball.x[a] + reach >= axis_[a].lower && ball.x[a] - reach <= axis_[a].upper)) return;
    first[a] = std::max<std::int64_t>(raw_cell(a, ball.x[a] - reach), 0);
    last[a] = std::min(raw_cell(a, ball.x[a] + reach), axis_[a].needed - 1);
    if (!axis_[a].folded) continue;
    last[a] = std::min(last[a] - first[a], axis_[a].n - 1);
    first[a] %= axis_[a].n;
    last[a] += first[a];
  }
  for (std::int64_t z = first[2]; z <= last[2]; ++z)
    for (std::int64_t y = first[1]; y <= last[1]; ++y) {
      const std::int64_t folded_z = z < axis_[2].n ? z : z - axis_[2].n, folded_y = y < axis_[1].n ? y : y - axis_[1].n;
      const std::int64_t row = (folded_z * axis_[1].n + folded_y) * axis_[0].n;
      const auto look = [&](std::int64_t x0, std::int64_t x1) {
        for (std::int32_t j = start_[row + x0]; j < start_[row + x1 + 1]; ++j)
          if (overlap(ball, balls_[j])) found(j);
      };
      look(first[0], std::min(last[0], axis_[0].n - 1));
      if (last[0] >= axis_[0].n) look(0, last[0] - axis_[0].n);
    }
}

}  // namespace percussion

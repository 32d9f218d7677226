#include "contact/cell_grid.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace percussion {

namespace {

constexpr double cells_per_ball = 4;

std::int64_t largest_prime_up_to(std::int64_t n) {
  const auto is_prime = [](std::int64_t p) {
    for (std::int64_t d = 2; d * d <= p; ++d)
      if (p % d == 0) return false;
    return true;
  };
  while (!is_prime(n)) --n;
  return n;
}

}  // namespace

CellGrid::CellGrid(std::span<const Ball> balls, double cell_size) {
  set_axes(balls, cell_size);
  start_.assign(axis_[0].n * axis_[1].n * axis_[2].n + 1, 0);

  // Counting sort: start_[c + 1] counts cell c, then becomes the slot after the last one placed in c.
  const auto n = static_cast<std::int32_t>(balls.size());
  std::vector<std::int32_t> cell(n);
  for (std::int32_t k = 0; k < n; ++k) {
    cell[k] = cell_of(balls[k]);
    ++start_[cell[k] + 1];
  }
  std::exclusive_scan(start_.begin() + 1, start_.end(), start_.begin() + 1, std::int32_t{0});
  index_.resize(n);
  balls_.resize(n);
  for (std::int32_t k = 0; k < n; ++k) {
    const std::int32_t slot = start_[cell[k] + 1]++;
    index_[slot] = k;
    balls_[slot] = balls[k];
  }
}

std::int32_t CellGrid::fullest_cell() const {
  std::int32_t most = 0;
  for (std::size_t c = 0; c < cells(); ++c) most = std::max(most, start_[c + 1] - start_[c]);
  return most;
}

void CellGrid::set_axes(std::span<const Ball> balls, double cell_size) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  double lower[3] = {inf, inf, inf}, upper[3] = {-inf, -inf, -inf};
  for (const Ball& ball : balls) {
    for (int a = 0; a < 3; ++a) {
      lower[a] = std::min(lower[a], ball.x[a]);
      upper[a] = std::max(upper[a], ball.x[a]);
    }
    r_max_ = std::max(r_max_, ball.r);
  }
  if (balls.empty()) return;

  // A little larger than asked for: roundoff must not put two balls at the largest distance two cells apart. It also
  // keeps cell numbers below 2^50.
  double extent = 0, magnitude = 0;
  for (int a = 0; a < 3; ++a) {
    extent = std::max(extent, upper[a] - lower[a]);
    magnitude = std::max({magnitude, std::abs(lower[a]), std::abs(upper[a])});
  }
  roundoff_ = 0x1p-51 * magnitude;
  inverse_size_ = 1. / (cell_size * (1 + 1e-9) + 0x1p-50 * extent);

  double needed[3];
  for (int a = 0; a < 3; ++a) {
    axis_[a] = {lower[a], upper[a], static_cast<std::int64_t>((upper[a] - lower[a]) * inverse_size_) + 1, 1, false};
    needed[a] = static_cast<double>(axis_[a].needed);
  }

  // Cut the longest axes to the largest common length that fits; at least 10 by the lower limit, so that the
  // neighbours of a folded cell are different cells.
  const double limit = std::max(1024., cells_per_ball * static_cast<double>(balls.size()));
  const auto fits = [&](double cap) {
    return std::min(needed[0], cap) * std::min(needed[1], cap) * std::min(needed[2], cap) <= limit;
  };
  std::int64_t cap = 10, too_long = static_cast<std::int64_t>(limit) + 1;
  while (too_long - cap > 1) {
    const std::int64_t middle = cap + (too_long - cap) / 2;
    (fits(static_cast<double>(middle)) ? cap : too_long) = middle;
  }
  const std::int64_t folded_length = largest_prime_up_to(cap);
  for (Axis& axis : axis_) {
    axis.folded = axis.needed > cap;
    axis.n = axis.folded ? folded_length : axis.needed;
  }
}

std::int32_t CellGrid::cell_of(const Ball& ball) const {
  std::int64_t c[3];
  for (int a = 0; a < 3; ++a) {
    c[a] = raw_cell(a, ball.x[a]);
    if (axis_[a].folded) c[a] %= axis_[a].n;
  }
  return static_cast<std::int32_t>((c[2] * axis_[1].n + c[1]) * axis_[0].n + c[0]);
}

void CellGrid::add_row(Runs& runs, std::int64_t x0, std::int64_t x1, std::int64_t y, std::int64_t z) const {
  const Axis &ax = axis_[0], &ay = axis_[1], &az = axis_[2];
  if (y < 0 || y == ay.n) {
    if (!ay.folded) return;
    y = y < 0 ? ay.n - 1 : 0;
  }
  if (z == az.n) {
    if (!az.folded) return;
    z = 0;
  }
  const std::int64_t row = (z * ay.n + y) * ax.n;
  const auto cells = [&](std::int64_t first, std::int64_t last) { return Run{start_[row + first], start_[row + last + 1]}; };
  if (ax.folded && x0 < 0) runs.add(cells(ax.n - 1, ax.n - 1));
  if (ax.folded && x1 == ax.n) runs.add(cells(0, 0));
  x0 = std::max<std::int64_t>(x0, 0);
  x1 = std::min(x1, ax.n - 1);
  if (x0 <= x1) runs.add(cells(x0, x1));
}

CellGrid::Runs CellGrid::later_neighbours(std::int64_t x, std::int64_t y, std::int64_t z) const {
  Runs runs;
  add_row(runs, x + 1, x + 1, y, z);
  add_row(runs, x - 1, x + 1, y + 1, z);
  for (const int dy : {-1, 0, 1}) add_row(runs, x - 1, x + 1, y + dy, z + 1);
  return runs;
}

}  // namespace percussion

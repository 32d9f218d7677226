#include "partition/geometric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "partition/balance.hpp"

namespace percussion {
namespace {

constexpr int bins = 16;        // one hexadecimal digit per round of the search
constexpr int cell_digits = 8;  // 32 bits per axis: far below a grain, and above the round-off of a lattice
constexpr int id_digits = 16;
constexpr int digits = 3 * cell_digits + id_digits;

struct Item {
  std::array<std::uint32_t, 3> cell;
  std::uint64_t id;
  std::int64_t weight;
  std::int32_t domain;
  bool left;
};

// A set of points still to be divided into `parts` parts, numbered from `first`.
struct Domain {
  int first, parts;
};

struct Cut {
  std::int32_t domain;
  int parts_left, parts_right;
  std::array<int, 3> axes{0, 1, 2};  // longest extent first
  std::int64_t weight = 0, count = 0;
  // State of the search: `before` (weight or count) and `count_left` are already on the left.
  bool by_count = false, done = true;
  std::int64_t target = 0, before = 0, count_left = 0;
  int bin = 0;
  bool bin_left = false;
};

int digit_of(const Item& item, const std::array<int, 3>& axes, int round) {
  if (round < 3 * cell_digits)
    return (item.cell[axes[round / cell_digits]] >> (4 * (cell_digits - 1 - round % cell_digits))) & 15U;
  return (item.id >> (4 * (digits - 1 - round))) & 15U;
}

void sum_over_ranks(MPI_Comm comm, std::vector<std::int64_t>& values) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_SUM, comm);
}

// The whole of the last bin goes to the side that leaves the cut nearer to its target.
void close(Cut& cut, std::int64_t bin_measure, std::int64_t bin_count) {
  cut.done = true;
  cut.bin_left = cut.before + bin_measure - cut.target <= cut.target - cut.before;
  if (cut.bin_left) cut.count_left += bin_count;
}

// Sets Item::left for the points of all cuts that are not done.
void search(MPI_Comm comm, std::vector<Item>& items, std::vector<Cut>& cuts,
            const std::vector<std::int32_t>& cut_of_domain) {
  const auto cut_of = [&](const Item& item) { return cut_of_domain[item.domain]; };
  std::vector<std::int32_t> candidates;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (const auto c = cut_of(items[i]); c >= 0 && !cuts[c].done) candidates.push_back(static_cast<std::int32_t>(i));

  std::vector<std::int64_t> histogram;  // per cut and bin: measure, count
  for (int round = 0; round < digits; ++round) {
    if (std::all_of(cuts.begin(), cuts.end(), [](const Cut& cut) { return cut.done; })) return;
    histogram.assign(cuts.size() * bins * 2, 0);
    for (const auto i : candidates) {
      const auto c = cut_of(items[i]);
      const auto slot = 2 * (static_cast<std::size_t>(c) * bins + digit_of(items[i], cuts[c].axes, round));
      histogram[slot] += cuts[c].by_count ? 1 : items[i].weight;
      histogram[slot + 1] += 1;
    }
    sum_over_ranks(comm, histogram);
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      auto& cut = cuts[c];
      if (cut.done) continue;
      const auto* bin = &histogram[2 * bins * c];
      for (cut.bin = 0; cut.before + bin[0] < cut.target; ++cut.bin, bin += 2) {
        cut.before += bin[0];
        cut.count_left += bin[1];
      }
      if (bin[1] == 1 || cut.before + bin[0] == cut.target || round + 1 == digits) close(cut, bin[0], bin[1]);
    }
    std::erase_if(candidates, [&](std::int32_t i) {
      const auto& cut = cuts[cut_of(items[i])];
      const int digit = digit_of(items[i], cut.axes, round);
      items[i].left = digit < cut.bin || (digit == cut.bin && cut.done && cut.bin_left);
      return digit != cut.bin || cut.done;
    });
  }
}

void measure(MPI_Comm comm, const std::vector<Item>& items, std::vector<Cut>& cuts,
             const std::vector<std::int32_t>& cut_of_domain) {
  std::vector<std::int64_t> box(cuts.size() * 6, std::numeric_limits<std::int64_t>::max());
  std::vector<std::int64_t> sums(cuts.size() * 2, 0);
  for (const auto& item : items) {
    const auto c = cut_of_domain[item.domain];
    if (c < 0) continue;
    for (int a = 0; a < 3; ++a) {
      const std::int64_t x = item.cell[a];
      box[6 * c + a] = std::min(box[6 * c + a], x);
      box[6 * c + 3 + a] = std::min(box[6 * c + 3 + a], -x);
    }
    sums[2 * c] += item.weight;
    sums[2 * c + 1] += 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, box.data(), static_cast<int>(box.size()), MPI_INT64_T, MPI_MIN, comm);
  sum_over_ranks(comm, sums);
  for (std::size_t c = 0; c < cuts.size(); ++c) {
    auto& cut = cuts[c];
    cut.weight = sums[2 * c];
    cut.count = sums[2 * c + 1];
    if (cut.count == 0) continue;
    const auto length = [&](int a) { return -box[6 * c + 3 + a] - box[6 * c + a]; };
    std::stable_sort(cut.axes.begin(), cut.axes.end(), [&](int a, int b) { return length(a) > length(b); });
  }
}

void aim(Cut& cut, std::int64_t target, bool by_count) {
  cut.target = std::max<std::int64_t>(target, 1);
  cut.by_count = by_count;
  cut.before = cut.count_left = 0;
  cut.done = false;
}

// One level: every domain with more than one part becomes two.
void divide(MPI_Comm comm, std::vector<Item>& items, std::vector<Domain>& domains) {
  std::vector<Cut> cuts;
  std::vector<std::int32_t> cut_of_domain(domains.size(), -1);
  for (std::size_t d = 0; d < domains.size(); ++d) {
    if (domains[d].parts == 1) continue;
    cut_of_domain[d] = static_cast<std::int32_t>(cuts.size());
    const int left = domains[d].parts / 2;
    cuts.push_back({.domain = static_cast<std::int32_t>(d), .parts_left = left,
                    .parts_right = domains[d].parts - left});
  }
  measure(comm, items, cuts, cut_of_domain);
  for (auto& cut : cuts) {
    const std::int64_t parts = cut.parts_left + cut.parts_right;
    const auto share = cut.weight / parts * cut.parts_left + cut.weight % parts * cut.parts_left / parts;
    if (cut.count > 0) aim(cut, share, false);
  }
  search(comm, items, cuts, cut_of_domain);

  // A few heavy points can leave one side with fewer points than parts: cut there by number.
  for (auto& cut : cuts) {
    if (cut.count < cut.parts_left + cut.parts_right) continue;
    if (cut.count_left < cut.parts_left) aim(cut, cut.parts_left, true);
    else if (cut.count - cut.count_left < cut.parts_right) aim(cut, cut.count - cut.parts_right, true);
  }
  search(comm, items, cuts, cut_of_domain);

  const auto first_new = static_cast<std::int32_t>(domains.size());
  for (const auto& cut : cuts) {
    domains.push_back({domains[cut.domain].first + cut.parts_left, cut.parts_right});
    domains[cut.domain].parts = cut.parts_left;
  }
  for (auto& item : items)
    if (const auto c = cut_of_domain[item.domain]; c >= 0 && !item.left) item.domain = first_new + c;
}

void check_input(std::span<const Point3> points, std::span<const double> weights, int parts,
                 std::span<const std::int64_t> ids) {
  if (parts < 1) throw RunError("recursive bisection: at least one part is needed");
  if ((!weights.empty() && weights.size() != points.size()) || (!ids.empty() && ids.size() != points.size()))
    throw RunError("recursive bisection: weights and ids must match the points");
  for (const auto& p : points)
    // The squares guard the extents against overflow too.
    if (!std::isfinite(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]))
      throw RunError("recursive bisection: a coordinate is not finite or beyond 1e154");
  for (const double w : weights)
    if (!(w >= 0) || !std::isfinite(w)) throw RunError("recursive bisection: a weight is negative or not finite");
}

}  // namespace

Extent extent_of(MPI_Comm comm, std::span<const Point3> points) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::array<double, 6> box{inf, inf, inf, inf, inf, inf};
  for (const auto& p : points)
    for (int a = 0; a < 3; ++a) {
      box[a] = std::min(box[a], p[a]);
      box[3 + a] = std::min(box[3 + a], -p[a]);
    }
  MPI_Allreduce(MPI_IN_PLACE, box.data(), 6, MPI_DOUBLE, MPI_MIN, comm);
  return {{box[0], box[1], box[2]}, {-box[3], -box[4], -box[5]}};
}

std::vector<std::int32_t> recursive_bisection(MPI_Comm comm, std::span<const Point3> points,
                                              std::span<const double> weights, int parts,
                                              std::span<const std::int64_t> ids) {
  all_or_none(comm, [&] { check_input(points, weights, parts, ids); });
  const Extent box = extent_of(comm, points);
  const double length = std::max({box.hi[0] - box.lo[0], box.hi[1] - box.lo[1], box.hi[2] - box.lo[2]});
  const double scale = length > 0 ? 0x1p32 / length : 0.;
  const auto weight = integer_weights(comm, weights);
  std::int64_t first_id = 0;
  const auto n_local = static_cast<std::int64_t>(points.size());
  MPI_Exscan(&n_local, &first_id, 1, MPI_INT64_T, MPI_SUM, comm);

  std::vector<Item> items(points.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::int64_t id = ids.empty() ? first_id + static_cast<std::int64_t>(i) : ids[i];
    items[i] = {{}, static_cast<std::uint64_t>(id), weights.empty() ? 1 : weight[i], 0, false};
    for (int a = 0; a < 3; ++a)
      items[i].cell[a] = static_cast<std::uint32_t>(std::min((points[i][a] - box.lo[a]) * scale, 0x1p32 - 1));
  }
  std::vector<Domain> domains{{0, parts}};
  while (std::any_of(domains.begin(), domains.end(), [](const Domain& d) { return d.parts > 1; }))
    divide(comm, items, domains);

  std::vector<std::int32_t> part(items.size());
  std::transform(items.begin(), items.end(), part.begin(), [&](const Item& i) { return domains[i.domain].first; });
  return part;
}

std::uint64_t morton_key(const Point3& point, const Extent& box) {
  constexpr double cells = 1 << 21;
  const auto spread = [](std::uint64_t x) {  // bit k to bit 3k
    x = (x | x << 32) & 0x001f00000000ffffULL;
    x = (x | x << 16) & 0x001f0000ff0000ffULL;
    x = (x | x << 8) & 0x100f00f00f00f00fULL;
    x = (x | x << 4) & 0x10c30c30c30c30c3ULL;
    return (x | x << 2) & 0x1249249249249249ULL;
  };
  std::uint64_t key = 0;
  for (int a = 0; a < 3; ++a) {
    const double length = box.hi[a] - box.lo[a];
    const double s = length > 0 ? (point[a] - box.lo[a]) / length * cells : 0.;
    key |= spread(static_cast<std::uint64_t>(std::clamp(s, 0., cells - 1))) << a;
  }
  return key;
}

std::vector<std::int32_t> morton_order(std::span<const Point3> points, const Extent& box) {
  std::vector<std::pair<std::uint64_t, std::int32_t>> keyed(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) keyed[i] = {morton_key(points[i], box), static_cast<std::int32_t>(i)};
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::int32_t> order(points.size());
  std::transform(keyed.begin(), keyed.end(), order.begin(), [](const auto& k) { return k.second; });
  return order;
}

}  // namespace percussion

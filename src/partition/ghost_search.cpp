#include "partition/ghost_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

#include "base/error.hpp"
#include "base/id_map.hpp"
#include "contact/ball.hpp"
#include "partition/node_points.hpp"
#include "partition/outbox.hpp"

namespace percussion {
namespace {

constexpr int max_levels = 24;  // sizes down to 4^-23 of the largest; what is smaller joins the last level

/// A node that takes part, with its level of size: 0 is the largest.
struct Sphere {
  Point3 x;
  double reach;
  std::int32_t node, level;
};

struct Cell {
  std::int32_t level = 0;
  std::array<std::int32_t, 3> at{};
  friend bool operator==(const Cell&, const Cell&) = default;
};

std::uint64_t hash_of(const Cell& c) {
  std::uint64_t h = static_cast<std::uint64_t>(c.level);
  for (const auto i : c.at) h = mix_bits(h * 0x9e3779b97f4a7c15ull + static_cast<std::uint32_t>(i));
  return h;
}

struct CellHash {
  std::size_t operator()(const Cell& c) const { return hash_of(c); }
};

int directory_rank(Cell c, int ranks) {
  for (auto& i : c.at) i >>= 3;
  return static_cast<int>((hash_of(c) >> 32) % static_cast<std::uint64_t>(ranks));
}

/// Box of some nodes and the largest reach among them; empty if reach < 0.
struct Region {
  Point3 lo{}, hi{};
  double reach = -1;

  void add(const Sphere& s) {
    if (reach < 0) lo = hi = s.x;
    for (int d = 0; d < 3; ++d) lo[d] = std::min(lo[d], s.x[d]), hi[d] = std::max(hi[d], s.x[d]);
    reach = std::max(reach, s.reach);
  }
  bool meets(const Region& other) const {
    if (reach < 0 || other.reach < 0) return false;
    double distance2 = 0;
    for (int d = 0; d < 3; ++d) {
      const double apart = std::max({lo[d] - other.hi[d], other.lo[d] - hi[d], 0.});
      distance2 += apart * apart;
    }
    return distance2 <= (reach + other.reach) * (reach + other.reach);
  }
  bool meets(const Sphere& s) const { return meets(Region{s.x, s.x, s.reach}); }
};

/// What a rank has near a cell. A pair belongs to the grid of its larger partner, so a node of this level looks at
/// everything the other rank has (`all`), a smaller one only at what is of this level (`level`).
struct Announcement {
  Region all, level;
  std::int32_t occupied = 0;  ///< some node lies in the cell
  std::int32_t rank = -1;

  bool meets(const Sphere& s, std::int32_t grid_level) const { return (s.level == grid_level ? all : level).meets(s); }
  bool meets(const Announcement& other) const { return all.meets(other.level) || level.meets(other.all); }
};

using Announcements = std::unordered_map<Cell, Announcement, CellHash>;

/// The grid of one level, whose nodes reach no further than `reach`.
struct Grid {
  std::int32_t level = 0;
  double reach = 0, per_edge = 0;

  Grid(std::int32_t l, double largest) : level(l), reach(std::ldexp(largest, -2 * l)), per_edge(0.25 / reach) {}

  // Far away nodes share the border cells: correct, if slow.
  std::int32_t index(double x) const {
    constexpr double bound = 1 << 30;
    return static_cast<std::int32_t>(std::clamp(std::floor(x * per_edge), -bound, bound));
  }
  Cell cell(const Sphere& s) const { return {level, {index(s.x[0]), index(s.x[1]), index(s.x[2])}}; }

  void announce(const Sphere& s, Announcements& announcements) const {
    const double width = s.reach + reach;
    std::array<std::int32_t, 3> first, last;
    for (int d = 0; d < 3; ++d) first[d] = index(s.x[d] - width), last[d] = index(s.x[d] + width);
    for (auto i = first[0]; i <= last[0]; ++i)
      for (auto j = first[1]; j <= last[1]; ++j)
        for (auto k = first[2]; k <= last[2]; ++k) {
          auto& a = announcements[{level, {i, j, k}}];
          a.all.add(s);
          if (s.level == level) a.level.add(s);
        }
    announcements[cell(s)].occupied = 1;
  }
};

std::vector<Sphere> spheres_of(const NodeStore& nodes, double margin, const PeriodicBox& periodic) {
  if (!(margin >= 0) || !std::isfinite(margin)) throw RunError("ghosts: the margin is " + std::to_string(margin));
  std::vector<Sphere> spheres;
  spheres.reserve(nodes.owned());
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    if (!is_detectable(nodes[i])) continue;
    auto x = point_of(nodes, i);
    if (!std::isfinite(x[0] + x[1] + x[2]) || !std::isfinite(nodes[i].radius))
      throw RunError("ghosts: the position or radius of node " + std::to_string(nodes[i].id) + " is not finite");
    periodic.wrap(x.data());
    spheres.push_back({x, nodes[i].radius + margin, i, 0});
  }
  return spheres;
}

/// Appends the images that can meet a sphere of the box.
void add_images(const PeriodicBox& periodic, double largest, std::vector<Sphere>& spheres) {
  const std::size_t bodies = spheres.size();
  for (std::size_t k = 0; k < bodies; ++k) {
    const Sphere s = spheres[k];
    periodic.for_each_image(s.x.data(), s.reach + largest, [&](const double* x) {
      spheres.push_back({{x[0], x[1], x[2]}, s.reach, s.node, s.level});
    });
  }
}

/// Collective. Sets the levels and returns the grids in use on any rank.
std::vector<Grid> set_levels(MPI_Comm comm, std::vector<Sphere>& spheres, double largest) {
  std::uint64_t used = 0;
  for (auto& s : spheres) {
    double bound = largest / 4;
    while (s.level + 1 < max_levels && s.reach <= bound) ++s.level, bound /= 4;
    used |= std::uint64_t{1} << s.level;
  }
  MPI_Allreduce(MPI_IN_PLACE, &used, 1, MPI_UINT64_T, MPI_BOR, comm);
  std::vector<Grid> grids;
  for (std::int32_t level = 0; level < max_levels; ++level)
    if (used >> level & 1) grids.emplace_back(level, largest);
  return grids;
}

struct Arrival {
  Cell cell;
  Announcement announcement;
};

/// Collective. What other ranks have near the cells that this rank occupies, from the directory.
std::vector<Arrival> rendezvous(MPI_Comm comm, int ranks, int me, const Announcements& announcements) {
  Outbox to_directory;
  for (const auto& [cell, announcement] : announcements) {
    Arrival record{cell, announcement};
    record.announcement.rank = me;
    to_directory.to(directory_rank(cell, ranks)).put(record);
  }
  std::unordered_map<Cell, std::vector<Announcement>, CellHash> directory;
  for (const auto& message : to_directory.exchange(comm))
    for (Unpacker unpacker(message.data); !unpacker.empty();) {
      const auto record = unpacker.get<Arrival>();
      directory[record.cell].push_back(record.announcement);
    }

  Outbox answers;
  for (const auto& [cell, present] : directory)
    for (const auto& large : present) {
      // Only pairs with a node of the grid's level count, so a drum's cell does not bring all its ranks together.
      if (large.level.reach < 0) continue;
      for (const auto& other : present) {
        const bool seen_from_other = other.level.reach >= 0 && other.rank <= large.rank;
        if (other.rank == large.rank || seen_from_other || !large.meets(other)) continue;
        if (other.occupied) answers.to(other.rank).put(Arrival{cell, large});
        if (large.occupied) answers.to(large.rank).put(Arrival{cell, other});
      }
    }
  std::vector<Arrival> arrivals;
  for (const auto& message : answers.exchange(comm))
    for (Unpacker unpacker(message.data); !unpacker.empty();) arrivals.push_back(unpacker.get<Arrival>());
  return arrivals;
}

}  // namespace

std::vector<NodeCopy> find_contact_ghosts(MPI_Comm comm, const NodeStore& nodes, double margin, const PeriodicBox& periodic) {
  int me = 0, ranks = 1;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  std::vector<Sphere> spheres;
  all_or_none(comm, [&] { spheres = spheres_of(nodes, margin, periodic); });
  if (ranks == 1) return {};

  double largest = 0;
  for (const auto& s : spheres) largest = std::max(largest, s.reach);
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, comm);
  if (periodic.any()) add_images(periodic, largest, spheres);
  const auto grids = set_levels(comm, spheres, largest);
  Announcements announcements;
  for (const auto& grid : grids)
    for (const auto& s : spheres)
      if (s.level >= grid.level) grid.announce(s, announcements);

  std::unordered_map<Cell, std::vector<Announcement>, CellHash> near;
  for (const auto& arrival : rendezvous(comm, ranks, me, announcements))
    near[arrival.cell].push_back(arrival.announcement);

  std::vector<NodeCopy> copies;
  for (const auto& grid : grids)
    for (const auto& s : spheres) {
      if (s.level < grid.level) continue;
      const auto at = near.find(grid.cell(s));
      if (at == near.end()) continue;
      for (const auto& other : at->second)
        if (other.meets(s, grid.level)) copies.push_back({other.rank, s.node});
    }
  std::sort(copies.begin(), copies.end());
  copies.erase(std::unique(copies.begin(), copies.end()), copies.end());
  return copies;
}

}  // namespace percussion

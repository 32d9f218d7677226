#include "io/contact_graph.hpp"

#include <algorithm>
#include <tuple>

#include "partition/graph_builder.hpp"
#include "partition/index_blocks.hpp"
#include "partition/send_items.hpp"

namespace percussion {

namespace {

using Pair = std::pair<std::int64_t, std::int64_t>;

void sort_unique(std::vector<Pair>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

/// A body with many contacts would connect all pairs of them; the next few keep the graph in one piece at
/// linear cost.
constexpr std::size_t reach = 8;

std::vector<Pair> through_columns(MPI_Comm comm, const UnitNumbers& numbers,
                                  std::span<const MatrixEntry> entries, std::int64_t columns) {
  struct Use {
    std::int64_t column, unit;
  };
  const IndexBlocks share(comm, columns);
  std::vector<Use> uses;
  for (const MatrixEntry& e : entries) uses.push_back({e.column, numbers.unit(e.row)});
  uses = send_items(comm, uses, [&](const Use& use) { return share.owner(use.column); });
  std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
    return std::tie(a.column, a.unit) < std::tie(b.column, b.unit);
  });
  std::vector<Pair> pairs;
  for (std::size_t k = 0; k < uses.size(); ++k)
    for (std::size_t l = k + 1; l < uses.size() && l <= k + reach && uses[l].column == uses[k].column; ++l)
      pairs.emplace_back(uses[k].unit, uses[l].unit);
  return pairs;
}

}  // namespace

std::vector<std::int32_t> partition_units(MPI_Comm comm, const UnitNumbers& numbers,
                                          std::span<const MatrixEntry> entries, std::int64_t through) {
  const IndexBlocks share(comm, numbers.units());
  std::vector<Pair> pairs;
  if (share.ranks == 1) return std::vector<std::int32_t>(static_cast<std::size_t>(share.size()), 0);
  if (through > 0) {
    pairs = through_columns(comm, numbers, entries, through);
  } else {
    for (const MatrixEntry& e : entries) pairs.emplace_back(numbers.unit(e.row), numbers.unit(e.column));
  }
  sort_unique(pairs);
  std::vector<GraphEdge> edges;
  for (const auto& [a, b] : pairs) edges.push_back({a, b, 1});
  return partition_graph(comm, build_graph(comm, share.size(), edges), share.ranks).part;
}

}  // namespace percussion

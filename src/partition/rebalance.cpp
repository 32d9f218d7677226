#include "partition/rebalance.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "partition/balance.hpp"
#include "partition/graph_builder.hpp"
#include "partition/node_points.hpp"
#include "partition/relabel.hpp"

namespace percussion {
namespace {

std::int64_t sum(MPI_Comm comm, std::int64_t value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, comm);
  return value;
}

void check(const NodeStore& nodes, std::span<const NodeEdge> edges, std::span<const double> costs) {
  if (!costs.empty() && costs.size() != static_cast<std::size_t>(nodes.owned()))
    throw RunError("rebalance: one cost per owned node, or none");
  for (const double cost : costs)
    if (!(cost >= 0) || !std::isfinite(cost)) throw RunError("rebalance: a node has the cost " + std::to_string(cost));
  for (const auto& e : edges)
    if (std::min(e.a, e.b) < 0 || std::max(e.a, e.b) >= nodes.size() || e.weight < 1)
      throw RunError("rebalance: bad edge " + std::to_string(e.a) + " - " + std::to_string(e.b) + " of weight " +
                     std::to_string(e.weight));
}

/// Collective. Global vertex number of each local node: owned nodes consecutively in rank order.
std::vector<std::int64_t> vertex_numbers(const NodeStore& nodes, const Distribution& distribution) {
  const std::int64_t owned = nodes.owned();
  std::int64_t first = 0;
  MPI_Exscan(&owned, &first, 1, MPI_INT64_T, MPI_SUM, distribution.comm());
  if (distribution.rank() == 0) first = 0;  // MPI leaves it undefined there
  std::vector<std::int64_t> vertex(static_cast<std::size_t>(nodes.size()));
  for (std::int64_t i = 0; i < owned; ++i) vertex[i] = first + i;
  halo_broadcast<std::int64_t>(distribution.halo(), vertex);
  return vertex;
}

/// Collective.
DistributedGraph graph_of(const NodeStore& nodes, const Distribution& distribution, std::span<const NodeEdge> edges) {
  std::vector<GraphEdge> graph_edges;
  if (sum(distribution.comm(), static_cast<std::int64_t>(edges.size())) > 0) {
    const auto vertex = vertex_numbers(nodes, distribution);
    for (const auto& e : edges) graph_edges.push_back({vertex[e.a], vertex[e.b], e.weight});
  }
  return build_graph(distribution.comm(), nodes.owned(), graph_edges);
}

}  // namespace

Rebalance propose_rebalance(const NodeStore& nodes, const Distribution& distribution, std::span<const NodeEdge> edges,
                            std::span<const double> costs, RebalanceMethod method) {
  const MPI_Comm comm = distribution.comm();
  const int ranks = distribution.ranks();
  all_or_none(comm, [&] { check(nodes, edges, costs); });

  auto graph = graph_of(nodes, distribution, edges);
  if (sum(comm, static_cast<std::int64_t>(costs.size())) > 0) graph.vwgt = integer_weights(comm, costs);
  graph.xyz = owned_points(nodes);

  Rebalance result;
  const std::vector<std::int32_t> present(graph.n_local(), distribution.rank());
  result.imbalance_before = part_imbalance(comm, graph, present, ranks);
  result.cut_before = edge_cut(comm, graph, present);

  if (method == RebalanceMethod::geometric) {
    const std::vector<double> weights(graph.vwgt.begin(), graph.vwgt.end());
    result.destination = recursive_bisection(comm, graph.xyz, weights, ranks, owned_ids(nodes));
    result.method = PartitionMethod::geometric;
    result.imbalance_after = part_imbalance(comm, graph, result.destination, ranks);
    result.cut_after = edge_cut(comm, graph, result.destination);
  } else {
    auto partition = partition_graph(comm, graph, ranks);
    result.destination = std::move(partition.part);
    result.method = partition.method;
    result.note = std::move(partition.note);
    result.imbalance_after = partition.imbalance;
    result.cut_after = partition.edge_cut;
  }
  relabel_parts(comm, result.destination);
  result.moving = sum(comm, std::count_if(result.destination.begin(), result.destination.end(),
                                          [&](std::int32_t rank) { return rank != distribution.rank(); }));
  return result;
}

void append_edges(const ContributionStore& contributions, std::int32_t weight, std::vector<NodeEdge>& edges) {
  constexpr std::size_t largest_clique = 4;
  for (std::int32_t k = 0; k < contributions.size(); ++k) {
    const auto nodes = contributions.local_nodes(k);
    const std::size_t centres = nodes.size() <= largest_clique ? nodes.size() : 1;
    for (std::size_t a = 0; a < centres; ++a)
      for (std::size_t b = a + 1; b < nodes.size(); ++b) edges.push_back({nodes[a], nodes[b], weight});
  }
}

}  // namespace percussion

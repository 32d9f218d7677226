// A new owner for each node, so that the ranks have equal work and few contacts and contributions cross between them.
//
// The graph of the model: vertices = nodes with their measured cost, edges = contacts and contributions with what it
// costs to cut them. Partitioned by the ParMETIS interface, or by bisection of space for a first guess without a graph;
// the parts are then named after the ranks that hold most of them, so that little moves.
// Only proposes: Distribution::migrate carries it out. O(ranks) numbers per rank by ParMETIS' definition: for
// redistribution, not inside a step.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/node_store.hpp"
#include "partition/contribution_store.hpp"
#include "partition/distribution.hpp"
#include "partition/graph_partition.hpp"

namespace percussion {

/// Between two local nodes, owned or ghost. An edge listed by several ranks counts several times.
struct NodeEdge {
  std::int32_t a = 0, b = 0;
  std::int32_t weight = 1;  ///< >= 1
};

enum class RebalanceMethod { graph, geometric };

struct Rebalance {
  std::vector<std::int32_t> destination;  ///< rank for each owned node
  PartitionMethod method = PartitionMethod::trivial;  ///< what was used in the end
  std::string note;               ///< why that is not what was asked for; empty otherwise
  double imbalance_before = 1;    ///< heaviest rank / average rank
  double imbalance_after = 1;
  std::int64_t cut_before = 0;    ///< weight of the edges between ranks
  std::int64_t cut_after = 0;
  std::int64_t moving = 0;        ///< nodes that change their rank, in all
};

/// Collective. `costs`: one finite number >= 0 per owned node, or empty on all ranks for equal cost. Needs ghosts
/// (build_ghosts) unless no rank lists an edge. RunError on all ranks for bad costs or edges.
Rebalance propose_rebalance(const NodeStore& nodes, const Distribution& distribution, std::span<const NodeEdge> edges,
                            std::span<const double> costs, RebalanceMethod method = RebalanceMethod::graph);

/// Local. An edge between each two of the nodes of each contribution; a star around the first node beyond four nodes.
void append_edges(const ContributionStore& contributions, std::int32_t weight, std::vector<NodeEdge>& edges);

}  // namespace percussion

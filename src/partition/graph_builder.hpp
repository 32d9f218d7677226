// A DistributedGraph from edges that each rank lists as it knows them (its contacts, elements, joints).
#pragma once
#include <mpi.h>

#include <cstdint>
#include <span>

#include "partition/graph_partition.hpp"

namespace percussion {

struct GraphEdge {
  std::int64_t a = 0, b = 0;  ///< vertex numbers
  std::int64_t weight = 1;
};

/// Collective. Rank r gets `n_local` consecutive vertices, in rank order. An edge is listed on any rank, in either
/// direction; edges listed more than once are added up, loops are dropped. The caller may then set vwgt and xyz.
/// RunError on all ranks for a vertex that does not exist or a weight below 1.
DistributedGraph build_graph(MPI_Comm comm, std::int64_t n_local, std::span<const GraphEdge> edges);

}  // namespace percussion

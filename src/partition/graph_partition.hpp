// Partition of a distributed weighted graph by ParMETIS (or PT-Scotch's ParMETIS interface), checked, with a
// geometric partition to fall back on.
//
// For redistribution only, never inside a step: `vtxdist` is O(ranks) by the library's definition and the check of
// the part weights is O(parts).
#pragma once
#include <mpi.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "partition/geometric.hpp"

namespace percussion {

/// The layout of ParMETIS: rank r holds the vertices vtxdist[r] .. vtxdist[r+1]-1; the neighbours of its i-th vertex
/// are adjncy[xadj[i]] .. adjncy[xadj[i+1]-1] (global numbers). Symmetric in edges and weights, no loops, no edge
/// twice: build_graph (graph_builder.hpp) makes such a graph from a list of edges. Ranks may be empty.
struct DistributedGraph {
  std::vector<std::int64_t> vtxdist;  ///< ranks + 1 numbers, the same on all ranks
  std::vector<std::int64_t> xadj{0}, adjncy;
  std::vector<std::int64_t> vwgt;    ///< >= 1, or empty on all ranks for 1
  std::vector<std::int64_t> adjwgt;  ///< likewise
  std::vector<Point3> xyz;           ///< optional, for the fallback; on all ranks or on none

  std::size_t n_local() const { return xadj.size() - 1; }
};

enum class PartitionMethod {
  library,      ///< ParMETIS interface
  trivial,      ///< one part, or not more vertices than parts
  geometric,    ///< recursive bisection of xyz: the library's answer was unusable, see the note
  index_blocks  ///< the same without xyz: consecutive vertices
};

struct GraphPartition {
  std::vector<std::int32_t> part;  ///< per local vertex, 0 .. parts-1
  PartitionMethod method = PartitionMethod::trivial;
  std::string note;           ///< why the library's answer was not used; empty otherwise
  double imbalance = 1;       ///< heaviest part / average part
  std::int64_t edge_cut = 0;  ///< weight of the edges between parts, each edge once
};

/// Collective. Throws RunError on all ranks if the graph is malformed; any failure of the library is mended by the
/// fallback and said in `note`.
GraphPartition partition_graph(MPI_Comm comm, const DistributedGraph& graph, int parts);

/// Collective. Weight of the edges whose ends are in different parts, each edge once.
std::int64_t edge_cut(MPI_Comm comm, const DistributedGraph& graph, std::span<const std::int32_t> part);

/// Collective. Heaviest part / average part, 1 for a graph without vertices.
double part_imbalance(MPI_Comm comm, const DistributedGraph& graph, std::span<const std::int32_t> part, int parts);

namespace detail {

struct LibraryAnswer {
  std::vector<std::int32_t> part;
  std::string problem;  ///< the same on all ranks; empty: the library reported success
};
using Library = std::function<LibraryAnswer(MPI_Comm, const DistributedGraph&, int parts)>;

/// partition_graph with another library behind it: the tests pass ones that answer wrongly.
GraphPartition partition_with(const Library& library, MPI_Comm comm, const DistributedGraph& graph, int parts);

}  // namespace detail

/// The library behind partition_graph, with its version.
const char* partitioner_name();

}  // namespace percussion

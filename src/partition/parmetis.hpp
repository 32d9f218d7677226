// The only door to ParMETIS_V3_PartKway; everybody else calls partition_graph, which checks the answer.
#pragma once
#include <mpi.h>

#include "partition/graph_partition.hpp"

namespace percussion::detail {

/// Collective. The graph is valid, has edges, and more vertices than parts; parts > 1. Ranks without vertices stay
/// out of the library's call: the real ParMETIS refuses them.
LibraryAnswer parmetis_kway(MPI_Comm comm, const DistributedGraph& graph, int parts);

}  // namespace percussion::detail

// Which owned nodes must be copied to which other ranks so that every contact pair is seen, for any partition.
//
// Reach of a node = radius + margin. Nodes i, j of different ranks are a pair if |x_i - x_j| <= reach_i + reach_j; the
// owner of i then sends i to the owner of j, and conversely. Only detectable nodes (contact/ball.hpp) take part. For a
// Verlet list of pairs with gap <= skin the margin is skin / 2. In a periodic box x_j stands for all its images: nodes near a
// side take part once more as their images at the other side. A node is one copy on a rank, whatever images meet there.
//
// Rendezvous: space is cut into cubic cells four times as wide as the largest reach. For every cell that its nodes
// reach into, a rank tells the directory rank of the cell the box of these nodes and their largest reach; where two
// ranks meet, the directory passes the announcements on, and each owner tests its nodes against the other's box.
// The directory rank is a hash of the 8 x 8 x 8 block a cell is in, so a compact domain talks to few of them.
// Bodies much larger than the others (a drum among grains) must not coarsen the cells of the small ones: nodes are
// sorted into levels of size, a factor 4 each, with one grid per level in use. The grid of a level finds the pairs
// whose larger partner is of that level.
//
// Cost per rank: two Allreduce, two sparse exchanges; O(levels x owned) work, memory O(cells reached). Sends about
// 160 bytes per cell reached (some ten equal grains) to as many ranks as there are blocks touched. For the rebuild of
// the Verlet list, never each step.
#pragma once
#include <mpi.h>

#include <compare>
#include <cstdint>
#include <vector>

#include "model/node_store.hpp"
#include "model/periodic_box.hpp"

namespace percussion {

struct NodeCopy {
  int rank = 0;           ///< that needs
  std::int32_t node = 0;  ///< this owned node
  friend auto operator<=>(const NodeCopy&, const NodeCopy&) = default;
};

/// Collective. Sorted by rank, then node; no repetitions. RunError on all ranks if a position or radius is not finite
/// or the margin is negative.
std::vector<NodeCopy> find_contact_ghosts(MPI_Comm comm, const NodeStore& nodes, double margin, const PeriodicBox& periodic = {});

}  // namespace percussion

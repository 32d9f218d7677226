// Distribution: which rank owns which node, the ghost copies of the others, and moving nodes between ranks.
//
// The NodeStore belongs to the caller; only these functions change its set of nodes. Life of a run:
//
//   adopt_nodes      once the owned nodes are in the store (and after anybody else added or removed owned nodes)
//   build_ghosts     whenever the Verlet list is rebuilt: contact ghosts and the nodes contributions need
//   update_ghosts    each step: q and u of the ghosts <- owner
//   migrate          when the load has become uneven; then build_ghosts again
//   reorder          local, before build_ghosts: owned nodes in spatial order
//
// migrate and reorder drop all ghosts: halo(), update_ghosts and local indices of ghosts are void until the next
// build_ghosts. Channels made on halo() must be made anew after each build_ghosts.
// Memory is O(owned + ghosts) per rank; nothing is O(ranks). All functions are collective unless marked local.
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/id_map.hpp"
#include "model/node_store.hpp"
#include "model/periodic_box.hpp"
#include "partition/halo.hpp"
#include "partition/halo_channel.hpp"
#include "partition/owner_directory.hpp"

namespace percussion {

/// A node that must be here for another reason than contact, for instance a contribution.
struct GhostRequest {
  std::int64_t id = -1;
};

/// A record that follows a node to its new owner. `kind` tells the users of one list of payloads apart.
struct Payload {
  std::int64_t node_id = -1;
  std::int32_t kind = 0;
  std::vector<std::byte> data;
};

class Distribution {
 public:
  explicit Distribution(MPI_Comm comm);

  MPI_Comm comm() const { return halo_.comm(); }
  int rank() const { return halo_.rank(); }
  int ranks() const { return ranks_; }

  /// Makes the owned nodes of the store known to the ranks; drops ghosts. RunError on all ranks if an id is negative
  /// or owned twice.
  void adopt_nodes(NodeStore& nodes);

  /// Drops the old ghosts and appends, grouped by owner and sorted by id, copies of
  ///  - every node that may come in contact with an owned one: |x_i - x_j| <= r_i + r_j + 2 margin, so the margin
  ///    is half the skin of the Verlet list, and a few more;
  ///  - the requested nodes (requests for owned nodes and repetitions are fine).
  /// Then builds the halo. RunError on all ranks if a requested node does not exist or a position is not finite.
  /// Seven sparse exchanges; see ghost_search.hpp for their cost.
  /// In a periodic box x_j is the nearest image.
  void build_ghosts(NodeStore& nodes, double margin, std::span<const GhostRequest> extra = {}, const PeriodicBox& periodic = {});

  /// q and u of the ghosts <- owner. In the split form q and u may be read and written in between, but for the
  /// ghosts' blocks, which finish overwrites with the owners' values at the time of start.
  void update_ghosts(NodeStore& nodes);
  void update_ghosts_start(const NodeStore& nodes);
  void update_ghosts_finish(NodeStore& nodes);

  /// Owned node i goes to rank destination[i], with its payloads. On return the store holds the nodes that stayed, in
  /// their order, then those received, by source rank; `payloads` the records of the nodes now owned here, likewise.
  /// RunError on all ranks for a destination that is no rank or a payload of a node not owned here.
  void migrate(NodeStore& nodes, std::span<const std::int32_t> destination, std::vector<Payload>& payloads);

  /// Local. The k-th owned node becomes the one that was order[k]; drops ghosts.
  void reorder(NodeStore& nodes, std::span<const std::int32_t> order);

  /// Owner rank of each id, -1 if there is no such node. Two sparse exchanges.
  std::vector<std::int32_t> owner_of(std::span<const std::int64_t> ids) const;

  /// Local. Index of a node in the store, owned or ghost; -1 if it is not here.
  std::int32_t local(std::int64_t id) const { return local_.find(id); }

  /// Local. False before the first build_ghosts and after migrate, reorder and adopt_nodes.
  bool has_ghosts() const { return has_ghosts_; }
  /// Local. Who shares nodes with whom; one entity per node, numbered as in the store.
  const Halo& halo() const;

 private:
  void drop_ghosts(NodeStore& nodes);

  int ranks_ = 1;
  Halo halo_;
  OwnerDirectory directory_;
  IdMap local_;
  std::optional<HaloChannel<double>> q_channel_, u_channel_;
  bool has_ghosts_ = false;
};

}  // namespace percussion

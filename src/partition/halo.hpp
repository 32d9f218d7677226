// Halo: who holds copies of which entity (node, body, graph vertex), and so who talks to whom.
//
// An entity has a global id (int64) and one owner rank; other ranks may hold a ghost copy. Local numbering: owned
// entities 0 .. n_owned-1 in the caller's order, then the ghosts. The ghosts are either grouped by owner and sorted
// by id within an owner (one contiguous range per neighbour), or left in the caller's order.
// A rank knows only its neighbours: memory and time are O(owned + ghosts), never O(ranks).
//
// The halo holds the topology only; values travel through a HaloChannel (halo_channel.hpp) or, in set-up code, the
// one-shot functions there. build() may be called again whenever the ghost layer changes; channels made before keep
// the old topology and must be made anew.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "partition/communicator.hpp"

namespace percussion {

struct Ghost {
  std::int64_t id = 0;
  int owner = 0;
};

enum class GhostOrder { grouped, as_given };

/// Ranges into Halo::send_indices() and Halo::recv_indices(); one of the two may be empty.
struct HaloNeighbour {
  int rank = 0;
  std::int32_t send_begin = 0, send_end = 0;
  std::int32_t recv_begin = 0, recv_end = 0;
};

class Halo {
 public:
  /// Collective: duplicates `comm` once, for the life of the halo and its channels.
  explicit Halo(MPI_Comm comm);

  /// Collective. One sparse exchange: each rank tells the owners what it ghosts. RunError on all ranks if an owner
  /// does not own what is asked of it, a ghost is listed twice, an owned id is listed twice, or a rank ghosts itself.
  void build(std::span<const std::int64_t> owned_ids, std::span<const Ghost> ghosts,
             GhostOrder order = GhostOrder::grouped);

  MPI_Comm comm() const { return shared_->comm.get(); }
  int rank() const { return shared_->comm.rank(); }

  std::int32_t n_owned() const { return n_owned_; }
  std::int32_t n_ghosts() const { return static_cast<std::int32_t>(ghosts_.size()); }
  /// Owned + ghosts.
  std::int32_t size() const { return n_owned_ + n_ghosts(); }
  /// ghosts()[k] has the local index n_owned() + k.
  std::span<const Ghost> ghosts() const { return ghosts_; }

  /// Ascending by rank.
  std::span<const HaloNeighbour> neighbours() const { return neighbours_; }
  /// Local indices of owned entities that neighbours ghost, neighbour after neighbour.
  std::span<const std::int32_t> send_indices() const { return send_indices_; }
  /// Local indices of the ghosts, neighbour after neighbour; n_owned, n_owned+1, ... if grouped.
  std::span<const std::int32_t> recv_indices() const { return recv_indices_; }

  /// Collective. The number of ranks on which `used` (one flag per local entity) is set, the owner counted like any
  /// other; the same number on every copy. With all owned entities flagged it is 1 + the ghosts in use.
  std::vector<std::int32_t> copies(std::span<const std::uint8_t> used) const;

 private:
  template <class T>
  friend class HaloChannel;
  struct Shared {
    explicit Shared(MPI_Comm c) : comm(c) {}
    Communicator comm;
    int channels = 0;  ///< made so far, the same on all ranks: gives each channel its tags
  };

  void set_ghosts(std::span<const Ghost> ghosts, GhostOrder order);

  std::shared_ptr<Shared> shared_;
  std::int32_t n_owned_ = 0;
  std::vector<Ghost> ghosts_;
  std::vector<HaloNeighbour> neighbours_;
  std::vector<std::int32_t> send_indices_, recv_indices_;
};

}  // namespace percussion

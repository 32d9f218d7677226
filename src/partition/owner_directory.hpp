// Distributed directory: node id -> rank that owns the node, without any rank knowing all nodes.
//
// The entry of an id lives on the rank given by a hash of the id, so every rank can work out whom to ask. A rank
// holds about (nodes of the run) / ranks entries. All functions are collective; a rank sends to at most as many
// ranks as it names ids.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/id_map.hpp"

namespace percussion {

class OwnerDirectory {
 public:
  /// Forgets everything and enters `owned` of each rank. RunError on all ranks if an id is negative or has two owners.
  void rebuild(MPI_Comm comm, std::span<const std::int64_t> owned);
  /// The calling rank is the new owner of `arrived`.
  void update(MPI_Comm comm, std::span<const std::int64_t> arrived);
  /// Owner of each id, -1 if nobody.
  std::vector<std::int32_t> query(MPI_Comm comm, std::span<const std::int64_t> ids) const;

 private:
  IdMap owner_;
};

}  // namespace percussion

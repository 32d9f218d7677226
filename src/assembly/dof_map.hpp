// Global numbers of the velocities: the u blocks of the nodes a rank owns are contiguous, in the order of its store, and
// follow those of the ranks below. Ghosts have the numbers of their owners.
#pragma once
#include <petscsys.h>

#include <cstdint>
#include <span>
#include <vector>

#include "assembly/system.hpp"

namespace percussion {

class DofMap {
 public:
  /// Collective; does nothing as long as the system's generation stays. One MPI_Exscan, one halo broadcast. RunError on
  /// all ranks if there are more velocities than a PetscInt can count. True if the numbers are new.
  bool update(const System& system);
  /// Local. Whether update() would do nothing.
  bool is_current(const System& system) const { return generation_ == system.generation(); }

  /// First velocity of a local node.
  PetscInt first(std::int32_t node) const { return static_cast<PetscInt>(first_[node]); }
  /// Appends all velocities of the nodes, one node after the other.
  void append(const NodeStore& nodes, std::span<const std::int32_t> local, std::vector<PetscInt>& dofs) const;

  PetscInt owned() const { return owned_; }  ///< on this rank
  PetscInt size() const { return size_; }    ///< on all ranks

 private:
  std::int64_t generation_ = -1;
  std::vector<std::int64_t> first_;
  PetscInt owned_ = 0, size_ = 0;
};

}  // namespace percussion

// M^-1 of every local node, in slot coordinates (assembly/body_slot.hpp): two numbers for round bodies, a dense block
// for all others. Inertia contributions are added to the block of their node; one that couples several nodes does not
// fit the body view and is refused with a RunError on all ranks.
#pragma once
#include <memory>
#include <vector>

#include "assembly/body_slot.hpp"
#include "assembly/gathered_state.hpp"
#include "assembly/system.hpp"

namespace percussion {

class BodyInertia {
 public:
  /// Collective. At the present positions; one halo exchange if the system has generalized nodes.
  void update(const System& system, double t);

  /// y = scale M^-1 f of node i, slot_columns entries.
  void solve(const NodeData& node, std::int32_t i, double scale, const double* f, double* y) const;

 private:
  void reshape(const System& system);
  static void refuse_coupled(const System& system);
  void add_inertia(const System& system, double t);

  std::int64_t generation_ = -1;
  std::vector<std::int32_t> offset_;  ///< of each node's block in M_inv_; empty blocks for round bodies
  std::vector<double> M_inv_;
  std::unique_ptr<HaloChannel<double>> channel_;
  GatheredState gathered_;
};

}  // namespace percussion

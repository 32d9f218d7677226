// q and u of the nodes of a contribution, copied side by side as its functions want them (model/function.hpp).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "model/function.hpp"
#include "model/node_store.hpp"

namespace percussion {

class GatheredState {
 public:
  /// Valid until the next call.
  LocalState gather(const NodeStore& nodes, std::span<const std::int32_t> local_nodes, double t) {
    q_.clear(), u_.clear();
    for (const std::int32_t i : local_nodes) {
      const auto q = nodes.q(i), u = nodes.u(i);
      q_.insert(q_.end(), q.begin(), q.end());
      u_.insert(u_.end(), u.begin(), u.end());
    }
    return {t, q_.data(), u_.data()};
  }

 private:
  std::vector<double> q_, u_;
};

}  // namespace percussion

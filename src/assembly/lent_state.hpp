// Lends other positions and velocities to the nodes of a system, for functions that read the state there.
#pragma once
#include <vector>

#include "model/node_store.hpp"

namespace percussion {

class LentState {
 public:
  LentState(NodeStore& nodes, std::vector<double>& q, std::vector<double>& u) : nodes_(nodes), q_(q), u_(u) { swap(); }
  ~LentState() { swap(); }
  LentState(const LentState&) = delete;
  LentState& operator=(const LentState&) = delete;

 private:
  void swap() { nodes_.q().swap(q_), nodes_.u().swap(u_); }
  NodeStore& nodes_;
  std::vector<double>&q_, &u_;
};

}  // namespace percussion

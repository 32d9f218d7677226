// The node types of the input (catalogue "nodes") and what is made of them.
//
// Shapes are geometry only and belong to contact/: here a sphere gives mass (from `density`) and inertia where they are
// not written. For any other shape mass and inertia may stay 0: the case builder fills them in or complains. It also
// complains about points of mass 0 that no inertia contribution covers.
#pragma once
#include <string>
#include <vector>

#include "base/parameters.hpp"
#include "model/node_store.hpp"

namespace percussion {

struct NodeInit {
  std::string name;
  NodeData data;  ///< without id and shape index
  std::vector<double> q, u;
};

/// `p` has a `type` of the catalogue "nodes" and has been validated. Throws InputError.
NodeInit make_node(const Parameters& p);

}  // namespace percussion

// A numbering of the owned nodes that follows space, so that sweeps over contacts find their bodies in cache.
//
// Bodies drift apart slowly: renumber the store when it was filled or redistributed and then every few thousand
// steps. The candidate list must be rebuilt afterwards; it keeps its percussions.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "model/node_store.hpp"

namespace percussion {

/// order[k] is the present index of the owned node that should become node k: along the Morton curve through the
/// cube around the nodes. Nodes without a position (generalized coordinates, not finite) come last. The order of
/// nodes in the same cell, and so the result, does not depend on their present numbering.
std::vector<std::int32_t> spatial_order(const NodeStore& store, std::span<const double> q);

}  // namespace percussion

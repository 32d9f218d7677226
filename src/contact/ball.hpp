// The bounding ball of a node: all that the broad phase knows about a body, and the body itself for spheres.
//
// A node takes part in detection if it has a shape, a positive radius and a position in space. Planar nodes and
// 2-D points live in z = 0. Other convex shapes join here with the radius of their bounding sphere; only the narrow
// phase will ask for more.
#pragma once
#include <cstdint>
#include <span>

#include "model/node_store.hpp"

namespace percussion {

struct Ball {
  double x[3];
  double r;
};

inline bool is_detectable(const NodeData& node) {
  return node.shape >= 0 && node.radius > 0 && node.kind != NodeKind::generalized;
}

/// The ball of node i at positions q, an array laid out like store.q(). Not for generalized nodes.
inline Ball ball_of(const NodeStore& store, std::span<const double> q, std::int32_t i) {
  const NodeData& node = store[i];
  const double* x = q.data() + store.q_offset()[i];
  return {{x[0], x[1], is_planar(node.kind) ? 0. : x[2]}, node.radius};
}

}  // namespace percussion

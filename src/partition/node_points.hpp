// Where the nodes of a store are and what they are called, for partitioners, ghosts and spatial orders.
#pragma once
#include <cstdint>
#include <vector>

#include "model/node_store.hpp"
#include "partition/geometric.hpp"

namespace percussion {

/// Reference point of node i; z = 0 for planar nodes, the origin for generalized ones, which have no place.
inline Point3 point_of(const NodeStore& nodes, std::int32_t i) {
  const auto kind = nodes[i].kind;
  if (kind == NodeKind::generalized) return {0, 0, 0};
  const auto q = nodes.q(i);
  return {q[0], q[1], is_planar(kind) ? 0. : q[2]};
}

inline std::vector<Point3> owned_points(const NodeStore& nodes) {
  std::vector<Point3> points(static_cast<std::size_t>(nodes.owned()));
  for (std::int32_t i = 0; i < nodes.owned(); ++i) points[i] = point_of(nodes, i);
  return points;
}

inline std::vector<std::int64_t> owned_ids(const NodeStore& nodes) {
  std::vector<std::int64_t> ids(static_cast<std::size_t>(nodes.owned()));
  for (std::int32_t i = 0; i < nodes.owned(); ++i) ids[i] = nodes[i].id;
  return ids;
}

}  // namespace percussion

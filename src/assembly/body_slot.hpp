// Body slots: the velocity of every node in one uniform layout, as contact sweeps want it.
//
// Slots are made of lines of 8 doubles, one cache line each. Bodies take one line
//   v (I), omega (I), 1/m, 1/Theta,
// so sphere contacts need nothing else; 2-D nodes are embedded in z = 0. Rigid bodies that are not round have 0 in place of
// 1/Theta. Generalized nodes hold their own u block in as many lines as it needs. For all that are not round a dense M^-1
// is kept beside.
// u = T x with T orthogonal, so covectors (rows of W^T, forces) map with T^T.
#pragma once
#include <cstdint>
#include <span>

#include "model/node_store.hpp"

namespace percussion {

constexpr int line_size = 8;

/// Whether the inertia of a node looks the same from all directions it can turn in.
inline bool is_round(const NodeData& node) {
  if (node.kind == NodeKind::generalized) return false;
  return node.kind != NodeKind::rigid_body || (node.inertia[0] == node.inertia[1] && node.inertia[1] == node.inertia[2]);
}

/// Number of velocity entries a general row has on this node.
inline int slot_columns(const NodeData& node) { return node.kind != NodeKind::generalized ? 6 : node.dofs; }
inline int slot_lines(const NodeData& node) { return (slot_columns(node) + line_size - 1) / line_size; }

/// Inverse inertia of the body against rotation, of round bodies; 0 for points, which do not turn.
inline double inverse_theta(const NodeData& node) { return node.inertia[2] > 0 ? 1 / node.inertia[2] : 0.; }

/// x <- u, first six entries of a body (its inverse masses are not touched), the u block of generalized nodes.
void slot_from_u(const NodeData& node, const double* q, const double* u, double* x);
/// u <- x.
void u_from_slot(const NodeData& node, const double* q, const double* x, double* u);
/// Row of W^T for u -> row for x (slot_columns entries).
void covector_to_slot(const NodeData& node, const double* q, const double* w_u, double* w_x);

}  // namespace percussion

// Body slots: the velocity of every node in one uniform layout, as contact sweeps want it.
//
// A slot is one cache line of 8 doubles. Round bodies (isotropic inertia: points, planar bodies, spheres) hold
//   v (I), omega (I), 1/m, 1/Theta,
// so sphere contacts need nothing else. All other nodes hold their own u block (nu <= 7) and a dense M^-1 beside.
// u = T x with T orthogonal, so covectors (rows of W^T) map with T^T. Works for 2-D nodes embedded in z = 0.
#pragma once
#include <cstdint>
#include <span>

#include "model/node_store.hpp"

namespace percussion {

constexpr int slot_size = 8;

/// Whether the inertia of a node looks the same from all directions it can turn in.
inline bool is_round(const NodeData& node) {
  if (node.kind == NodeKind::generalized) return false;
  return node.kind != NodeKind::rigid_body || (node.inertia[0] == node.inertia[1] && node.inertia[1] == node.inertia[2]);
}

/// Number of velocity entries a general row has on this node.
inline int slot_columns(const NodeData& node) { return is_round(node) ? 6 : nu(node.kind, node.dofs); }

/// x <- u. Does not touch the inverse masses of round bodies.
void slot_from_u(const NodeData& node, const double* q, const double* u, double* x);
/// u <- x.
void u_from_slot(const NodeData& node, const double* q, const double* x, double* u);
/// Row of W^T for u -> row for x (slot_columns entries).
void covector_to_slot(const NodeData& node, const double* q, const double* w_u, double* w_x);

}  // namespace percussion

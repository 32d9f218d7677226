// What a node brings to the equations of motion by itself: M, the gyroscopic force, energy and momentum.
//
// All arguments are the node's data and its own q and u blocks. Nothing here for generalized nodes: their inertia is a
// contribution's (the functions give zero). Gravity is the assembly's: h = m g on the translational rows.
// 3-D vectors in I; planar nodes are embedded in z = 0.
#pragma once
#include "model/node_store.hpp"

namespace percussion {

/// Diagonal of M (nu entries): (m, m, m, Theta_K) or its planar part.
inline void mass_diagonal(const NodeData& n, double* M) {
  const int rows = nu(n.kind, n.dofs);
  const int points = n.kind == NodeKind::generalized ? 0 : is_planar(n.kind) ? 2 : 3;
  for (int i = 0; i < rows; ++i) M[i] = i < points ? n.mass : 0.;
  if (n.kind == NodeKind::planar_body) M[2] = n.inertia[2];
  if (n.kind == NodeKind::rigid_body)
    for (int i = 0; i < 3; ++i) M[3 + i] = n.inertia[i];
}

/// Rows 3..5 of h of a rigid body: -omega_K x Theta_K omega_K.
inline Vec3 gyroscopic_torque(const NodeData& n, const double* u) {
  const double *w = u + 3, *T = n.inertia;
  return {(T[1] - T[2]) * w[1] * w[2], (T[2] - T[0]) * w[2] * w[0], (T[0] - T[1]) * w[0] * w[1]};
}

/// Its derivative by omega_K.
inline Mat3 gyroscopic_torque_omega(const NodeData& n, const double* u) {
  const double *w = u + 3, *T = n.inertia;
  const double a = T[1] - T[2], b = T[2] - T[0], c = T[0] - T[1];
  Mat3 D;
  D << 0, a * w[2], a * w[1],
       b * w[2], 0, b * w[0],
       c * w[1], c * w[0], 0;
  return D;
}

inline double kinetic_energy(const NodeData& n, const double* u) {
  if (n.kind == NodeKind::generalized) return 0;
  double M[6], T = 0;
  mass_diagonal(n, M);
  for (int i = 0; i < nu(n.kind, n.dofs); ++i) T += 0.5 * M[i] * u[i] * u[i];
  return T;
}

inline Vec3 linear_momentum(const NodeData& n, const double* u) {
  if (n.kind == NodeKind::generalized) return Vec3::Zero();
  return {n.mass * u[0], n.mass * u[1], is_planar(n.kind) ? 0. : n.mass * u[2]};
}

/// About the origin of I: r x m v + A_IK Theta_K omega_K.
inline Vec3 angular_momentum(const NodeData& n, const double* q, const double* u) {
  if (n.kind == NodeKind::generalized) return Vec3::Zero();
  const Placement<double> p = placement(n.kind, q);
  Vec3 L = p.r.cross(linear_momentum(n, u));
  if (n.kind == NodeKind::planar_body) L[2] += n.inertia[2] * u[2];
  if (n.kind == NodeKind::rigid_body)
    L += p.A * Vec3(n.inertia[0] * u[3], n.inertia[1] * u[4], n.inertia[2] * u[5]);
  return L;
}

}  // namespace percussion

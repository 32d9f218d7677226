// Nodes: who owns a block of coordinates q and velocities u, and how q' = B(q) u (Breuling 3.1; beta = 0 for all).
//
//   kind          q                      u                       M
//   point_2d      x y                    x' y'                   diag(m, m)
//   point_3d      x y z                  x' y' z'                diag(m, m, m)
//   planar_body   x y phi                x' y' phi'              diag(m, m, Theta)
//   rigid_body    x y z p0 p1 p2 p3      v (I), omega (K)        diag(m, m, m, Theta_K)
//   generalized   q1..qn                 q'                      M(q) from a contribution
//
// Functions are templated on the scalar so that derivatives come from math/dual.hpp. They never allocate.
#pragma once
#include <array>
#include <cstdint>

#include "math/rotation.hpp"
#include "math/types.hpp"

namespace percussion {

enum class NodeKind : std::uint8_t { point_2d, point_3d, planar_body, rigid_body, generalized };

/// Size of the blocks. `dofs` counts for generalized nodes only.
constexpr int nq(NodeKind kind, int dofs = 0) {
  switch (kind) {
    case NodeKind::point_2d: return 2;
    case NodeKind::point_3d: return 3;
    case NodeKind::planar_body: return 3;
    case NodeKind::rigid_body: return 7;
    case NodeKind::generalized: return dofs;
  }
  return 0;
}
constexpr int nu(NodeKind kind, int dofs = 0) { return kind == NodeKind::rigid_body ? 6 : nq(kind, dofs); }

constexpr bool is_planar(NodeKind kind) { return kind == NodeKind::point_2d || kind == NodeKind::planar_body; }

const char* name(NodeKind kind);

/// A node as a contribution sees it. `dofs` = nu.
struct NodeRef {
  std::int64_t id = -1;
  NodeKind kind = NodeKind::point_3d;
  std::int8_t dofs = 3;
  int nq() const { return percussion::nq(kind, dofs); }
  int nu() const { return percussion::nu(kind, dofs); }
};

/// q_dot = B(q) u of one node.
template <class T>
void q_dot(NodeKind kind, int dofs, const T* q, const T* u, T* q_dot_out);

/// x = B(q)^T y: maps a gradient in q to a generalized force in u.
template <class T>
void B_transposed(NodeKind kind, int dofs, const T* q, const T* y, T* x);

/// Position of the reference point and rotation K -> I; planar nodes live in z = 0. Not for generalized nodes.
template <class T>
struct Placement {
  VecT<T, 3> r;
  MatT<T, 3, 3> A;
};
template <class T>
Placement<T> placement(NodeKind kind, const T* q);

/// Velocity of the reference point and angular velocity, both in I.
template <class T>
struct Motion {
  VecT<T, 3> v, omega;
};
template <class T>
Motion<T> motion(NodeKind kind, const T* q, const T* u);

// ---------------------------------------------------------------------------------------------------------------------

template <class T>
void q_dot(NodeKind kind, int dofs, const T* q, const T* u, T* out) {
  const int copied = kind == NodeKind::rigid_body ? 3 : percussion::nu(kind, dofs);
  for (int i = 0; i < copied; ++i) out[i] = u[i];
  if (kind != NodeKind::rigid_body) return;
  const QuatT<T> rate = P_dot_of<T>(QuatT<T>(q[3], q[4], q[5], q[6]), VecT<T, 3>(u[3], u[4], u[5]));
  for (int i = 0; i < 4; ++i) out[3 + i] = rate[i];
}

template <class T>
void B_transposed(NodeKind kind, int dofs, const T* q, const T* y, T* x) {
  const int copied = kind == NodeKind::rigid_body ? 3 : percussion::nu(kind, dofs);
  for (int i = 0; i < copied; ++i) x[i] = y[i];
  if (kind != NodeKind::rigid_body) return;
  const VecT<T, 3> torque = Q_of<T>(QuatT<T>(q[3], q[4], q[5], q[6])).transpose() * QuatT<T>(y[3], y[4], y[5], y[6]);
  for (int i = 0; i < 3; ++i) x[3 + i] = 0.5 * torque[i];
}

template <class T>
Placement<T> placement(NodeKind kind, const T* q) {
  using std::cos;
  using std::sin;
  Placement<T> p;
  const bool planar = is_planar(kind);
  p.r << q[0], q[1], planar ? T(0.) : q[2];
  if (kind == NodeKind::planar_body) {
    const T c = cos(q[2]), s = sin(q[2]);
    p.A << c, -s, T(0.), s, c, T(0.), T(0.), T(0.), T(1.);
  } else if (kind == NodeKind::rigid_body) {
    p.A = A_IK_of<T>(QuatT<T>(q[3], q[4], q[5], q[6]));
  } else {
    p.A << T(1.), T(0.), T(0.), T(0.), T(1.), T(0.), T(0.), T(0.), T(1.);
  }
  return p;
}

template <class T>
Motion<T> motion(NodeKind kind, const T* q, const T* u) {
  Motion<T> m;
  m.v << u[0], u[1], is_planar(kind) ? T(0.) : u[2];
  m.omega << T(0.), T(0.), T(0.);
  if (kind == NodeKind::planar_body) m.omega[2] = u[2];
  if (kind == NodeKind::rigid_body) m.omega = placement(kind, q).A * VecT<T, 3>(u[3], u[4], u[5]);
  return m;
}

}  // namespace percussion

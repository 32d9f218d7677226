// Rotations by quaternions P = (p0, p), scalar part first, and tangent frames of contacts.
// A_IK(P) maps components in the body-fixed basis K to the inertial basis I and is exactly
// orthogonal for every P != 0 because it is normalised by |P|^2; the kinematic equation is
// P_dot = 1/2 Q(P) omega_K with omega_K in the body-fixed basis. Everything is a pure function,
// templated on the scalar so that Dual numbers pass through; with an Eigen expression as argument
// name the scalar: rotate<double>(q.segment<4>(3), K_a).
#pragma once

#include <Eigen/Geometry>

#include <cmath>

#include "math/types.hpp"

namespace percussion {

// skew(a) b = a x b.
template <class T>
MatT<T, 3, 3> skew(const VecT<T, 3>& a) {
  MatT<T, 3, 3> S;
  S << T(0.0), -a[2], a[1],
       a[2], T(0.0), -a[0],
       -a[1], a[0], T(0.0);
  return S;
}

template <class T>
QuatT<T> quat_product(const QuatT<T>& P, const QuatT<T>& R) {
  return {P[0] * R[0] - P[1] * R[1] - P[2] * R[2] - P[3] * R[3],
          P[0] * R[1] + P[1] * R[0] + P[2] * R[3] - P[3] * R[2],
          P[0] * R[2] - P[1] * R[3] + P[2] * R[0] + P[3] * R[1],
          P[0] * R[3] + P[1] * R[2] - P[2] * R[1] + P[3] * R[0]};
}

template <class T>
QuatT<T> quat_conjugate(const QuatT<T>& P) {
  return {P[0], -P[1], -P[2], -P[3]};
}

template <class T>
QuatT<T> quat_normalised(const QuatT<T>& P) {
  using std::sqrt;
  return P / sqrt(P.squaredNorm());
}

inline Quat quat_identity() { return {1.0, 0.0, 0.0, 0.0}; }

// A_IK(P) = R(P) / |P|^2.
template <class T>
MatT<T, 3, 3> A_IK_of(const QuatT<T>& P) {
  const T s = 2.0 / P.squaredNorm();
  const T wx = s * P[0] * P[1], wy = s * P[0] * P[2], wz = s * P[0] * P[3];
  const T xx = s * P[1] * P[1], xy = s * P[1] * P[2], xz = s * P[1] * P[3];
  const T yy = s * P[2] * P[2], yz = s * P[2] * P[3], zz = s * P[3] * P[3];
  MatT<T, 3, 3> A;
  A << 1.0 - (yy + zz), xy - wz, xz + wy,
       xy + wz, 1.0 - (xx + zz), yz - wx,
       xz - wy, yz + wx, 1.0 - (xx + yy);
  return A;
}

// I-components of a vector with K-components K_a: A_IK(P) K_a.
template <class T>
VecT<T, 3> rotate(const QuatT<T>& P, const VecT<T, 3>& K_a) {
  const VecT<T, 3> p = P.template tail<3>();
  const VecT<T, 3> c = p.cross(K_a) + P[0] * K_a;
  return K_a + (2.0 / P.squaredNorm()) * p.cross(c);
}

// K-components of a vector with I-components I_a: A_IK(P)^T I_a.
template <class T>
VecT<T, 3> rotate_back(const QuatT<T>& P, const VecT<T, 3>& I_a) {
  return rotate<T>(quat_conjugate<T>(P), I_a);
}

// d(A_IK(P) K_a) / dP, 3x4, including the derivative of the normalisation (so rotate_dP * P = 0).
template <class T>
MatT<T, 3, 4> rotate_dP(const QuatT<T>& P, const VecT<T, 3>& K_a) {
  const VecT<T, 3> p = P.template tail<3>();
  const T s = 2.0 / P.squaredNorm();
  const VecT<T, 3> c = p.cross(K_a);
  const VecT<T, 3> moved = s * (P[0] * c + p.cross(c));  // rotate(P, K_a) - K_a
  MatT<T, 3, 4> D;
  D.col(0) = s * c;
  D.template rightCols<3>() = s * (p * K_a.transpose() - K_a * (2.0 * p).transpose() - P[0] * skew<T>(K_a));
  D.template rightCols<3>().diagonal().array() += s * p.dot(K_a);
  D -= moved * (s * P).transpose();
  return D;
}

// Q(P), 4x3: P_dot = 1/2 Q(P) omega_K. Columns are orthogonal to P and Q^T Q = |P|^2 I.
template <class T>
MatT<T, 4, 3> Q_of(const QuatT<T>& P) {
  MatT<T, 4, 3> Q;
  Q << -P[1], -P[2], -P[3],
       P[0], -P[3], P[2],
       P[3], P[0], -P[1],
       -P[2], P[1], P[0];
  return Q;
}

template <class T>
QuatT<T> P_dot_of(const QuatT<T>& P, const VecT<T, 3>& omega_K) {
  return 0.5 * (Q_of<T>(P) * omega_K);
}

// Inverse of P_dot_of on its range; also valid for |P| != 1.
template <class T>
VecT<T, 3> omega_K_of(const QuatT<T>& P, const QuatT<T>& P_dot) {
  return (2.0 / P.squaredNorm()) * (Q_of<T>(P).transpose() * P_dot);
}

// Rotation about a (not necessarily unit) axis.
template <class T>
QuatT<T> quat_from_axis_angle(const VecT<T, 3>& axis, const T& angle) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  const T f = sin(0.5 * angle) / sqrt(axis.squaredNorm());
  return {cos(0.5 * angle), f * axis[0], f * axis[1], f * axis[2]};
}

// Exponential map: rotation by |phi| about phi. Smooth at phi = 0, also for Dual numbers.
template <class T>
QuatT<T> quat_exp(const VecT<T, 3>& phi) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  const T x = 0.25 * phi.squaredNorm();  // (|phi|/2)^2
  T c, f;                                // cos(sqrt x), sin(sqrt x) / (2 sqrt x)
  if (x < T(1e-3)) {
    // Series to x^5; the remainder x^6/12! is below roundoff, also after two derivatives in x.
    c = 1.0 - x / 2.0 * (1.0 - x / 12.0 * (1.0 - x / 30.0 * (1.0 - x / 56.0 * (1.0 - x / 90.0))));
    f = 0.5 * (1.0 - x / 6.0 * (1.0 - x / 20.0 * (1.0 - x / 42.0 * (1.0 - x / 72.0 * (1.0 - x / 110.0)))));
  } else {
    const T a = sqrt(x);
    c = cos(a);
    f = 0.5 * sin(a) / a;
  }
  return {c, f * phi[0], f * phi[1], f * phi[2]};
}

// Logarithm: rotation vector with |phi| <= pi; P and -P give the same result.
template <class T>
VecT<T, 3> quat_log(const QuatT<T>& P) {
  using std::atan2;
  using std::sqrt;
  const T w = P[0] < T(0.0) ? -P[0] : P[0];
  VecT<T, 3> p = P.template tail<3>();
  if (P[0] < T(0.0)) p = -p;
  const T x = p.squaredNorm() / (w * w + p.squaredNorm());  // sin^2(|phi|/2)
  if (x < T(1e-4)) {
    // 2 asin(sqrt x)/sqrt x; the first neglected term is 2 * 0.0224 x^5.
    const T f = 2.0 + x * (1.0 / 3.0 + x * (3.0 / 20.0 + x * (5.0 / 56.0 + x * (35.0 / 576.0))));
    return (f / sqrt(P.squaredNorm())) * p;
  }
  const T n = sqrt(p.squaredNorm());
  return (2.0 * atan2(n, w) / n) * p;
}

// Quaternion of a rotation matrix, p0 >= 0 (largest-component branch, accurate everywhere).
inline Quat quat_from_matrix(const Mat3& A) {
  const Eigen::Quaterniond e(A);
  const Quat P = Quat(e.w(), e.x(), e.y(), e.z()).normalized();
  return P[0] < 0.0 ? Quat(-P) : P;
}

// Orthonormal tangent vectors (columns t1, t2) of a unit normal, t1 x t2 = n. Smooth in n except at
// n = -e_z: every frame field on the sphere has such a point. Near it the frame turns quickly with
// n, so friction percussions kept between steps belong in inertial components.
template <class T>
MatT<T, 3, 2> tangent_frame(const VecT<T, 3>& n) {
  // 1/(1 + n_z); on the lower half sphere the equal form without cancellation.
  const T rho2 = n[0] * n[0] + n[1] * n[1];
  const bool upper = n[2] >= T(0.0);
  const bool pole = !upper && rho2 < T(1e-280);
  const T a = pole ? T(0.0) : (upper ? T(1.0) / (1.0 + n[2]) : (1.0 - n[2]) / rho2);
  const T b = -n[0] * n[1] * a;
  MatT<T, 3, 2> t;
  t << 1.0 - n[0] * n[0] * a, b,
       b, (pole ? T(-1.0) : 1.0 - n[1] * n[1] * a),
       -n[0], -n[1];
  return t;
}

// Tangent vectors whose first one is the direction `axis` projected on the tangent plane: frames
// of anisotropic surfaces. `axis` must not be parallel to n.
template <class T>
MatT<T, 3, 2> tangent_frame(const VecT<T, 3>& n, const VecT<T, 3>& axis) {
  using std::sqrt;
  MatT<T, 3, 2> t;
  const VecT<T, 3> s = axis - n.dot(axis) * n;
  t.col(0) = s / sqrt(s.squaredNorm());
  t.col(1) = n.cross(VecT<T, 3>(t.col(0)));
  return t;
}

}  // namespace percussion

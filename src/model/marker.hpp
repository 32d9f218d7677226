// A point and a frame fixed to a node or to the ground: what joints, loads and contacts are attached to.
//
// The point has K-components K_r from the node's reference point, the frame the orientation P_KM (unit quaternion,
// M -> K). Ground markers carry inertial components. Planar nodes live in z = 0, point masses have no orientation (K = I
// and angular velocity 0). Immutable; formulas are templated on the scalar and take the local q and u of a contribution.
// Not for generalized nodes.
#pragma once
#include <cassert>
#include <cmath>
#include <vector>

#include "math/rotation.hpp"
#include "model/node.hpp"

namespace percussion {

class Marker {
 public:
  static Marker ground(const Vec3& r, const Quat& P_IM = quat_identity()) {
    Marker m;
    m.K_r_ = r, m.A_KM_ = A_IK_of<double>(P_IM);
    m.angle_ = std::atan2(m.A_KM_(1, 0), m.A_KM_(0, 0));
    return m;
  }

  static Marker on(const std::vector<NodeRef>& nodes, int index, const Vec3& K_r, const Quat& P_KM = quat_identity()) {
    assert(nodes[index].kind != NodeKind::generalized);
    Marker m = ground(K_r, P_KM);
    m.is_ground_ = false, m.kind_ = nodes[index].kind;
    for (int i = 0; i < index; ++i) m.q0_ += nodes[i].nq(), m.u0_ += nodes[i].nu();
    return m;
  }

  bool is_ground() const { return is_ground_; }
  bool has_orientation() const {
    return is_ground_ || kind_ == NodeKind::planar_body || kind_ == NodeKind::rigid_body;
  }

  /// I-components of the point.
  template <class T>
  VecT<T, 3> position(const T* q) const {
    VecT<T, 3> r = rotated(q, K_r_);
    if (!is_ground_) add_reference(q, r);
    return r;
  }

  /// I-components of a direction with components M_a in the marker's frame.
  template <class T>
  VecT<T, 3> direction(const T* q, const Vec3& M_a) const {
    return rotated(q, A_KM_ * M_a);
  }

  /// I-components of the velocity of the point.
  template <class T>
  VecT<T, 3> velocity(const T* q, const T* u) const {
    if (is_ground_) return zero<T>();
    VecT<T, 3> v = reference_velocity(u);
    if (rotates()) v += omega(q, u).cross(rotated(q, K_r_));
    return v;
  }

  /// Velocity of the material point of the node that is at I_r at present.
  template <class T>
  VecT<T, 3> velocity_at(const T* q, const T* u, const VecT<T, 3>& I_r) const {
    if (is_ground_) return zero<T>();
    VecT<T, 3> v = reference_velocity(u);
    if (!rotates()) return v;
    VecT<T, 3> r = -I_r;
    add_reference(q, r);
    return v - omega(q, u).cross(r);
  }

  /// I-components of the angular velocity.
  template <class T>
  VecT<T, 3> omega(const T* q, const T* u) const {
    return is_ground_ ? zero<T>() : motion(kind_, q + q0_, u + u0_).omega;
  }

  /// Angle of the marker's frame in the plane; for planar bodies, points and the ground.
  template <class T>
  T angle(const T* q) const {
    return !is_ground_ && kind_ == NodeKind::planar_body ? q[q0_ + 2] + angle_ : T(angle_);
  }

  /// h += generalized force of a force I_F at the point.
  template <class T>
  void add_force(const T* q, const VecT<T, 3>& I_F, T* h) const {
    if (is_ground_) return;
    for (int i = 0; i < (is_planar(kind_) ? 2 : 3); ++i) h[u0_ + i] += I_F[i];
    if (rotates()) add_torque(q, VecT<T, 3>(rotated(q, K_r_).cross(I_F)), h);
  }

  /// h += generalized force of a torque I_M.
  template <class T>
  void add_torque(const T* q, const VecT<T, 3>& I_M, T* h) const {
    if (is_ground_) return;
    if (kind_ == NodeKind::planar_body) h[u0_ + 2] += I_M[2];
    if (kind_ != NodeKind::rigid_body) return;
    const VecT<T, 3> K_M = placement(kind_, q + q0_).A.transpose() * I_M;
    for (int i = 0; i < 3; ++i) h[u0_ + 3 + i] += K_M[i];
  }

 private:
  bool rotates() const { return !is_ground_ && has_orientation(); }

  template <class T>
  static VecT<T, 3> zero() {
    return {T(0.), T(0.), T(0.)};
  }

  template <class T>
  VecT<T, 3> reference_velocity(const T* u) const {
    return {u[u0_], u[u0_ + 1], is_planar(kind_) ? T(0.) : u[u0_ + 2]};
  }

  template <class T>
  void add_reference(const T* q, VecT<T, 3>& r) const {
    for (int i = 0; i < (is_planar(kind_) ? 2 : 3); ++i) r[i] += q[q0_ + i];
  }

  // Products with plain numbers on one side are much cheaper than those of two dual numbers.
  template <class T>
  VecT<T, 3> rotated(const T* q, const Vec3& K_a) const {
    if (!rotates()) return {T(K_a[0]), T(K_a[1]), T(K_a[2])};
    if (K_a.isZero(0)) return zero<T>();
    const MatT<T, 3, 3> A = placement(kind_, q + q0_).A;
    VecT<T, 3> a;
    for (int i = 0; i < 3; ++i) a[i] = A(i, 0) * K_a[0] + A(i, 1) * K_a[1] + A(i, 2) * K_a[2];
    return a;
  }

  bool is_ground_ = true;
  NodeKind kind_ = NodeKind::point_3d;
  int q0_ = 0, u0_ = 0;
  Vec3 K_r_ = Vec3::Zero();
  Mat3 A_KM_ = Mat3::Identity();
  double angle_ = 0;  // of A_KM about z
};

}  // namespace percussion

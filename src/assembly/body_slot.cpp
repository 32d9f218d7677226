#include "assembly/body_slot.hpp"

#include <algorithm>

namespace percussion {

namespace {

Mat3 A_IK_at(const double* q) { return A_IK_of<double>(Quat(q[3], q[4], q[5], q[6])); }

}  // namespace

void slot_from_u(const NodeData& node, const double* q, const double* u, double* x) {
  if (node.kind == NodeKind::generalized) {
    std::copy_n(u, nu(node.kind, node.dofs), x);
    return;
  }
  std::fill_n(x, 6, 0.);
  x[0] = u[0], x[1] = u[1];
  if (!is_planar(node.kind)) x[2] = u[2];
  if (node.kind == NodeKind::planar_body) x[5] = u[2];
  if (node.kind == NodeKind::rigid_body) Eigen::Map<Vec3>(x + 3) = A_IK_at(q) * Vec3(u[3], u[4], u[5]);
}

void u_from_slot(const NodeData& node, const double* q, const double* x, double* u) {
  if (node.kind == NodeKind::generalized) {
    std::copy_n(x, nu(node.kind, node.dofs), u);
    return;
  }
  u[0] = x[0], u[1] = x[1];
  if (!is_planar(node.kind)) u[2] = x[2];
  if (node.kind == NodeKind::planar_body) u[2] = x[5];
  if (node.kind == NodeKind::rigid_body) Eigen::Map<Vec3>(u + 3) = A_IK_at(q).transpose() * Vec3(x[3], x[4], x[5]);
}

void covector_to_slot(const NodeData& node, const double* q, const double* w_u, double* w_x) {
  // T is orthogonal, so a covector transforms like a velocity.
  slot_from_u(node, q, w_u, w_x);
}

}  // namespace percussion

#include "integrators/kinematics.hpp"

#include "base/timer.hpp"

namespace percussion {

void advance_positions(NodeStore& nodes, double tau, const double* q_at) {
  const PhaseScope phase(Phase::update);
  double rate[128];  // a node has at most 127 coordinates
  for (std::int32_t i = 0; i < nodes.size(); ++i) {
    const auto q = nodes.q(i);
    const double* at = q_at ? q_at + nodes.q_offset()[i] : q.data();
    q_dot<double>(nodes[i].kind, nodes[i].dofs, at, nodes.u(i).data(), rate);
    for (std::size_t k = 0; k < q.size(); ++k) q[k] += tau * rate[k];
  }
}

void normalise_rotations(NodeStore& nodes) {
  const PhaseScope phase(Phase::update);
  for (std::int32_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].kind == NodeKind::rigid_body) Eigen::Map<Vec4>(nodes.q(i).data() + 3).normalize();
}

}  // namespace percussion

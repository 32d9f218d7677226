#include "assembly/energy.hpp"

#include "model/node_terms.hpp"

namespace percussion {

Energies local_energies(const System& system, const std::vector<double>& q) {
  const NodeStore& nodes = system.nodes;
  Energies e;
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    const NodeData& node = nodes[i];
    if (node.kind == NodeKind::generalized) continue;
    const double *q_i = q.data() + nodes.q_offset()[i], *u_i = nodes.u(i).data();
    e.kinetic += kinetic_energy(node, u_i);
    e.potential -= node.mass * system.gravity.dot(system.unwrapped(i, q));
    e.momentum += linear_momentum(node, u_i);
    e.angular_momentum += angular_momentum(node, q_i, u_i);
  }
  MatX M;
  std::vector<double> q_c, u_c;
  for (std::int32_t k = 0; k < system.contributions.size(); ++k) {
    const Contribution& contribution = *system.contributions[k].contribution;
    if (!contribution.inertia() && !contribution.force()) continue;
    q_c.clear(), u_c.clear();
    for (const std::int32_t i : system.contributions.local_nodes(k)) {
      q_c.insert(q_c.end(), q.begin() + nodes.q_offset()[i], q.begin() + nodes.q_offset()[i + 1]);
      u_c.insert(u_c.end(), nodes.u(i).begin(), nodes.u(i).end());
    }
    const LocalState s{system.t, q_c.data(), u_c.data()};
    if (contribution.force()) e.potential += contribution.force()->potential(s);
    if (!contribution.inertia()) continue;
    const Eigen::Map<const VecX> u(u_c.data(), contribution.nu());
    M.resize(contribution.nu(), contribution.nu());
    contribution.inertia()->M(s, M);
    const VecX p = M * u;
    e.kinetic += 0.5 * u.dot(p);
    // Momentum of elements between points; generalized coordinates have no direction in space.
    Eigen::Index first = 0;
    for (const std::int32_t i : system.contributions.local_nodes(k)) {
      const NodeData& node = nodes[i];
      const int n = nu(node.kind, node.dofs), dim = is_planar(node.kind) ? 2 : 3;
      if (node.kind != NodeKind::generalized) {
        Vec3 part = Vec3::Zero();
        part.head(dim) = p.segment(first, dim);
        e.momentum += part;
        e.angular_momentum += placement(node.kind, q.data() + nodes.q_offset()[i]).r.cross(part);
      }
      first += n;
    }
  }
  return e;
}

}  // namespace percussion

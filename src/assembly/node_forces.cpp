#include "assembly/node_forces.hpp"

#include "model/node_terms.hpp"

namespace percussion {

void add_forces(const System& system, double t, double scale, GatheredState& gathered, std::span<double> f) {
  const NodeStore& nodes = system.nodes;
  VecX h;
  for (std::int32_t k = 0; k < system.contributions.size(); ++k) {
    const Contribution& contribution = *system.contributions[k].contribution;
    if (!contribution.force()) continue;
    const auto local = system.contributions.local_nodes(k);
    h.resize(contribution.nu());
    contribution.force()->h(gathered.gather(nodes, local, t), h);
    for_each_part(nodes, local, [&](int first, int column, int n) {
      for (int r = 0; r < n; ++r) f[first + r] += scale * h[column + r];
    });
  }
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    const NodeData& node = nodes[i];
    double* f_i = f.data() + nodes.u_offset()[i];
    if (node.kind == NodeKind::generalized) continue;
    for (int r = 0; r < (is_planar(node.kind) ? 2 : 3); ++r) f_i[r] += scale * node.mass * system.gravity[r];
    if (node.kind == NodeKind::rigid_body) Eigen::Map<Vec3>(f_i + 3) += scale * gyroscopic_torque(node, nodes.u(i).data());
  }
}

void add_mass_times(const System& system, double t, std::span<const double> x, GatheredState& gathered, std::span<double> y) {
  const NodeStore& nodes = system.nodes;
  double diagonal[128];  // a node has at most 127 velocities
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    mass_diagonal(nodes[i], diagonal);
    const int first = nodes.u_offset()[i], n = nodes.u_offset()[i + 1] - first;
    for (int r = 0; r < n; ++r) y[first + r] += diagonal[r] * x[first + r];
  }
  MatX M;
  VecX block, product;
  for (std::int32_t k = 0; k < system.contributions.size(); ++k) {
    const Contribution& contribution = *system.contributions[k].contribution;
    if (!contribution.inertia()) continue;
    const auto local = system.contributions.local_nodes(k);
    M.resize(contribution.nu(), contribution.nu()), block.resize(contribution.nu());
    contribution.inertia()->M(gathered.gather(nodes, local, t), M);
    for_each_part(nodes, local, [&](int first, int column, int n) { block.segment(column, n) = Eigen::Map<const VecX>(x.data() + first, n); });
    product.noalias() = M * block;
    for_each_part(nodes, local, [&](int first, int column, int n) { Eigen::Map<VecX>(y.data() + first, n) += product.segment(column, n); });
  }
}

void add_mass_diagonal(const System& system, double t, GatheredState& gathered, std::span<double> y) {
  const NodeStore& nodes = system.nodes;
  double diagonal[128];
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    mass_diagonal(nodes[i], diagonal);
    const int first = nodes.u_offset()[i], n = nodes.u_offset()[i + 1] - first;
    for (int r = 0; r < n; ++r) y[first + r] += diagonal[r];
  }
  MatX M;
  for (std::int32_t k = 0; k < system.contributions.size(); ++k) {
    const Contribution& contribution = *system.contributions[k].contribution;
    if (!contribution.inertia()) continue;
    const auto local = system.contributions.local_nodes(k);
    M.resize(contribution.nu(), contribution.nu());
    contribution.inertia()->M(gathered.gather(nodes, local, t), M);
    for_each_part(nodes, local, [&](int first, int column, int n) { Eigen::Map<VecX>(y.data() + first, n) += M.diagonal().segment(column, n); });
  }
}

}  // namespace percussion

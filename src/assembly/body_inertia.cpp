#include "assembly/body_inertia.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>

#include "model/node_terms.hpp"

namespace percussion {

void BodyInertia::reshape(const System& system) {
  if (generation_ == system.generation()) return;
  if (system.any_contributions()) all_or_none(system.comm(), [&] { refuse_coupled(system); });
  generation_ = system.generation();
  const NodeStore& nodes = system.nodes;
  offset_.assign(1, 0);
  for (std::int32_t i = 0; i < nodes.size(); ++i) {
    const int n = is_round(nodes[i]) ? 0 : nu(nodes[i].kind, nodes[i].dofs);
    offset_.push_back(offset_.back() + n * n);
  }
  M_inv_.assign(offset_.back(), 0.);
  channel_.reset();
  if (system.any_generalized() && system.distribution.ranks() > 1)
    channel_ = std::make_unique<HaloChannel<double>>(system.distribution.halo(), offset_);
}

void BodyInertia::refuse_coupled(const System& system) {
  for (std::int32_t k = 0; k < system.contributions.size(); ++k) {
    const auto local = system.contributions.local_nodes(k);
    if (!system.contributions[k].contribution->inertia() || (local.size() == 1 && !is_round(system.nodes[local[0]]))) continue;
    throw RunError("contribution " + system.contributions[k].parameters.path() + " (" + system.contributions[k].parameters.type() +
                   ") couples the inertia of several bodies: use integrator.type = moreau_jean, radau_iia or another implicit method");
  }
}

void BodyInertia::add_inertia(const System& system, double t) {
  MatX M;
  for (std::int32_t k = 0; k < system.contributions.size(); ++k) {
    const Contribution& contribution = *system.contributions[k].contribution;
    const Inertia* inertia = contribution.inertia();
    if (!inertia) continue;
    const auto local = system.contributions.local_nodes(k);
    const std::int32_t i = local[0];
    const int n = contribution.nu();
    M.resize(n, n);
    inertia->M(gathered_.gather(system.nodes, local, t), M);
    Eigen::Map<MatX>(M_inv_.data() + offset_[i], n, n) += M;
  }
}

void BodyInertia::update(const System& system, double t) {
  reshape(system);
  if (!system.any_dense()) return;
  const NodeStore& nodes = system.nodes;
  std::fill(M_inv_.begin(), M_inv_.end(), 0.);
  all_or_none(system.comm(), [&] {
    add_inertia(system, t);
    for (std::int32_t i = 0; i < nodes.size(); ++i) {
      const bool generalized = nodes[i].kind == NodeKind::generalized;
      if (is_round(nodes[i]) || (generalized && !nodes.is_owned(i))) continue;
      const int n = nu(nodes[i].kind, nodes[i].dofs);
      Eigen::Map<MatX> M(M_inv_.data() + offset_[i], n, n);
      VecX diagonal(n);
      mass_diagonal(nodes[i], diagonal.data());
      M.diagonal() += diagonal;
      const Eigen::LLT<MatX> llt(M);
      if (llt.info() != Eigen::Success)
        throw RunError(fmt::format("the mass matrix of node {} is not positive definite: every generalized node needs an inertia "
                                   "contribution such as linear_system", nodes[i].id));
      M = llt.solve(MatX::Identity(n, n));
      if (nodes[i].kind != NodeKind::rigid_body) continue;
      // From u to slot coordinates: omega (K) -> omega (I).
      const Mat3 A = placement(nodes[i].kind, nodes.q(i).data()).A;
      M.bottomRows<3>() = (A * M.bottomRows<3>()).eval(), M.rightCols<3>() = (M.rightCols<3>() * A.transpose()).eval();
    }
  });
  if (channel_) channel_->broadcast(M_inv_);
}

void BodyInertia::solve(const NodeData& node, std::int32_t i, double scale, const double* f, double* y) const {
  if (is_round(node)) {
    for (int k = 0; k < 3; ++k) y[k] = scale / node.mass * f[k], y[3 + k] = scale * inverse_theta(node) * f[3 + k];
    return;
  }
  const int n = nu(node.kind, node.dofs);
  Eigen::Map<VecX>(y, n).noalias() = scale * (Eigen::Map<const MatX>(M_inv_.data() + offset_[i], n, n) * Eigen::Map<const VecX>(f, n));
}

}  // namespace percussion

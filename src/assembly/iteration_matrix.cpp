#include "assembly/iteration_matrix.hpp"

#include <algorithm>

#include "assembly/body_slot.hpp"
#include "model/node_terms.hpp"

namespace percussion {

namespace {

using RowMat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using BlockMap = Eigen::Map<RowMat>;
using ConstBlockMap = Eigen::Map<const RowMat>;

/// Gyroscopic forces couple the velocities of a node; all others bring a diagonal.
bool has_dense_block(const NodeData& node) { return node.kind == NodeKind::rigid_body && !is_round(node); }

std::size_t entries(const NodeData& node) {
  const auto n = static_cast<std::size_t>(nu(node.kind, node.dofs));
  return has_dense_block(node) ? n * n : n;
}

/// Place of diagonal entry r in the block of a node.
std::size_t diagonal(const NodeData& node, int r) {
  return static_cast<std::size_t>(r) * (has_dense_block(node) ? nu(node.kind, node.dofs) + 1 : 1);
}

/// h_q B: nu x nu, nodes one after the other.
void times_B(const NodeStore& nodes, std::span<const std::int32_t> local, std::span<const double> q, const MatX& h_q, MatX& result) {
  Eigen::Index first_q = 0, first_u = 0;
  for (const std::int32_t i : local) {
    const NodeData& node = nodes[i];
    const int n_q = nq(node.kind, node.dofs), n_u = nu(node.kind, node.dofs);
    MatX B(n_q, n_u);
    for (int c = 0; c < n_u; ++c) {
      const VecX unit = VecX::Unit(n_u, c);
      q_dot<double>(node.kind, node.dofs, q.data() + nodes.q_offset()[i], unit.data(), B.col(c).data());
    }
    result.middleCols(first_u, n_u).noalias() = h_q.middleCols(first_q, n_q) * B;
    first_q += n_q, first_u += n_u;
  }
}

}  // namespace

template <class OnNode, class OnContribution>
void IterationMatrix::for_each_block(const System& system, OnNode&& on_node, OnContribution&& on_contribution) const {
  std::size_t entry = 0;
  for (std::int32_t i = 0; i < system.nodes.owned(); ++i) on_node(entry, i), entry += entries(system.nodes[i]);
  for (std::int32_t k = 0; k < system.contributions.size(); ++k) {
    const Contribution& c = *system.contributions[k].contribution;
    if (!c.force() && !c.inertia()) continue;
    on_contribution(entry, k);
    entry += static_cast<std::size_t>(c.nu()) * c.nu();
  }
}

void IterationMatrix::reshape(const System& system, const DofMap& dofs) {
  std::vector<PetscInt> row, column, block;
  for_each_block(
      system,
      [&](std::size_t, std::int32_t i) {
        const NodeData& node = system.nodes[i];
        const int n = nu(node.kind, node.dofs);
        for (int r = 0; r < n; ++r)
          for (int c = 0; c < n; ++c)
            if (r == c || has_dense_block(node)) row.push_back(dofs.first(i) + r), column.push_back(dofs.first(i) + c);
      },
      [&](std::size_t, std::int32_t k) {
        block.clear();
        dofs.append(system.nodes, system.contributions.local_nodes(k), block);
        for (const PetscInt r : block)
          for (const PetscInt c : block) row.push_back(r), column.push_back(c);
      });
  mass_.assign(row.size(), 0.), value_.assign(row.size(), 0.);
  PETSC_CALL(MatCreate(system.comm(), H_.out()));
  PETSC_CALL(MatSetSizes(H_, dofs.owned(), dofs.owned(), dofs.size(), dofs.size()));
  PETSC_CALL(MatSetType(H_, MATAIJ));
  PETSC_CALL(MatSetPreallocationCOO(H_, static_cast<PetscCount>(row.size()), row.data(), column.data()));

  PC pc = nullptr;
  PETSC_CALL(KSPCreate(system.comm(), ksp_.out()));
  PETSC_CALL(KSPSetOptionsPrefix(ksp_, "percussion_"));
  PETSC_CALL(KSPSetType(ksp_, KSPPREONLY));
  PETSC_CALL(KSPGetPC(ksp_, &pc));
  PETSC_CALL(PCSetType(pc, PCLU));
#ifdef PETSC_HAVE_MUMPS
  PETSC_CALL(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
#endif
  // For iterative methods: far below what the Newton method asks for.
  PETSC_CALL(KSPSetTolerances(ksp_, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  PETSC_CALL(KSPSetOperators(ksp_, H_, H_));
  PETSC_CALL(KSPSetFromOptions(ksp_));
}

void IterationMatrix::set_mass(const System& system, double t) {
  std::fill(mass_.begin(), mass_.end(), 0.);
  MatX M;
  for_each_block(
      system,
      [&](std::size_t entry, std::int32_t i) {
        const NodeData& node = system.nodes[i];
        const int n = nu(node.kind, node.dofs);
        VecX M_node(n);
        mass_diagonal(node, M_node.data());
        for (int r = 0; r < n; ++r) mass_[entry + diagonal(node, r)] = M_node[r];
      },
      [&](std::size_t entry, std::int32_t k) {
        const Contribution& c = *system.contributions[k].contribution;
        if (!c.inertia()) return;
        M.resize(c.nu(), c.nu());
        c.inertia()->M(gathered_.gather(system.nodes, system.contributions.local_nodes(k), t), M);
        BlockMap(mass_.data() + entry, c.nu(), c.nu()) = M;
      });
}

void IterationMatrix::add_mass(const System& system, std::span<const double> x, std::span<double> y) const {
  const NodeStore& nodes = system.nodes;
  VecX block;
  for_each_block(
      system,
      [&](std::size_t entry, std::int32_t i) {
        const int n = nu(nodes[i].kind, nodes[i].dofs), first = nodes.u_offset()[i];
        for (int r = 0; r < n; ++r) y[first + r] += mass_[entry + diagonal(nodes[i], r)] * x[first + r];
      },
      [&](std::size_t entry, std::int32_t k) {
        const Contribution& c = *system.contributions[k].contribution;
        if (!c.inertia()) return;
        block.resize(c.nu());
        double* b = block.data();
        const auto local = system.contributions.local_nodes(k);
        for (const std::int32_t i : local) b = std::copy_n(x.data() + nodes.u_offset()[i], nu(nodes[i].kind, nodes[i].dofs), b);
        const VecX product = ConstBlockMap(mass_.data() + entry, c.nu(), c.nu()) * block;
        const double* p = product.data();
        for (const std::int32_t i : local)
          for (int r = 0; r < nu(nodes[i].kind, nodes[i].dofs); ++r) y[nodes.u_offset()[i] + r] += *p++;
      });
}

void IterationMatrix::add_mass_diagonal(const System& system, std::span<double> y) const {
  const NodeStore& nodes = system.nodes;
  for_each_block(
      system,
      [&](std::size_t entry, std::int32_t i) {
        const int n = nu(nodes[i].kind, nodes[i].dofs);
        for (int r = 0; r < n; ++r) y[nodes.u_offset()[i] + r] += mass_[entry + diagonal(nodes[i], r)];
      },
      [&](std::size_t entry, std::int32_t k) {
        const int n = system.contributions[k].contribution->nu();
        int row = 0;
        for (const std::int32_t i : system.contributions.local_nodes(k))
          for (int r = 0; r < nu(nodes[i].kind, nodes[i].dofs); ++r, ++row) y[nodes.u_offset()[i] + r] += mass_[entry + row * (n + 1)];
      });
}

void IterationMatrix::linearise(const System& system, const ThetaStep& step, std::span<const double> q_B) {
  const NodeStore& nodes = system.nodes;
  const double a = step.h * step.theta;
  value_ = mass_;
  MatX h_q, h_u, h_q_B;
  all_or_none(system.comm(), [&] {
    for_each_block(
        system,
        [&](std::size_t entry, std::int32_t i) {
          if (!has_dense_block(nodes[i])) return;
          BlockMap(value_.data() + entry, 6, 6).bottomRightCorner<3, 3>() -= a * gyroscopic_torque_omega(nodes[i], nodes.u(i).data());
        },
        [&](std::size_t entry, std::int32_t k) {
          const Contribution& c = *system.contributions[k].contribution;
          if (!c.force()) return;
          const auto local = system.contributions.local_nodes(k);
          const LocalState s = gathered_.gather(nodes, local, step.t_theta());
          h_q.resize(c.nu(), c.nq()), h_u.resize(c.nu(), c.nu()), h_q_B.resize(c.nu(), c.nu());
          c.force()->h_q(s, h_q), c.force()->h_u(s, h_u);
          times_B(nodes, local, q_B, h_q, h_q_B);
          BlockMap(value_.data() + entry, c.nu(), c.nu()) -= a * h_u + a * a * h_q_B;
        });
  });
  PETSC_CALL(MatSetValuesCOO(H_, value_.data(), INSERT_VALUES));  // entries that meet are added
}

void IterationMatrix::check(const char* what) const {
  KSPConvergedReason reason = KSP_CONVERGED_ITS;
  PETSC_CALL(KSPGetConvergedReason(ksp_, &reason));
  if (reason < 0)
    throw RunError(std::string(what) + ": the linear solver failed (" + KSPConvergedReasons[reason] +
                   "). Does every generalized node have an inertia? Is the step small enough for springs under pressure?");
}

void IterationMatrix::solve(Vec b, Vec x) {
  PETSC_CALL(KSPSolve(ksp_, b, x));
  check("theta scheme, free velocities");
}

void IterationMatrix::solve(Mat B, Mat X) {
  PETSC_CALL(KSPMatSolve(ksp_, B, X));
  check("theta scheme, Delassus operator");
}

PetscVec IterationMatrix::make_vector() const {
  PetscVec v;
  PETSC_CALL(MatCreateVecs(H_, v.out(), nullptr));
  return v;
}

}  // namespace percussion

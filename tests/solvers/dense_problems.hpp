// Assembled problems from a dense G, the same on all ranks, for the tests of solvers; and the laws checked by hand.
//
// Groups of blocks are dealt out to the ranks in order; with fewer groups than ranks some have no rows.
#pragma once
#include <mpi.h>

#include <memory>
#include <random>
#include <vector>

#include "assembly/assembled_problem.hpp"
#include "assembly/petsc.hpp"
#include "solvers/solver.hpp"

namespace percussion::test {

/// One row block: bilateral, or contact with at most one law.
struct BlockPlan {
  int rows = 3;
  bool bilateral = false, has_normal = true;
  double P_N = 0;
  std::vector<RowLaw> laws;
  int group = 1;
};

struct DensePlan {
  MatX G;
  VecX c;
  std::vector<BlockPlan> blocks;
};

inline BlockPlan bilateral(int rows) { return {rows, true, false, 0, {}, 1}; }
inline BlockPlan contact(double mu) { return {3, false, true, 0, {{coulomb_disc(mu), 1, 0.}}, 1}; }
inline BlockPlan known_normal(double P_N, double mu) { return {1, false, false, P_N, {{coulomb_interval(mu), 0, 0.}}, 1}; }

/// Collective over comm.
inline std::unique_ptr<AssembledProblem> problem_of(const DensePlan& plan, MPI_Comm comm) {
  auto problem = std::make_unique<AssembledProblem>();
  problem->comm = comm;
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &ranks);
  int groups = 0, group = -1, row = 0;
  for (const BlockPlan& b : plan.blocks) groups += b.group > 0;
  GeneralRows& rows = problem->rows;
  CompressedRows G;
  for (const BlockPlan& b : plan.blocks) {
    group += b.group > 0;
    if (group * ranks / groups == rank) {
      RowBlock block{};
      block.first_row = static_cast<std::int32_t>(rows.c.size()), block.rows = b.rows;
      block.first_law = static_cast<std::int32_t>(rows.laws.size()), block.laws = static_cast<std::int32_t>(b.laws.size());
      block.bilateral = b.bilateral, block.has_normal = b.has_normal, block.P_N = b.P_N, block.group = b.group;
      rows.blocks.push_back(block);
      rows.laws.insert(rows.laws.end(), b.laws.begin(), b.laws.end());
      for (int r = row; r < row + b.rows; ++r) {
        rows.c.push_back(plan.c[r]), rows.P.push_back(0.);
        for (int k = 0; k < plan.G.cols(); ++k)
          if (plan.G(r, k) != 0) G.column.push_back(k), G.value.push_back(plan.G(r, k));
        G.first.push_back(static_cast<PetscInt>(G.column.size()));
      }
    }
    row += b.rows;
  }
  problem->G = make_matrix(comm, static_cast<PetscInt>(rows.c.size()), G).release();
  set_diagonal_blocks(*problem);
  return problem;
}

/// Collective. Percussions of all ranks.
inline VecX all_percussions(const AssembledProblem& problem) {
  PetscInt n = 0, begin = 0;
  PETSC_CALL(MatGetSize(problem.G, &n, nullptr));
  PETSC_CALL(MatGetOwnershipRange(problem.G, &begin, nullptr));
  VecX P = VecX::Zero(n);
  std::copy(problem.rows.P.begin(), problem.rows.P.end(), P.data() + begin);
  MPI_Allreduce(MPI_IN_PLACE, P.data(), static_cast<int>(n), MPI_DOUBLE, MPI_SUM, problem.comm);
  return P;
}

/// Largest violation of the laws, written out here without prox: in units of velocity and percussion, both of size one.
inline double violation(const DensePlan& plan, const VecX& P) {
  const VecX psi = plan.G * P + plan.c;
  double worst = 0;
  const auto at_most = [&](double value) { worst = std::max(worst, value); };
  int row = 0;
  for (const BlockPlan& b : plan.blocks) {
    if (b.bilateral) at_most(psi.segment(row, b.rows).norm());
    if (b.has_normal) {
      at_most(-P[row]), at_most(-psi[row]);
      at_most(std::min(std::abs(P[row]), std::abs(psi[row])));
    }
    const double P_N = b.has_normal ? P[row] : b.P_N;
    for (const RowLaw& law : b.laws) {
      const int dim = law.set.dim();
      const VecX P_F = P.segment(row + law.first, dim), psi_F = psi.segment(row + law.first, dim);
      const double r = law.set.mu[0] * std::max(P_N, 0.);
      at_most(P_F.norm() - r);
      // Sliding: the force is on the rim, against the velocity. Measured as power: stays small where psi_F does.
      at_most(r * psi_F.norm() + P_F.dot(psi_F));
    }
    row += b.rows;
  }
  return worst;
}

/// Contacts, bilateral rows and rows with known P_N on many more degrees of freedom than rows: G is regular.
inline DensePlan random_plan(int contacts, int seed, double mu = 0.3) {
  DensePlan plan;
  for (int k = 0; k < contacts; ++k) plan.blocks.push_back(contact(mu));
  plan.blocks.push_back(bilateral(2)), plan.blocks.push_back(known_normal(0.5, mu)), plan.blocks.push_back(bilateral(1));
  const int rows = 3 * contacts + 4, dofs = 3 * rows;
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const MatX W = MatX::NullaryExpr(dofs, rows, [&] { return normal(random); }) / std::sqrt(dofs);
  plan.G = W.transpose() * W;
  plan.c = VecX::NullaryExpr(rows, [&] { return normal(random); });
  for (int k = 0; k < contacts; ++k) plan.c[3 * k] -= 0.5;
  return plan;
}

/// Stages of a Runge-Kutta step with the matrix A: friction rows see their own stage, normal rows and position-level
/// constraints sum_j a_ij G mu_j. The stages of a block are a group.
inline DensePlan staged(const DensePlan& one, const MatX& A) {
  DensePlan plan;
  const int s = static_cast<int>(A.rows()), n = static_cast<int>(one.c.size());
  plan.G = MatX::Zero(s * n, s * n), plan.c.resize(s * n);
  std::vector<int> first;  // row of each block in `one`
  for (int row = 0; const BlockPlan& b : one.blocks) first.push_back(row), row += b.rows;
  const auto place = [&](std::size_t b, int stage, int r) { return s * first[b] + stage * one.blocks[b].rows + r; };
  for (std::size_t b = 0; b < one.blocks.size(); ++b) {
    for (int i = 0; i < s; ++i) {
      plan.blocks.push_back(one.blocks[b]);
      plan.blocks.back().group = i == 0 ? s : 0;
      for (int r = 0; r < one.blocks[b].rows; ++r) {
        const bool gap = one.blocks[b].bilateral || (one.blocks[b].has_normal && r == 0);
        const int row = place(b, i, r);
        plan.c[row] = one.c[first[b] + r] * (gap ? A.row(i).sum() : 1.) * (1 + 0.2 * i);
        for (std::size_t d = 0; d < one.blocks.size(); ++d)
          for (int j = 0; j < s; ++j)
            for (int k = 0; k < one.blocks[d].rows; ++k)
              plan.G(row, place(d, j, k)) = (gap ? A(i, j) : i == j ? 1. : 0.) * one.G(first[b] + r, first[d] + k);
      }
    }
  }
  return plan;
}

inline MatX radau_2() { return (MatX(2, 2) << 5. / 12, -1. / 12, 3. / 4, 1. / 4).finished(); }

}  // namespace percussion::test

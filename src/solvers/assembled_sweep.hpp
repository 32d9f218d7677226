// Gauss-Seidel and Jacobi on the assembled view, psi = G P + c.
//
// Inside a rank the groups of blocks are relaxed one after the other on the local part of G; percussions of other ranks
// are those of the last sweep. Let k_r = 1 + the number of ranks whose rows couple with those of rank r. G is symmetric and
// positive semidefinite, so (x_r, -x_s) G (x_r, -x_s)' >= 0 gives 2 x_r' G_rs x_s <= x_r' G_rr x_r + x_s' G_ss x_s; summed
// over all coupled pairs
//   x' G x = sum_r x_r' G_rr x_r + sum_{r<s} 2 x_r' G_rs x_s <= sum_r k_r x_r' G_rr x_r.
// So the quadratic with blockdiag(k_r G_rr) in place of G around the present P lies above the energy 1/2 P'GP + c'P and
// touches it at P; a sweep inside each rank on that majoriser decreases it, hence the energy of the whole problem, for
// any number of ranks (as in solvers/body_exchange.hpp, with the reservoirs mu P_N frozen). Jacobi is the same with one
// "rank" per group: its iterates do not depend on the ranks. Both relax groups (solvers/row_groups.hpp), a block without
// one being its own; Gauss-Seidel does so on contact blocks (solvers/contact_blocks.hpp) where the rows of a rank fit.
// An unsymmetric G (gyroscopic and follower forces, stages of Runge-Kutta steps) has the same fixed points, but no such
// proof. Cost per sweep: O(nonzeros of the rank) + one PETSc scatter, none on one rank.
#pragma once
#include <memory>

#include "solvers/contact_blocks.hpp"
#include "solvers/row_groups.hpp"
#include "solvers/row_velocities.hpp"
#include "solvers/solver.hpp"

namespace percussion {

/// Collective. P is the start and becomes the solution; judged by the residual of solvers/residual.hpp.
SolveReport assembled_gauss_seidel(AssembledProblem& problem, const SolverOptions& options, LocalSolver local = LocalSolver::exact);
SolveReport assembled_jacobi(AssembledProblem& problem, const SolverOptions& options);

/// Single sweeps, for solvers that mix them with something else.
class AssembledGaussSeidel {
 public:
  AssembledGaussSeidel(RowVelocities& velocities, double relaxation, LocalSolver local = LocalSolver::exact);
  /// Collective. Changes P.
  void sweep();

 private:
  void sweep_blocks();
  void sweep_groups();

  RowVelocities& velocities_;
  double k_r_, omega_;
  std::unique_ptr<ContactBlocks> blocks_;  ///< or
  std::unique_ptr<RowGroups> groups_;
  std::vector<double> dP_, psi_;
};

}  // namespace percussion

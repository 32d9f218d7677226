// Semismooth Newton method with the primal-dual active set (Breuling 6.8, Algorithm 1) on the assembled view.
//
// With x eliminated, psi = G P + c, the unknowns are the percussions and the matrix is the Schur complement of (6.13),
// J = dF/dpsi G + dF/dP (solvers/newton_matrix.hpp). Quadratic near a regular solution. No globalisation: the method
// stops when the residual has found no new minimum for a few steps, and goes back to the best iterate. A singular J,
// the sign of redundant contacts, is reported and P stays at the last iterate.
// Optionally a proximal step: F of psi + eps D (P - anchor), D = diag(s^2) of solvers/active_set_rows.hpp, whose J is
// regular and whose fixed points in anchor are the solutions (solvers/hybrid.hpp); it gives up at once when the residual leaps.
#pragma once
#include "solvers/newton_matrix.hpp"
#include "solvers/proximal_point.hpp"
#include "solvers/row_velocities.hpp"
#include "solvers/solver.hpp"

namespace percussion {

/// Problems with fewer rows than this on all ranks together are factorised densely. 300^3 flops take about 10 ms.
constexpr int newton_dense_rows = 300;

class ActiveSetNewton {
 public:
  /// Collective.
  explicit ActiveSetNewton(RowVelocities& velocities, int dense_rows = newton_dense_rows);

  struct Task {
    double tolerance;
    int max_steps;
    int patience = 6;  ///< steps without a new smallest residual
    double eps = 0;
    const std::vector<double>* anchor = nullptr;  ///< if eps > 0
    std::vector<double>* history = nullptr;       ///< residuals are appended
  };
  /// Collective. From the present P of the problem. A solution with eps = 0 lies in the cones exactly: P_N >= 0.
  NewtonResult solve(const Task& task);
  /// Collective. Moves P into the cones; if the residual stays below the tolerance it is kept and returned, else P is
  /// restored.
  bool project(double tolerance, double& residual);

 private:
  /// psi of the task at the present P.
  void evaluate(const Task& task);

  RowVelocities& velocities_;
  GeneralRows& rows_;
  std::vector<double> s_;
  NewtonMatrix matrix_;
  std::vector<double> psi_, F_, dP_, best_, kept_;
};

/// Collective. The plain method; options.max_iterations counts Newton steps.
SolveReport semismooth_newton(AssembledProblem& problem, const SolverOptions& options, int dense_rows = newton_dense_rows);

}  // namespace percussion

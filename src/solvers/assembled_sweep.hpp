// Gauss-Seidel and Jacobi on the assembled view, psi = G P + c.
//
// Inside a rank the blocks are relaxed one after the other on the local part of G; percussions of other ranks are those
// of the last sweep. With k_r = 1 + the number of ranks whose rows couple with those of rank r, Young's inequality gives
// G <= blockdiag(k_r G_rr), so relaxing with k_r G_rr in place of G_rr decreases the energy of the whole problem in every
// sweep (the majoriser of solvers/body_exchange.hpp). Cost per sweep: O(nonzeros of the rank) + one PETSc scatter.
#pragma once
#include "assembly/assembled_problem.hpp"
#include "solvers/solver.hpp"

namespace percussion {

/// Collective.
SolveReport assembled_gauss_seidel(AssembledProblem& problem, const SolverOptions& options);
SolveReport assembled_jacobi(AssembledProblem& problem, const SolverOptions& options);

}  // namespace percussion

// Domain-decomposed projected Gauss-Seidel for the stage problem of round bodies: a contact is one block over its stages
// (solvers/stage_kernel.hpp), optionally with momentum (solvers/momentum.hpp). Bodies shared between ranks as in
// solvers/body_exchange.hpp.
// Where no bound is active C cancels: with z = C mu_N the normal rows are those of m independent one-stage problems, so
// sweeps converge as fast as for one stage. Measured: docs/performance.md.
// Cost per sweep: O(m contacts) + one message each way per neighbour; momentum adds a reduction of one number.
#pragma once
#include "assembly/stage_sphere_problem.hpp"
#include "solvers/solver.hpp"

namespace percussion {

/// Collective. Judged by the natural-map residual of solvers/residual.hpp, with one row block per contact and stage.
SolveReport stage_gauss_seidel(StageSphereProblem& problem, const SolverOptions& options, bool with_momentum = false);

}  // namespace percussion

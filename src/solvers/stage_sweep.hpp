// Domain-decomposed projected Gauss-Seidel for the stage problem of round bodies: a contact is one block over its stages.
//
// Local problem, with the other contacts frozen: the normals of all stages together are a linear complementarity
// problem with the matrix G_NN C, C a P-matrix, so it has one solution (Breuling 4.12, 5.2), found among the subsets of
// stages with precomputed inverses. Friction follows stage after stage on its disc; for the projected methods, where
// D = 1, that is the solution too. Bodies shared between ranks as in solvers/body_exchange.hpp.
// Where no bound is active C cancels: with z = C mu_N the normal rows are those of m independent one-stage problems, so
// sweeps converge as fast as for one stage. Measured: docs/performance.md.
// Cost per sweep: O(m contacts) + one message each way per neighbour.
#pragma once
#include "assembly/stage_sphere_problem.hpp"
#include "solvers/solver.hpp"

namespace percussion {

/// Collective. Judged by the natural-map residual of solvers/residual.hpp, with one row block per contact and stage.
SolveReport stage_gauss_seidel(StageSphereProblem& problem, const SolverOptions& options);

}  // namespace percussion

// Gauss-Seidel sweeps with momentum (solvers/momentum.hpp) in the body view, for solvers that hand large problems on.
#pragma once
#include "solvers/solver.hpp"

namespace percussion {

/// Collective. From the percussions in the problem; the residual of solvers/residual.hpp judges.
SolveReport accelerated_gauss_seidel(InclusionProblem& problem, const SolverOptions& options);

}  // namespace percussion

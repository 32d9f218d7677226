// The proximal-point loop of solvers/hybrid.hpp.
#pragma once
#include "solvers/semismooth_newton.hpp"

namespace percussion {

/// Collective. Continues `report` from the present P, which is the best one found afterwards. At most `steps` Newton steps.
/// `plain_first`: begin with eps = 0.
void proximal_newton(SolveReport& report, RowVelocities& velocities, ActiveSetNewton& newton, double tolerance, int steps, bool plain_first);

/// Collective. The loop alone, without sweeps; options.max_iterations counts Newton steps.
SolveReport proximal_newton(AssembledProblem& problem, const SolverOptions& options);

}  // namespace percussion

// The hybrid solver on one rank for contacts and bilateral rows: solvers/hybrid.hpp without its generality.
//
// Gauss-Seidel sweeps with exact contacts while they promise to finish for less than a few Newton steps; then full
// steps of the regularised semismooth Newton method (solvers/contact_newton.hpp), each from its own proximal point. Full
// steps, since line searches on the residual get caught where the active set changes; eps says how far a step may go: it
// falls while the residual does and grows when that leaps. If no new minimum comes for a while, the proximal-point loop
// (solvers/proximal_point.hpp) goes on from the best point: slower, and it settles contacts at the edge of sticking. Then
// rounds of more sweeps, the other form of the slip radius, and both again.
// On the way residuals are those of the scaled variables, so that it is the same in all units; only the end is judged by
// the residual of the problem. Measured on stored problems and random variations of them (docs/solvers/newton.md).
#pragma once
#include "solvers/row_velocities.hpp"
#include "solvers/solver.hpp"

namespace percussion {

/// Continues `report` from the present P. `newton_now`: the sweeps have been done elsewhere. The rows must be such that
/// fits_contact_blocks(), all on this rank. report.stalled: all rounds came to nothing.
void contact_hybrid(SolveReport& report, RowVelocities& velocities, const SolverOptions& options, bool newton_now);

}  // namespace percussion

// The hybrid solver on one rank for contacts and bilateral rows: solvers/hybrid.hpp without its generality.
//
// Gauss-Seidel sweeps with exact contacts while they promise to finish for less than a few Newton steps; then full
// steps of the regularised semismooth Newton method (solvers/contact_newton.hpp). Full steps, since line searches on the
// residual get caught where the active set changes; eps says how far a step may go: it falls while the residual does
// and grows when that leaps. If no new minimum comes for a while, the next round starts from the best point:
//   quick    eps from 1e-3, any step is taken
//   careful  eps from 1e-2 falling slowly, steps that multiply the residual are taken back
// then once the general method of solvers/proximal_newton.hpp, and before every further pair of rounds more sweeps and the
// other form of the slip radius.
// Measured on stored problems and random variations of them (docs/solvers/newton.md).
#pragma once
#include "solvers/row_velocities.hpp"
#include "solvers/solver.hpp"

namespace percussion {

/// Continues `report` from the present P. `newton_now`: the sweeps have been done elsewhere. The rows must be such that
/// fits_contact_blocks(), all on this rank. report.stalled: all rounds came to nothing.
void contact_hybrid(SolveReport& report, RowVelocities& velocities, const SolverOptions& options, bool newton_now);

}  // namespace percussion

// ADMM: alternating direction method of multipliers on psi = G P + c, written as the equivalent Douglas-Rachford iteration
// with one vector of unknowns, and accelerated by Anderson mixing.
//
//   z := prox(w)                          per contact: z_N := max(w_N, 0), z_F := prox_{C(z_N)}(w_F); bilateral rows: z = w
//   (G + rho D) r = rho D (2 z - w) - c                        one solution with a factorisation that is kept
//   w := w + alpha (r - z)                                     alpha: over-relaxation
//
// in variables scaled so that G has a unit diagonal (solvers/active_set_rows.hpp), D = 1: results do not depend on units.
// A fixed point has r = z and G z + c = rho (z - w), which is in the normal cone of -z: a solution, whatever the rank of G,
// and also if G is not symmetric. (V. Acary, M. Bremond, O. Huber: On solving contact problems with Coulomb friction:
// formulations and numerical comparisons, 2018, and the ADMM solver that followed in Siconos, project on the cone of
// Coulomb and move the de Saxce correction mu |psi_T| into c. Here the friction discs follow z_N inside the projection; the
// fixed points are the same, all friction laws are covered, and on the problems of docs/solvers/first_order.md it needs
// no more iterations.) The discs follow z_N without a proof of convergence, as in all solvers of this kind; for given discs
// the iteration is a firmly nonexpansive map.
//
// rho stays while the residual falls by a decade in a hundred iterations. If not, rho follows the larger of the primal
// residual |r - z| and the dual one |G z + c - rho (z - w)|, both relative, if one is ten times the other; where they are
// balanced, it goes the way that has helped, down first. Bilateral rows are not split: their shift is tiny and there against
// redundant constraints only.
// Cost per iteration: one triangular solution, projection, mixing; now and then a residual.
#pragma once
#include "solvers/row_velocities.hpp"
#include "solvers/solver.hpp"

namespace percussion {

struct AdmmOptions {
  double tolerance = 1e-6;
  int max_iterations = 1000;  ///< counted in the report
  double penalty = 0.1;       ///< rho at the start, relative to the diagonal of G
  int memory = 20;            ///< of the mixing; 0: none
  double relaxation = 1.5;    ///< alpha
  bool history = false;
};

/// Collective. P is the start and becomes the solution. Continues `report`; its residual is that of `velocities`.
void admm(SolveReport& report, RowVelocities& velocities, const AdmmOptions& options);

}  // namespace percussion

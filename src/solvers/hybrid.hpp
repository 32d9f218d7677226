// Hybrid: Gauss-Seidel sweeps until the active set (closed, stick) is quiet, then a tight finish by a proximal-point loop
// around the semismooth Newton method, then sweeps again if that stalls.
//
//   P_{k+1} = solution of  psi(P) + eps D (P - P_k)  in the normal cones,   D = diag(s^2)  (solvers/active_set_rows.hpp)
//
// G + eps D is regular whatever the contacts, and eps D (P_{k+1} - P_k) -> 0: the limit solves the problem itself, and
// redundant percussions stay near those of the sweeps. eps falls while the inner Newton method needs few steps, and
// grows when it fails. Small problems try eps = 0 first: the plain Newton method, if J is regular.
// The residual is that of the problem without eps.
//
// Coulomb contacts and bilateral rows on one rank, or few enough to be gathered on one, are solved by
// solvers/contact_hybrid.hpp.
//
// Body view: sweeps as in solvers/gauss_seidel.hpp; only what is left unsolved is assembled (solvers/assemble_body_view.hpp),
// and only if no rank has more than newton_rows rows. Large grain systems are swept to the end, with momentum.
#pragma once
#include "assembly/assembled_problem.hpp"
#include "solvers/solver.hpp"

namespace percussion {

struct HybridOptions {
  SolverOptions sweeps;  ///< max_iterations counts Newton steps, too
  int newton_max = 300;    ///< Newton steps in one attempt
  int newton_rows = 3000;  ///< on any rank; more are swept only
};

/// Collective.
SolveReport hybrid(AssembledProblem& problem, const HybridOptions& options);
SolveReport hybrid(InclusionProblem& problem, const HybridOptions& options);

}  // namespace percussion

// Semismooth Newton method on the function of Fischer and Burmeister for the friction cone (Fukushima, Luo, Tseng, 2002).
//
//   phi(x, y) = x + y - (x o x + y o y)^(1/2),   x = sigma (mu P_N, P_F),   y = (psi_N + mu |psi_F|, mu psi_F) / sigma
//
// in the Jordan algebra of the second-order cone: phi = 0 if and only if x and y lie in it and are perpendicular, which is
// Coulomb's law with de Saxce's correction. |phi|^2 is smooth, so a line search on it works (Armijo, against the largest
// of the last few values). Redundant contacts: J gets eps D as a proximal term at the present iterate, eps falling with
// the residual. Bilateral rows, several laws per contact, rectangles and known normal percussions keep the equations of
// solvers/active_set_rows.hpp.
#pragma once
#include "solvers/active_set_rows.hpp"
#include "solvers/solver.hpp"

namespace percussion {

struct AssembledProblem;

struct FischerBurmeisterOptions {
  SolverOptions common;
  double regularisation = 1e-2;  ///< largest eps; 0: none, and singular matrices are reported
};

/// phi of the block and its derivatives in scaled variables, as active_set_map().
BlockMap fischer_burmeister_map(const RowBlock& block, const RowLaw* laws, const double* s, const SmallVec& psi, const double* P);

/// Collective.
SolveReport fischer_burmeister(AssembledProblem& problem, const FischerBurmeisterOptions& options);

}  // namespace percussion

// Shared bodies across ranks: relax -> reduce -> broadcast, with mass splitting.
//
// A body used by several ranks is cut into copies of mass w_r M, sum_r w_r = 1, that move together. A sweep changes each
// copy by delta_r = (1/w_r) M^-1 (W dP)_r with the contacts of rank r alone; afterwards
//
//   x := x_before + sum_r w_r delta_r = x_before + M^-1 W dP,
//
// so x belongs to P after every exchange, on all copies bit by bit.
// Why the iteration converges: for fixed reservoirs (mu P_N frozen) the problem is to minimise 1/2 P'GP + c'P over a
// product of convex sets. With G' the Delassus operator of independent copies, Cauchy-Schwarz gives
//   |sum_r y_r|^2_{M^-1} <= sum_r (1/w_r) |y_r|^2_{M^-1},  hence  G <= G',  for any shares w_r,
// so the quadratic with G' in place of G around the present P lies above the energy and touches it at P. Each rank's
// sweep decreases its separable part of that majoriser, hence the energy: it falls monotonically for any number of
// ranks, without a damping parameter. As on one rank, the update of mu P_N on top has no proof, only the residual.
// Cost per sweep: one message each way per neighbour, lines of shared bodies only in the halo; no global operation.
#pragma once
#include <vector>

#include "assembly/inclusion_problem.hpp"

namespace percussion {

class BodyExchange {
 public:
  explicit BodyExchange(InclusionProblem& problem);

  /// Remembers x of the shared bodies; the sweep may begin.
  void begin();
  /// All changes to shared bodies are done: corrections start to travel. Bodies that are not shared may be changed on.
  void reduce_start();
  /// The corrections of all ranks have come to the owners, and travel back. May be left out before finish(): both waits are
  /// then in one place.
  void turn();
  /// x of the shared bodies becomes the corrected one on all copies.
  void finish();

 private:
  InclusionProblem& problem_;
  std::vector<double> before_;  ///< shared lines of x
  std::vector<double> delta_;   ///< all lines; zero where nothing is shared
  bool turned_ = false;
};

/// Collective. x := x + M^-1 W P for the start P, equal on all copies.
void apply_start(InclusionProblem& problem, BodyExchange& exchange);

}  // namespace percussion

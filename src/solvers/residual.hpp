// The natural-map residual that judges every solver.
//
//   F_k = P_k - prox_k(P_k - rho_k psi_k),  rho_k = 1 / G_kk of the undivided bodies             (Breuling 6.4)
//   residual = |F| / max(|P|, |F at P = 0|, 1e-3 |S|)  in the energy norm |F|^2 = sum_k F_k' G_kk F_k
//
// S are the percussions that would stop the bodies at each contact alone: a floor, so that contacts which happen to
// need no percussion are not asked to resolve the rounding of their velocities. Relative, without units, independent of
// the ranks, and zero for a problem whose solution is P = 0.
#pragma once
#include "assembly/inclusion_problem.hpp"

namespace percussion {

/// Velocities below this part of those of the bodies in contact are not worth resolving, and far above their rounding.
constexpr double velocity_floor = 1e-3;

class Residual {
 public:
  /// Collective, with x = x_free: measures F at P = 0.
  explicit Residual(const InclusionProblem& problem);
  /// Collective, with x = x_free + M^-1 W P: one pass over the blocks and one reduction of two numbers.
  double operator()(const InclusionProblem& problem);
  /// What |F| was divided by at the last evaluation.
  double scale() const { return scale_; }

 private:
  double start_ = 0, scale_ = 0;
};

}  // namespace percussion

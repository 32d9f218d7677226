// What a Runge-Kutta method tells the stage problem (assembly/stage_problem.hpp), for both families alike.
//
//   Q_i = q_n + sum_j a_ij h B(Q_j) U_j,   U_i = u_n + sum_j a_hat_ij dU_j,   i = 1..s           (Breuling 4.61, 5.26)
//
// Solved for: dU_j and dPi_j of the stages `unknown`. Constraints and contacts hold at the stages `rows`, as many, with
// the percussions mu that their laws see: dPi = S (mu - mu_known).
//   projected     unknown = rows = the implicit stages, mu_i = sum_j a_ij dPi_j                            (4.69-4.72)
//   partitioned   unknown = 1..s-1, rows = 2..s (the index shift), mu_i = dPi_{i-1}                        (5.30, 5.41)
//                 or, integrated, mu_i = sum_j a_hat_{i-1,j} dPi_j                                         (5.29, 5.42)
// The last stage of a partitioned method is not here: neither Q nor U depends on dU_s (5.13), so it is the velocity
// level that follows, as the projection follows the projected methods (5.53).
// Stages are counted from zero in the code.
#pragma once
#include <vector>

#include "math/tableau.hpp"

namespace percussion {

struct StageScheme {
  int s = 0;
  VecX c, b;
  MatX A, A_hat, AA_hat;             ///< AA_hat = A A_hat
  std::vector<int> unknown, rows;    ///< ascending
  MatX S;                            ///< m x m
  VecX weight;                       ///< mu of a constant force of size one, over h: 1 at the end of the step if integrated
  bool explicit_first_stage = false; ///< dU_1, dPi_1 are given; mu_known = a_i1 dPi_1
  bool partitioned = false;

  int m() const { return static_cast<int>(unknown.size()); }
  /// Coefficient of dU of unknown stage k in U_i, and in Q_i / (h B).
  double velocity(int i, int k) const { return A_hat(i, unknown[k]); }
  double position(int i, int k) const { return AA_hat(i, unknown[k]); }
};

/// A percussion at an inner stage counts if it changes the velocity of approach by more than this part, far above what
/// solvers leave.
constexpr double inner_percussion = 1e-6;

StageScheme stage_scheme(const Tableau& tableau);
StageScheme stage_scheme(const PartitionedTableau& tableau, bool integrated_percussions);

}  // namespace percussion

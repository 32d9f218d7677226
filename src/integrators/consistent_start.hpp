// Consistent accelerations and forces at (t, q, u), with the set-valued laws on acceleration level (Breuling 3.48-3.58):
//
//   M u' = h + W la,   g'' = 0, gamma' = 0
//   closed contacts that do not open:  g_N'' in N(-la_N)                                                        (3.49)
//     and stick:  gamma_F' in N_C(la_N)(-la_F),  slide:  la_F = -mu la_N gamma_F / |gamma_F|                (3.50, 3.51)
//
// Used by methods with an explicit first stage: dU_1 = h u', dPi_1 = h la. Evaluated anew in every step, because what
// the last stage of the step before holds is distorted by impacts and by the projection (footnote to 4.33).
// Rates below 1e-8 of the velocities that make them count as zero: far above the rounding of a converged step.
// zeta of contacts without a closed form (shapes, curved and driven walls): central differences of the rates along q' = B u.
#pragma once
#include <vector>

#include "assembly/level_problem.hpp"
#include "assembly/stage_rows.hpp"
#include "solvers/solver.hpp"

namespace percussion {

class ConsistentStart {
 public:
  /// Collective. The system stands at (t, q_n, u_n), the rows are collected there. `first`: no step has been made yet,
  /// so contacts with a gap below 1e-9 are closed; later those that were closed at the end of the last step. Sets
  /// dPi_first of all blocks and dU = h u' (like nodes.u()).
  SolveReport solve(System& system, StageRows& rows, double t, double h, bool first, ContactSolver& solver, std::vector<double>& dU);

 private:
  /// zeta of all blocks. The rows are left as they were.
  void collect_zeta(System& system, StageRows& rows, double t, double h);
  /// False if the contact is open.
  bool make_block(const System& system, StageRows& rows, const StageBlock& block, const VecX& zeta, double h, bool first, LevelBlock& level);

  LevelProblem problem_;
  std::vector<VecX> zeta_;   ///< per block of the rows
  std::vector<MatX> law_;  ///< per level block: dPi_first = law_ P + fixed_
  std::vector<VecX> fixed_;
  GatheredState gathered_;
};

}  // namespace percussion

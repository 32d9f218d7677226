// The inclusion problem of one step of the theta scheme in the assembled view, and its Newton iteration:
//
//   R(u, P) = M(q~) (u - u_n) - h h(t_theta, q_theta, u_theta) - W(q~) P = 0                                (Acary 41a)
//   u_theta = theta u + (1 - theta) u_n,   q_theta = q_n + h theta B(q~) u_theta
//   psi = W(q~)^T u + c in the normal cones of -P, active contacts and c as in assembly/contact_rows.hpp
//
// At an iterate u, with H_xx = M - h theta h_u - h^2 theta^2 h_q B (Acary 36; assembly/stage_matrix.hpp with one stage),
// this is psi = G P + c' with
//   G = W^T H_xx^-1 W,   c' = c + W^T u_free,   u_free = u - H_xx^-1 R(u, 0),
// and u := u_free + H_xx^-1 W P afterwards. q~, so W, M and B, stay as they are in the iteration; for forces that are
// linear in q and u the first iterate is the solution.
// Print and algebra: below (41) x_{k+theta} = (1 - theta) x_{k+1} + theta x_k, but (36) has the weights the other way
// round; here theta = 1 is implicit, as in (36).
//
// Cost: one factorisation per iterate and one solution per active row; O(n_u x 256) memory beside G. Measured: a lattice of
// 1728 bonded spheres (10,368 velocities) with 432 rows takes 5 s per iterate on one core, 3/4 of it for H_xx^-1 W. Meant
// for structures and mechanisms; grains without forces between them belong to the body view.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "assembly/assembled_problem.hpp"
#include "assembly/contact_rows.hpp"
#include "assembly/delassus.hpp"
#include "assembly/stage_matrix.hpp"

namespace percussion {

struct ThetaStep {
  double t, h, theta;
  double t_theta() const { return t + theta * h; }
};

/// Relative sizes of what a Newton iteration left, in the norms of M^-1 (residual) and M (velocities).
struct NewtonChange {
  double residual;   ///< R against the sum of its three terms
  double increment;  ///< of u against u
};

class ImplicitProblem {
 public:
  /// Collective. The system stands at q~ (refreshed) with the velocities u_n; q_n is laid out like nodes.q(). The
  /// iteration starts at u_n.
  void begin(System& system, const ThetaStep& step, std::span<const double> q_n);
  /// Collective. problem() := linearised at the present iterate; P is what the last iteration, or the last step, left.
  void linearise(System& system);
  /// Collective, with P solved. Next iterate.
  NewtonChange advance(System& system);
  /// Local. u of all local nodes := iterate; percussions to the memory of the contacts.
  void store(System& system);

  AssembledProblem& problem() { return problem_; }
  const ActiveRows& active() const { return active_; }
  ActiveRows& active() { return active_; }
  std::size_t memory() const;

 private:
  void reshape(System& system);
  void build_rows(const System& system);
  /// Local. problem_.speed, with the iterate as u.
  void set_speed(const NodeStore& nodes);
  /// Local. q_theta_, u_theta_ of the iterate.
  void set_theta_state(const NodeStore& nodes);
  /// Collective. inertia_ := M (u - u_n), force_ := h h at the iterate; owned part.
  void evaluate(System& system);
  void sum_over_ranks(std::vector<double>& values);

  ThetaStep step_{};
  DofMap dofs_;
  StageScheme scheme_;  ///< of one stage, for the matrix
  StageMatrix matrix_;
  Delassus delassus_;
  std::vector<CoupledBlock> coupled_;
  ActiveRows active_;
  AssembledProblem problem_;
  std::vector<double> c_;  ///< of the rows, without W^T u_free
  PetscVec rhs_, u_free_, du_;
  std::unique_ptr<HaloChannel<double>> channel_;
  // Laid out like nodes.q() and nodes.u().
  std::vector<double> q_n_, q_B_, q_theta_;
  std::vector<double> u_n_, u_, u_theta_, inertia_, force_, mass_diagonal_, no_increment_;
  GatheredState gathered_;
};

}  // namespace percussion

// The nonlinear stage problem of a Runge-Kutta step in the assembled view, and its simplified Newton iteration:
//
//   phi_j = M(Q_j) dU_j - h h(tau_j, Q_j, U_j) - W(Q_j) dPi_j = 0           unknown stages j     (Breuling 4.61, 4.68, 5.37)
//   psi_i = (g_N(tau_i, Q_i) / h, gamma_F(tau_i, Q_i, U_i)) in the normal cones of -mu_i,  row stages i    (4.69, 5.38)
//   g(tau_i, Q_i) / h = 0, gamma(tau_i, Q_i, U_i) = 0                                                          (4.64)
//
// with Q, U, dPi(mu) of assembly/stage_scheme.hpp. M dU instead of M^-1 h avoids derivatives of M^-1 (footnote to 5.5).
// Q is a function of U, node by node: exact for nodes with q' = u, a fixed point for quaternions.
// Linearised at an iterate with H = H_xx this is psi = G mu + c,
//   G = Psi H^-1 F,   c = psi_k - Psi H^-1 phi_k - G mu_k,   dU := dU - H^-1 phi_k + H^-1 F (mu - mu_k),      (6.11-6.13)
// F_jr = W_j S_jr, Psi the derivative of the rows. H, F, Psi and G are kept over iterations and steps until the blocks
// of rows change or convergence slows; phi and psi are always those of the iterate, so the limit is exact.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "assembly/assembled_problem.hpp"
#include "assembly/delassus.hpp"
#include "assembly/stage_matrix.hpp"
#include "assembly/stage_rows.hpp"
#include "math/weighted_norm.hpp"

namespace percussion {

/// A block of rows where the kept matrix was made. Detected contacts: a, b as in RememberedPercussion, and
/// the slot (contact/candidate_list.hpp), as a pair that is not of spheres can have several contacts.
struct LinearisedRow {
  RowSource source;
  std::int64_t node, a, b;
  VecX mu, dPi_first;
  Vec3 axis;
  std::int64_t slot = 0;
};

/// Where the kept H and G were made: enough to make them again, bit by bit. Arrays per stage, like nodes.q(), nodes.u().
struct Linearisation {
  double t = 0, h = 0;
  std::vector<std::vector<double>> Q, U, dU;
  std::vector<LinearisedRow> rows;
};

/// Weighted norms after an iteration; below one is converged.
struct StageChange {
  double increment;  ///< of the stage velocities (6.15)
  double residual;   ///< phi, and psi against its linear prediction (6.7, 6.17)
  bool rounding;     ///< the increment is at the rounding of the velocities: no further iteration can help
  bool diverged = false;  ///< the iterate was not finite; back at zero increments and percussions
};

class StageProblem {
 public:
  /// Collective. The system stands at (t, q_n, u_n), refreshed, and is left there until finish(). dU_first (like
  /// nodes.u()) is the increment of an explicit first stage, else empty; its percussions are set in rows() between
  /// collect() and begin().
  void collect(System& system, const StageScheme& scheme, double t, double h, double margin);
  void begin(System& system, const NormTolerance& tolerance, const std::vector<double>& dU_first);

  /// Collective. problem() := linearised at the iterate, with a new H and G if `fresh` or if they do not fit.
  void linearise(System& system, bool fresh);
  /// Collective, with problem().rows.P solved. Next iterate.
  StageChange advance(System& system);

  AssembledProblem& problem() { return problem_; }
  StageRows& rows() { return rows_; }
  const StageRows& rows() const { return rows_; }
  /// Whether contact k was closed at the last stage: the solver's own active set, psi_N / G_NN <= mu_N. Partitioned
  /// methods: or carried a percussion at an inner stage.
  bool closed(std::size_t block) const;

  /// Stage states, arrays like nodes.q() and nodes.u(); stages from zero.
  const std::vector<double>& Q(int i) const { return Q_[i]; }
  const std::vector<double>& U(int i) const { return U_[i]; }
  const std::vector<double>& dU(int i) const { return dU_[i]; }
  const DofMap& dofs() const { return dofs_; }

  /// Local. Rows, increments and the point of the kept matrix.
  void save(const System& system, StepMemory& memory) const;
  /// Collective.
  void load(System& system, const StageScheme& scheme, StepMemory& memory);
  std::int64_t factorisations() const { return matrix_.factorisations(); }
  std::size_t memory() const;

 private:
  void reshape(System& system);
  void set_states(const NodeStore& nodes);
  void set_rotations(const NodeStore& nodes, std::int32_t i);
  void evaluate(System& system);
  bool all_finite() const;
  /// dU := dU + dx - z on owned nodes and ghosts.
  void add_increments(const NodeStore& nodes);
  /// From U_before to the present iterate.
  StageChange change(const NodeStore& nodes, const std::vector<std::vector<double>>& U_before) const;
  void build_operator(System& system);
  void keep_point(const System& system);
  void load_point(System& system, const StepMemory& memory);
  /// Collective. H and G as they were made at `kept_`.
  void restore_operator(System& system);
  void append_rows();
  void set_speed(const System& system);
  CoupledBlock coupled(const System& system, const StageBlock& block) const;
  double global_sum(double local) const;
  double global_max(double local) const;

  StageScheme scheme_;
  NormTolerance tolerance_;
  double t_ = 0, h_ = 0, h_of_G_ = 0;
  bool has_G_ = false, restore_G_ = false;  ///< restore: has_G_ is a promise, the matrices come with the next step
  Linearisation kept_;
  DofMap dofs_;
  StageMatrix matrix_;
  Delassus delassus_;
  StageRows rows_;
  AssembledProblem problem_;
  std::unique_ptr<HaloChannel<double>> channel_;
  PetscVec phi_, z_, dx_;  ///< z = H^-1 phi
  std::vector<double> q_n_, u_n_;
  std::vector<std::vector<double>> Q_, U_, dU_;
  std::vector<double> phi_values_, phi_start_;  ///< owned, in the order of the matrix
  std::vector<double> mu_, psi_, predicted_;    ///< of all rows, as in problem_
  GatheredState gathered_;
};

}  // namespace percussion

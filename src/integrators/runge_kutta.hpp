// A step of the nonsmooth Runge-Kutta methods, both families (Breuling Fig. 4.8, Fig. 5.1):
//
//   1. stage problem           positions, velocities and percussions of the stages, contact laws on gaps
//   2. velocity level          impact laws, g' and gamma at the end of the step, with the percussions of the whole step
//
// Projected methods: 2. is the velocity projection (4.103-4.114) of u = U_s; switched off it is the naive scheme of 4.5.
// Partitioned methods: 2. is the last stage, u = u_n + sum_{j<s} b_j dU_j + b_s (h k(Q_s, U_s) + l dPi_s)   (5.26d, 5.31-5.35).
// Contacts on velocity level are those closed at the last stage in the sense of the solver's active set; the percussions
// of all others are taken back to zero (4.108, 5.33).
// Free round bodies in numbers go to the body view (integrators/sphere_stages.hpp), all else to the assembled view.
#pragma once
#include "assembly/level_problem.hpp"
#include "assembly/stage_problem.hpp"
#include "integrators/consistent_start.hpp"
#include "integrators/integrator.hpp"
#include "integrators/sphere_stages.hpp"

namespace percussion {

/// Keys that both families share.
Schema runge_kutta_schema();
RungeKuttaOptions runge_kutta_options(const Parameters& p);

class RungeKutta : public Integrator {
 public:
  RungeKutta(StageScheme scheme, ContactSolver& solver, const RungeKuttaOptions& options)
      : scheme_(std::move(scheme)), solver_(solver), options_(options) {}

  void start(System& system, double h) override;
  StepReport step(System& system, double h) override;
  void contacts(const System& system, std::vector<ContactRecord>& contacts) const override;
  std::span<const double> percussion(std::int64_t contribution_id) const override { return stages_.rows().percussion(contribution_id); }
  void save(const System& system, StepMemory& memory) const override;
  void load(System& system, StepMemory& memory) override;
  std::size_t memory() const override { return stages_.memory() + spheres_.memory(); }

  std::int64_t newton_iterations() const { return newton_iterations_; }
  std::int64_t factorisations() const { return stages_.factorisations(); }     ///< of H, in the assembled view
  std::int64_t mass_factorisations() const { return level_.factorisations(); }  ///< of M, at the ends of the steps

 private:
  /// Collective. Which view the stages are solved in.
  bool choose_body_view(const System& system);
  StepReport assembled_step(System& system, double h);
  void solve_stages(System& system, double h, StepReport& report);
  bool newton(System& system, double h, double margin, StepReport& report);
  bool within(const System& system, double reach) const;
  void velocity_level(System& system, double h, StepReport& report);
  void collect_level(System& system, double h, std::vector<LevelBlock>& blocks, std::vector<std::size_t>& owner, std::vector<double>& f);
  VecX known_percussion(const StageBlock& block) const;

  StageScheme scheme_;
  ContactSolver& solver_;
  RungeKuttaOptions options_;
  StageProblem stages_;
  LevelProblem level_;
  SphereStages spheres_;
  bool body_view_ = false;
  std::int64_t generation_ = -1;
  ConsistentStart consistent_;
  bool first_ = true;
  std::int64_t newton_iterations_ = 0;
  std::vector<double> u_plus_;
  std::vector<VecX> delta_pi_;  ///< per stage block; empty: open
  GatheredState gathered_;
};

}  // namespace percussion

// A Runge-Kutta step of free round bodies in the body view: the granular path of integrators/runge_kutta.hpp.
//
// Stage problem: sweeps over contacts with frozen directions, then all gaps and velocities anew at the stage positions,
// until the natural-map residual of these, not of the linear model, meets the solver's tolerance: usually two
// evaluations. Velocity level: the closed contacts as a plain velocity problem, started at the percussions of the stages.
#pragma once
#include "assembly/stage_spheres.hpp"
#include "assembly/velocity_problem.hpp"
#include "assembly/stage_problem.hpp"
#include "integrators/integrator.hpp"

namespace percussion {

struct RungeKuttaOptions {
  NormTolerance tolerance;
  int newton_max = 50;
  bool velocity_level = true;  ///< false: naive scheme
};

/// Collective. A way that no body should pass in the step, from the velocities and gravity. A step that finds a body
/// beyond is done again with a larger one. RunError on all ranks if many bodies would have to look very far.
double first_reach(const System& system, double h);
constexpr int reach_attempts = 4;  ///< beyond, the step counts as not converged: candidates would fill the memory
constexpr double reach_growth = 4;
constexpr int crowd = 1000;           ///< bodies of a rank
constexpr double crowd_reach = 50;    ///< radii of the largest body

class SphereStages {
 public:
  /// Collective. From t to t + h.
  StepReport step(System& system, const StageScheme& scheme, double h, ContactSolver& solver, const RungeKuttaOptions& options);
  /// Local. Closed contacts of the last step.
  void contacts(const System& system, std::vector<ContactRecord>& contacts) const;
  void save(StepMemory& memory) const { stages_.save(memory); }
  void load(StepMemory& memory) { stages_.load(memory); }
  std::size_t memory() const { return stages_.memory() + level_.memory() + closed_.capacity() * sizeof(ClosedSphere); }

 private:
  void solve_stages(System& system, const StageScheme& scheme, double h, ContactSolver& solver, const RungeKuttaOptions& options, SolveReport& report);
  bool iterate(System& system, ContactSolver& solver, int newton_max, SolveReport& report);

  StageSpheres stages_;
  VelocityProblem level_;
  std::vector<ClosedSphere> closed_;
  std::vector<double> q_, u_;
};

}  // namespace percussion

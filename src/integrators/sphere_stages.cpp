#include "integrators/sphere_stages.hpp"

#include <algorithm>
#include <limits>

#include "base/timer.hpp"
#include "contact/ball.hpp"

namespace percussion {

double first_reach(const System& system, double h) {
  double v = 0;
  for (std::int32_t i = 0; i < system.nodes.owned(); ++i) {
    if (!is_detectable(system.nodes[i])) continue;
    v = std::max(v, motion(system.nodes[i].kind, system.nodes.q(i).data(), system.nodes.u(i).data()).v.norm());
  }
  v = std::max(v, system.candidates.wall_speed());
  MPI_Allreduce(MPI_IN_PLACE, &v, 1, MPI_DOUBLE, MPI_MAX, system.comm());
  return 1.5 * h * (v + h * system.gravity.norm()) + std::numeric_limits<double>::min();
}

bool SphereStages::iterate(System& system, ContactSolver& solver, int newton_max, SolveReport& report) {
  for (int k = 0; k < newton_max; ++k) {
    stages_.linearise();
    const SolveReport solve = solver.solve(stages_.problem());
    report.iterations += solve.iterations;
    report.residual = solve.residual;
    report.history.insert(report.history.end(), solve.history.begin(), solve.history.end());
    if (solve.iterations == 0 && solve.converged) return true;
    stages_.advance(system);
    if (!solve.converged) return false;
  }
  return false;
}

void SphereStages::solve_stages(System& system, const StageScheme& scheme, double h, ContactSolver& solver, const RungeKuttaOptions& options, SolveReport& report) {
  double reach = first_reach(system, h);
  for (int k = 0; k < reach_attempts; ++k, reach *= reach_growth) {
    {
      const PhaseScope phase(Phase::detection);
      system.refresh(system.t, h, reach);
    }
    report = {};
    stages_.begin(system, scheme, system.t, h, 2 * reach);
    report.converged = iterate(system, solver, options.newton_max, report);
    if (stages_.farthest(system) <= reach) return;
  }
  report.converged = false;
}

StepReport SphereStages::step(System& system, const StageScheme& scheme, double h, ContactSolver& solver, const RungeKuttaOptions& options) {
  StepReport report;
  solve_stages(system, scheme, h, solver, options, report.solve);
  stages_.positions(system, q_);
  stages_.velocity_level(system, q_, closed_, u_);
  if (!options.velocity_level && !scheme.partitioned) stages_.end_velocities(system, q_, u_);
  system.nodes.q() = q_, system.nodes.u() = u_;
  system.t += h;
  if (options.velocity_level || scheme.partitioned) {
    level_.build_closed(system, closed_);
    const SolveReport solve = solver.solve(level_.problem());
    level_.end_velocities(system, closed_);
    report.solve.iterations += solve.iterations;
    report.solve.residual = std::max(report.solve.residual, solve.residual);
    report.solve.converged = report.solve.converged && solve.converged;
  }
  stages_.remember(system);
  system.candidates.forget();
  for (const ClosedSphere& c : closed_) std::copy_n(c.P.data(), 3, system.candidates.candidates()[c.geometry.candidate].P);
  const auto contacts = static_cast<std::int64_t>(closed_.size());
  const double penetration = stages_.penetration();
  MPI_Allreduce(&contacts, &report.contacts, 1, MPI_INT64_T, MPI_SUM, system.comm());
  MPI_Allreduce(&penetration, &report.penetration, 1, MPI_DOUBLE, MPI_MAX, system.comm());
  return report;
}

void SphereStages::contacts(const System& system, std::vector<ContactRecord>& contacts) const {
  for (const ClosedSphere& c : closed_) contacts.push_back(detected_record(system, c.geometry));
}

}  // namespace percussion

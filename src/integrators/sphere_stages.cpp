#include "integrators/sphere_stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/timer.hpp"
#include "contact/ball.hpp"

namespace percussion {

double first_reach(const System& system, double h) {
  double largest[3] = {0, 0, 0};  // speed, radius, bodies of a rank
  for (std::int32_t i = 0; i < system.nodes.owned(); ++i) {
    const NodeData& node = system.nodes[i];
    if (!is_detectable(node)) continue;
    largest[0] = std::max(largest[0], motion(node.kind, system.nodes.q(i).data(), system.nodes.u(i).data()).v.norm());
    largest[1] = std::max(largest[1], node.radius);
    largest[2] += 1;
  }
  largest[0] = std::max(largest[0], system.candidates.wall_speed());
  MPI_Allreduce(MPI_IN_PLACE, largest, 3, MPI_DOUBLE, MPI_MAX, system.comm());
  const double reach = 1.5 * h * (largest[0] + h * system.gravity.norm()) + std::numeric_limits<double>::min();
  // Candidates grow with the cube of the reach: in a crowd they would fill the memory before anything else is said.
  if (largest[2] > crowd && reach > crowd_reach * largest[1])
    throw RunError(fmt::format("a body moves at {:.3g} m/s, {:.0f} radii of the largest body in one step: take a smaller time.step, or a tighter solver.tolerance with solver.on_failure = shrink if bodies were thrown out of a packing",
                               largest[0], h * largest[0] / largest[1]));
  return reach;
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
    // Bodies that run away because the sweeps found no solution are not caught by looking further.
    if (stages_.farthest(system) <= reach || !report.converged) return;
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

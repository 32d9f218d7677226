#include "app/run_statistics.hpp"

#include <algorithm>
#include <limits>

#include "base/timer.hpp"

namespace percussion {

std::optional<double> smallest_radius(const System& system) {
  double radius = std::numeric_limits<double>::infinity();
  for (std::int32_t i = 0; i < system.nodes.owned(); ++i)
    if (system.nodes[i].radius > 0) radius = std::min(radius, system.nodes[i].radius);
  MPI_Allreduce(MPI_IN_PLACE, &radius, 1, MPI_DOUBLE, MPI_MIN, system.comm());
  if (radius < std::numeric_limits<double>::infinity()) return radius;
  return {};
}

void RunStatistics::add(const StepReport& report) {
  ++steps_;
  iterations_ += report.solve.iterations;
  iterations_max_ = std::max<std::int64_t>(iterations_max_, report.solve.iterations);
  contacts_last_ = report.contacts;
  contacts_max_ = std::max(contacts_max_, report.contacts);
  worst_residual_ = std::max(worst_residual_, report.solve.residual);
  penetration_ = std::max(penetration_, report.penetration);
}

double RunStatistics::wall() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

RunSummary RunStatistics::summary(const Case& c, std::int64_t unconverged) const {
  RunSummary s;
  s.status = "finished";
  s.ranks = c.system.distribution.ranks();
  s.steps = steps_, s.simulated_time = c.system.t, s.wall_time = wall();
  s.contacts_last = contacts_last_, s.contacts_max = contacts_max_;
  s.worst_residual = worst_residual_, s.unconverged_steps = unconverged, s.deepest_penetration = penetration_;
  s.iterations_avg = steps_ > 0 ? static_cast<double>(iterations_) / static_cast<double>(steps_) : 0.;
  s.iterations_max = iterations_max_;

  s.smallest_radius = smallest_radius(c.system);

  const MemoryUse memory = peak_memory(c.system.comm());
  s.memory_total = memory.total, s.memory_max = memory.max;
  for (const PhaseTimers::Row& row : phase_timers().over_ranks(c.system.comm())) s.phases.push_back({name(row.phase), row.min, row.avg, row.max});
  return s;
}

}  // namespace percussion

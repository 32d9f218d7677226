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
  ++totals_.steps;
  totals_.iterations += report.solve.iterations;
  totals_.iterations_max = std::max<std::int64_t>(totals_.iterations_max, report.solve.iterations);
  totals_.contacts_last = report.contacts;
  totals_.contacts_max = std::max(totals_.contacts_max, report.contacts);
  totals_.worst_residual = std::max(totals_.worst_residual, report.solve.residual);
  totals_.penetration = std::max(totals_.penetration, report.penetration);
}

double RunStatistics::wall() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

RunSummary RunStatistics::summary(const Case& c, std::int64_t unconverged) const {
  RunSummary s;
  s.ranks = c.system.distribution.ranks();
  s.steps = totals_.steps, s.simulated_time = c.system.t, s.wall_time = wall(), s.wall_time_total = totals_.wall + wall();
  s.contacts_last = totals_.contacts_last, s.contacts_max = totals_.contacts_max;
  s.worst_residual = totals_.worst_residual, s.unconverged_steps = unconverged, s.deepest_penetration = totals_.penetration;
  s.iterations_avg = totals_.steps > 0 ? static_cast<double>(totals_.iterations) / static_cast<double>(totals_.steps) : 0.;
  s.iterations_max = totals_.iterations_max;

  s.smallest_radius = smallest_radius(c.system);

  const MemoryUse memory = peak_memory(c.system.comm());
  s.memory_total = memory.total, s.memory_max = memory.max;
  for (const PhaseTimers::Row& row : phase_timers().over_ranks(c.system.comm())) s.phases.push_back({name(row.phase), row.min, row.avg, row.max});
  return s;
}

}  // namespace percussion

#include "app/benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/case.hpp"
#include "app/run_statistics.hpp"
#include "base/timer.hpp"
#include "io/atomic_file.hpp"
#include "io/json_writer.hpp"

namespace percussion {

BenchmarkResult run_benchmark(MPI_Comm comm, const Parameters& input, const BenchmarkPlan& plan) {
  const MemoryUse before = peak_memory(comm);
  const std::int64_t steps = plan.steps;
  Case c(comm, plan.settle ? *plan.settle : input);
  const auto advance = [&](std::int64_t n) {
    for (std::int64_t k = 1; k <= n; ++k) {
      c.step();
      if (k % c.system.partition.check_every == 0) c.system.rebalance_if_needed(c.system.candidates.size(), c.h);
    }
  };
  advance(static_cast<std::int64_t>(std::ceil((input.section("time").real("end") - c.system.t) / c.h - 1e-9)));
  if (plan.settle) c.use_schemes(input);
  advance(plan.warm_up);

  BenchmarkResult r;
  r.ranks = c.system.distribution.ranks(), r.bodies = c.bodies(), r.steps = steps;
  const std::int64_t rebuilds = c.system.rebuilds();
  MPI_Barrier(comm);
  phase_timers().reset();
  phase_timers().switch_to(Phase::other);
  double updates = 0;
  const double begin = c.system.t;
  for (std::int64_t k = 0; k < steps; ++k) {
    if (plan.cold) c.system.candidates.forget();
    const StepReport report = c.step();
    r.contacts += static_cast<double>(report.contacts);
    r.sweeps += report.solve.iterations;
    r.residual = std::max(r.residual, report.solve.residual), r.penetration = std::max(r.penetration, report.penetration);
    updates += static_cast<double>(report.contacts) * report.solve.iterations;
  }
  phase_timers().switch_to(Phase::other);
  r.rebuilds = c.system.rebuilds() - rebuilds;
  const auto contacts = c.system.narrow_phase.contacts();
  double kinds[2] = {static_cast<double>(std::ranges::count_if(contacts, [](const SphereContactGeometry& g) { return g.shaped >= 0; })),
                     static_cast<double>(contacts.size())};
  MPI_Allreduce(MPI_IN_PLACE, kinds, 2, MPI_DOUBLE, MPI_SUM, comm);
  if (kinds[1] > 0) r.shaped_share = kinds[0] / kinds[1];
  const auto n = static_cast<double>(steps);
  r.contacts /= n, r.sweeps /= n;
  double total = phase_timers().total(), solve = phase_timers().seconds(Phase::solve), detection = phase_timers().seconds(Phase::detection);
  for (double* seconds : {&total, &solve, &detection}) MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  r.seconds_per_step = total / n;
  r.wall_per_simulated_second = total / (c.system.t - begin);
  if (const auto radius = smallest_radius(c.system)) r.penetration_per_radius = r.penetration / *radius;
  const double work = phase_timers().total() - phase_timers().seconds(Phase::exchange);
  double most = work, all = work;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, comm);
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
  if (all > 0) r.imbalance = most * r.ranks / all;
  r.updates_per_second = solve > 0 ? updates / r.ranks / solve : 0.;
  r.detection_share = detection / total;
  r.peak_bytes = static_cast<double>(peak_memory(comm).total);
  r.bytes_per_body = (r.peak_bytes - static_cast<double>(before.total)) / static_cast<double>(r.bodies);
  for (const auto& [what, bytes] : {std::pair("nodes", c.system.nodes.memory()), {"candidates", c.system.candidates.memory()},
                                    {"narrow phase", c.system.narrow_phase.memory()}, {"problem", c.integrator().memory()}}) {
    auto sum = static_cast<double>(bytes);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    r.held.emplace_back(what, sum / static_cast<double>(r.bodies));
  }
  for (const PhaseTimers::Row& row : phase_timers().over_ranks(comm)) r.phases.push_back({name(row.phase), row.min, row.avg, row.max});
  return r;
}

std::string to_string(const BenchmarkResult& r) {
  const double per_body = 1e9 * r.seconds_per_step * r.ranks / static_cast<double>(r.bodies);
  std::string text = fmt::format(
      "ranks               {}\n"
      "bodies              {}\n"
      "contacts            {:.0f}\n"
      "sweeps per step     {:.1f}\n"
      "time per step       {:.3f} ms ({} steps, {} rebuilds of the candidates)\n"
      "simulated second    {:.2f} s of wall time\n"
      "contact updates     {:.1f} million per second and rank, in the sweeps ({:.0f} % at other shapes than spheres)\n"
      "a step costs        {:.0f} ns per body, {:.1f} ns per body and sweep\n"
      "worst residual      {:.2e}\n"
      "deepest penetration {:.3g} m{}\n"
      "contact detection   {:.1f} % of a step\n"
      "imbalance           {:.2f} (slowest rank by average, without exchange)\n"
      "memory              {:.2f} kB per body at the peak, {:.0f} MB in all\n",
      r.ranks, r.bodies, r.contacts, r.sweeps, 1e3 * r.seconds_per_step, r.steps, r.rebuilds, r.wall_per_simulated_second, 1e-6 * r.updates_per_second,
      100 * r.shaped_share, per_body, r.sweeps > 0 ? per_body / r.sweeps : 0., r.residual, r.penetration, r.penetration_per_radius ? fmt::format(" ({:.2e} of the smallest radius)", *r.penetration_per_radius) : "",
      100 * r.detection_share, r.imbalance, 1e-3 * r.bytes_per_body, 1e-6 * r.peak_bytes);
  for (const auto& [what, bytes] : r.held) text += fmt::format("  {:<17} {:.0f} B per body\n", what, bytes);
  double sum = 0;
  for (const PhaseTime& p : r.phases) sum += p.avg;
  text += "\nphase [s]        min        avg        max   share\n";
  for (const PhaseTime& p : r.phases)
    text += fmt::format("{:<11} {:>8.3f}   {:>8.3f}   {:>8.3f}  {:>5.1f}%\n", p.name, p.min, p.avg, p.max, 100 * p.avg / sum);
  return text;
}

void write_json(const std::filesystem::path& path, const BenchmarkResult& r) {
  JsonWriter json;
  json.begin_object();
  json.member("ranks", r.ranks);
  json.member("bodies", r.bodies);
  json.member("steps", r.steps);
  json.member("contacts", r.contacts);
  json.member("sweeps", r.sweeps);
  json.member("seconds_per_step", r.seconds_per_step);
  json.member("wall_per_simulated_second", r.wall_per_simulated_second);
  json.member("updates_per_second", r.updates_per_second);
  json.member("residual", r.residual);
  json.member("penetration", r.penetration);
  json.member("penetration_per_radius", r.penetration_per_radius);
  json.member("detection_share", r.detection_share);
  json.member("imbalance", r.imbalance);
  json.member("bytes_per_body", r.bytes_per_body);
  json.member("peak_bytes", r.peak_bytes);
  json.member("shaped_share", r.shaped_share);
  json.member("rebuilds", r.rebuilds);
  json.begin_array("phases");
  const auto n = static_cast<double>(r.steps);
  for (const PhaseTime& p : r.phases) {
    json.begin_object();
    json.member("name", p.name);
    json.member("min", p.min / n);
    json.member("avg", p.avg / n);
    json.member("max", p.max / n);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  write_file_atomically(path, json.text() + '\n');
}

}  // namespace percussion

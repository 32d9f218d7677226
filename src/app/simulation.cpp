#include "app/simulation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "app/case.hpp"
#include "app/case_schema.hpp"
#include "app/frames.hpp"
#include "app/run_statistics.hpp"
#include "app/series.hpp"
#include "app/stepper.hpp"
#include "base/log.hpp"
#include "base/timer.hpp"
#include "io/effective_input.hpp"
#include "io/progress_line.hpp"
#include "io/results_folder.hpp"
#include "percussion_config.hpp"

namespace percussion {

namespace {

void print_header(const Case& c, const Parameters& input) {
  log::info("percussion {} ({}), {} ranks, partitioner {}", config::version, config::git_revision, c.system.distribution.ranks(), config::parmetis);
  log::info("case {}: {} bodies, {} walls, {} contributions; integrator {}, solver {}, h = {} s", input.section("case").text("name"), c.bodies(),
            input.sections("walls").size(), input.sections("contributions").size(), input.section("integrator").type(),
            input.section("solver").type(), to_text(c.h));
}

/// Work of this rank since the last call, for the load balance: time that is not spent waiting for others.
class MeasuredCost {
 public:
  double operator()() {
    const double now = phase_timers().seconds(Phase::solve) + phase_timers().seconds(Phase::assembly) + phase_timers().seconds(Phase::detection);
    const double cost = now - before_;
    before_ = now;
    return cost;
  }

 private:
  double before_ = 0;
};

}  // namespace

int run_case(MPI_Comm comm, const Parameters& input, const RunOptions& options) {
  phase_timers().reset();
  phase_timers().switch_to(Phase::other);
  Case c(comm, input);
  const Parameters &output = input.section("output"), &time = input.section("time");
  const ResultsFolder folder(comm, options.output, output.boolean("overwrite") ? FolderUse::overwrite : FolderUse::fresh);
  const bool is_root = c.system.distribution.rank() == 0;
  all_or_none(comm, [&] {
    if (!is_root) return;
    write_effective_input(folder.file("input.yaml"), input, case_schema());
    log::add_file(folder.file("log.txt").string());
  });
  print_header(c, input);

  Frames frames(comm, folder.root(), input);
  Series series(c, folder.root(), output);
  RunStatistics statistics;
  Stepper stepper(on_failure_from(input.section("solver").text("on_failure")));
  MeasuredCost cost;
  ProgressLine progress(std::cout, stdout_is_terminal(), c.system.t, time.real("end"));
  const bool show = is_root && !options.quiet;

  const double start = c.system.t, end = time.real("end");
  // A last step that differs from h by rounding only is a full one.
  const auto steps = static_cast<std::int64_t>(std::ceil((end - start) / c.h - 1e-9));
  StepReport report;
  if (frames.is_due(c.system.t)) frames.write(c, 0);
  if (series.is_due(0)) series.append(c, report);
  for (std::int64_t step = 1; step <= steps; ++step) {
    const double t_next = step == steps ? end : start + static_cast<double>(step) * c.h;
    report = stepper.advance(c, t_next - c.system.t);
    c.system.t = t_next;
    statistics.add(report);
    if (frames.is_due(c.system.t)) frames.write(c, step);
    if (series.is_due(step)) series.append(c, report);
    if (show) progress.update({c.system.t, step, report.contacts, report.solve.residual, static_cast<double>(report.solve.iterations)}, statistics.wall());
    if (step % c.system.partition.check_every == 0 && c.system.rebalance_if_needed(cost(), c.h)) log::debug("bodies were redistributed at t = {:.6g} s", c.system.t);
  }
  if (show) progress.finish({c.system.t, steps, report.contacts, report.solve.residual, static_cast<double>(report.solve.iterations)}, statistics.wall());
  series.flush();

  RunSummary summary = statistics.summary(c, stepper.unconverged());
  summary.name = input.section("case").text("name");
  for (const auto& file : frames.files()) summary.files.push_back(file.string());
  if (series.file()) summary.files.push_back(series.file()->string());
  for (const char* file : {"input.yaml", "log.txt", "summary.json"}) summary.files.push_back(folder.file(file).string());
  all_or_none(comm, [&] {
    if (is_root) write_json(folder.summary(), summary);
  });
  if (show) {
    std::cout << '\n' << to_string(summary);
    if (!frames.files().empty()) std::cout << "\nTo look at it: paraview " << frames.files().front().string() << '\n';
    std::cout << std::flush;
  }
  return exit_ok;
}

void check_case(MPI_Comm comm, const Parameters& input) { Case c(comm, input); }

}  // namespace percussion

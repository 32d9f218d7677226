#include "app/simulation.hpp"

#include <fmt/format.h>

#include <iostream>

#include "app/case.hpp"
#include "app/case_schema.hpp"
#include "app/checkpoint_plan.hpp"
#include "app/frames.hpp"
#include "app/restart.hpp"
#include "app/run_statistics.hpp"
#include "app/series.hpp"
#include "app/stepper.hpp"
#include "app/stop_request.hpp"
#include "app/time_grid.hpp"
#include "base/log.hpp"
#include "base/timer.hpp"
#include "io/effective_input.hpp"
#include "io/progress_line.hpp"
#include "io/results_folder.hpp"
#include "percussion_config.hpp"

namespace percussion {

namespace {

/// Collective. Whether a checkpoint lies in the folder where this run puts its own: then the run continues
/// its results.
bool lies_in(MPI_Comm comm, const std::filesystem::path& file, const std::filesystem::path& folder) {
  int rank = 0, inside = 0;
  MPI_Comm_rank(comm, &rank);
  std::error_code ignored;
  if (rank == 0)
    inside =
        std::filesystem::equivalent(file.parent_path().empty() ? "." : file.parent_path(), folder, ignored);
  MPI_Bcast(&inside, 1, MPI_INT, 0, comm);
  return inside != 0;
}

class Run {
 public:
  Run(MPI_Comm comm, const Parameters& input, const RunOptions& options)
      : input_(input),
        options_(options),
        c_(comm, input, Unstarted{}),
        from_(begin()),
        continues_(from_ && lies_in(comm, *from_, checkpoint_folder().path())),
        folder_(comm, options.output,
                continues_                      ? FolderUse::proceed
                : output().boolean("overwrite") ? FolderUse::overwrite
                                                : FolderUse::fresh),
        grid_(TimeGrid(time("start"), c_.h, time("end")).from(state_.step, c_.system.t)),
        plan_(input.section("checkpoint"), time("start")),
        clock_(begin_, options.walltime, c_.bodies()),
        checkpoints_(checkpoint_folder(), input, plan_.keep()),
        stepper_(on_failure_from(input.section("solver").text("on_failure"))),
        progress_(std::cout, stdout_is_terminal() && log::format() == log::Format::text, c_.system.t,
                  time("end")) {}

  int operator()() {
    prepare_files();
    print_header();
    std::optional<Continuation> continuation;
    if (from_) continuation = {time("start"), c_.system.t};
    frames_.emplace(c_, folder_.root(), input_, continuation);
    series_.emplace(c_, folder_.root(), output(), from_ ? std::optional(c_.system.t) : std::nullopt);
    if (c_.dumps()) c_.dumps()->write_to(folder_.problems());
    if (from_) {
      checkpoints_.set_last(*from_);
      c_.system.t = grid_.on_grid(state_.step, c_.system.t);
      statistics_.totals() = state_.totals;
      stepper_.set_unconverged(state_.unconverged);
    } else {
      if (frames_->is_due(c_.system.t)) frames_->write(c_, 0);
      if (series_->is_due(0)) series_->append(c_, {});
    }
    try {
      step_to_the_end();
      series_->flush();
    } catch (const RunError& error) {
      throw RunError(failed(error.what()));
    }
    return finish();
  }

 private:
  const Parameters& output() const { return input_.section("output"); }
  double time(const char* key) const { return input_.section("time").real(key); }
  bool is_root() const { return c_.system.distribution.rank() == 0; }
  CheckpointFolder checkpoint_folder() const { return CheckpointFolder(options_.output / "checkpoints"); }

  /// Collective. The state to start with; the checkpoint it came from, if any.
  std::optional<std::filesystem::path> begin() {
    if (options_.restart.empty()) {
      c_.begin(input_);
      return std::nullopt;
    }
    const auto file = restart_file(c_.system.comm(), options_.restart, checkpoint_folder());
    state_ = restart(c_, input_, file);
    return file;
  }

  void prepare_files() {
    int set_aside = 0;
    all_or_none(c_.system.comm(), [&] {
      if (!is_root()) return;
      write_effective_input(folder_.file("input.yaml"), input_, case_schema());
      log::add_file(folder_.file("log.txt").string(), continues_);
      if (continues_) set_aside = checkpoint_folder().set_aside_after(state_.step);
    });
    if (set_aside > 0)
      log::warn("{} later checkpoints were renamed to *.superseded: this run takes another way", set_aside);
  }

  void print_header() const {
    log::info("percussion {} ({}), {} ranks, partitioner {}", config::version, config::git_revision,
              c_.system.distribution.ranks(), config::parmetis);
    log::info("case {}: {} bodies, {} walls, {} contributions; integrator {}, solver {}, h = {} s",
              input_.section("case").text("name"), c_.bodies(), input_.sections("walls").size(),
              input_.sections("contributions").size(), input_.section("integrator").type(),
              input_.section("solver").type(), to_text(c_.h));
    if (from_)
      log::info("goes on from {}: step {}, t = {:.6g} s (ready after {:.2f} s)", from_->string(), state_.step, c_.system.t, clock_.seconds());
  }

  void step_to_the_end() {
    const bool show = is_root() && log::shows(spdlog::level::info);
    progress_.redirect_lines([](const Progress& now, double done, double eta) {
      log::event(progress_text(now, done, eta), progress_members(now, done, eta));
    });
    stepper_.set_riders([this] {
      const bool out_of_time = is_root() && clock_.is_running_out(),
                 due = is_root() && plan_.is_due(clock_.since_checkpoint());
      return Riders{std::max(static_cast<int>(signals_.reason()),
                             static_cast<int>(out_of_time ? StopReason::walltime : StopReason::none)),
                    due ? 1 : 0};
    });
    StepReport report;
    const auto now = [&] {
      return Progress{c_.system.t, state_.step, report.contacts, report.solve.residual,
                      static_cast<double>(report.solve.iterations)};
    };
    while (state_.step < grid_.steps() && stopped_ == StopReason::none) {
      const std::int64_t step = state_.step + 1;
      const double t_before = c_.system.t;
      if (c_.dumps()) c_.dumps()->begin_step(step);
      report = stepper_.advance(c_, grid_.size(t_before, step));
      c_.system.t = grid_.end_of(step);
      state_.step = step;
      clock_.step_ended();
      statistics_.add(report);
      const bool frame = frames_->is_due(c_.system.t);
      if (frame) frames_->write(c_, step);
      if (series_->is_due(step)) series_->append(c_, report);
      if (show) progress_.update(now(), statistics_.wall(), frame);
      balance(step);
      stopped_ = step < grid_.steps() ? static_cast<StopReason>(stepper_.agreed().stop) : StopReason::none;
      const bool last = step == grid_.steps() && plan_.is_on();
      if (last || stopped_ != StopReason::none || stepper_.agreed().checkpoint ||
          plan_.is_due(step, t_before, c_.system.t))
        write_checkpoint();
    }
    if (show) progress_.finish(now(), statistics_.wall());
  }

  /// The work of the present step by counts, which makes a run the same every time on the same number of ranks and after
  /// a restart; or the time since the last look that was not spent waiting for others.
  void balance(std::int64_t step) {
    if (step % c_.system.partition.check_every != 0) return;
    auto work = static_cast<double>(c_.system.nodes.owned() + c_.system.candidates.size());
    if (c_.system.partition.measured) {
      double busy = 0;
      for (const Phase phase : {Phase::solve, Phase::residual, Phase::assembly, Phase::detection})
        busy += phase_timers().seconds(phase);
      work = busy - busy_before_, busy_before_ = busy;
    }
    if (c_.system.rebalance_if_needed(work, c_.h))
      log::debug("bodies were redistributed at t = {:.6g} s", c_.system.t);
  }

  void write_checkpoint() {
    const double begin = clock_.seconds();
    series_->flush();  // what the checkpoint counts as written is on the disk
    RunState state = state_;
    state.unconverged = stepper_.unconverged(), state.totals = statistics_.totals();
    state.totals.wall += statistics_.wall();
    checkpoints_.write(c_, state);
    const double took = clock_.seconds() - begin;
    clock_.checkpoint_took(took);
    log::event(fmt::format("checkpoint {} at t = {:.6g} s ({:.2f} s)", checkpoints_.last()->string(),
                           c_.system.t, took),
               fmt::format(R"("event": "checkpoint", "step": {}, "t": {}, "seconds": {:.3f})", state.step,
                           c_.system.t, took),
               events_on_console());
  }

  /// People look at the line of progress and the summary; programs want all events.
  static log::Console events_on_console() {
    return log::format() == log::Format::json ? log::Console::yes : log::Console::no;
  }

  std::string status() const {
    if (stopped_ == StopReason::none) return "finished";
    return stopped_ == StopReason::walltime ? "stopped before the end of the wall time"
                                            : "stopped by " + to_string(stopped_);
  }

  int finish() {
    RunSummary summary = statistics_.summary(c_, stepper_.unconverged());
    summary.name = input_.section("case").text("name"), summary.status = status();
    summary.exit_code = stopped_ == StopReason::none ? static_cast<int>(exit_ok) : exit_stopped;
    summary.restarts = state_.restarts;
    if (checkpoints_.last()) summary.last_checkpoint = checkpoints_.last()->string();
    for (const auto& file : frames_->files()) summary.files.push_back(file.string());
    if (series_->file()) summary.files.push_back(series_->file()->string());
    if (c_.dumps() && c_.dumps()->files() > 0) summary.files.push_back(folder_.problems().string());
    for (const char* file : {"input.yaml", "log.txt", "summary.json"})
      summary.files.push_back(folder_.file(file).string());
    all_or_none(c_.system.comm(), [&] {
      if (is_root()) write_json(folder_.summary(), summary);
    });
    if (is_root()) report(summary);
    return summary.exit_code;
  }

  void report(const RunSummary& summary) const {
    const std::string line =
        fmt::format("{} at step {}, t = {:.6g} s", summary.status, state_.step, summary.simulated_time);
    log::event(line,
               fmt::format(R"("event": "end", "exit_code": {}, "step": {}, "t": {})", summary.exit_code,
                           state_.step, summary.simulated_time),
               events_on_console());
    if (options_.quiet || log::format() == log::Format::json || !log::shows(spdlog::level::info)) return;
    std::cout << '\n' << to_string(summary);
    if (!frames_->files().empty())
      std::cout << "\nTo look at it: paraview " << frames_->files().front().string() << '\n';
    if (stopped_ != StopReason::none) std::cout << "\nTo go on: the same command with --restart latest\n";
    std::cout << std::flush;
  }

  /// Local: other ranks may not know of the error. What happened, and from where the run can go on.
  std::string failed(const std::string& error) const {
    std::string text = error;
    if (checkpoints_.last())
      text +=
          "\nthe last good checkpoint is " + checkpoints_.last()->string() + ": go on with --restart latest";
    if (!is_root()) return text;
    RunSummary summary;
    summary.name = input_.section("case").text("name"), summary.status = "failed: " + error,
    summary.exit_code = exit_run;
    summary.ranks = c_.system.distribution.ranks(), summary.steps = statistics_.totals().steps,
    summary.simulated_time = c_.system.t;
    summary.wall_time = statistics_.wall(),
    summary.wall_time_total = statistics_.totals().wall + summary.wall_time,
    summary.restarts = state_.restarts;
    if (checkpoints_.last()) summary.last_checkpoint = checkpoints_.last()->string();
    try {
      write_json(folder_.summary(), summary);
    } catch (const RunError&) {  // the disk may be the trouble
    }
    return text;
  }

  WallClock::Time begin_ = std::chrono::steady_clock::now();
  SignalNotes signals_;
  const Parameters& input_;
  const RunOptions& options_;
  RunState state_;
  Case c_;
  std::optional<std::filesystem::path> from_;
  bool continues_;
  ResultsFolder folder_;
  TimeGrid grid_;
  CheckpointPlan plan_;
  WallClock clock_;
  Checkpoints checkpoints_;
  Stepper stepper_;
  ProgressLine progress_;
  RunStatistics statistics_;
  std::optional<Frames> frames_;
  std::optional<Series> series_;
  double busy_before_ = 0;
  StopReason stopped_ = StopReason::none;
};

}  // namespace

int run_case(MPI_Comm comm, const Parameters& input, const RunOptions& options) {
  phase_timers().reset();
  phase_timers().switch_to(Phase::other);
  return Run(comm, input, options)();
}

void check_case(MPI_Comm comm, const Parameters& input) {
  Case c(comm, input);
}

}  // namespace percussion

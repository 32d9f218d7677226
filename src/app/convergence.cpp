#include "app/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/case_schema.hpp"
#include "app/step_grid.hpp"
#include "app/stepper.hpp"
#include "app/trajectory.hpp"
#include "base/log.hpp"
#include "io/input.hpp"

namespace percussion {

namespace {

struct RecordedRun {
  Trajectory trajectory;
  std::int64_t unconverged = 0;
  std::string failure;
};

std::vector<std::int64_t> all_steps(const StepGrid& grid) {
  std::vector<std::int64_t> steps(static_cast<std::size_t>(grid.steps) + 1);
  std::iota(steps.begin(), steps.end(), 0);
  return steps;
}

/// log(e_before / e) / log(h_before / h); none for errors that are zero or missing (NaN).
std::optional<double> observed_order(double e_before, double e, double h_before, double h) {
  if (!(e_before > 0 && e > 0)) return std::nullopt;
  return std::log(e_before / e) / std::log(h_before / h);
}

class Study {
 public:
  Study(MPI_Comm comm, const ConvergenceStudy& study) : comm_(comm), study_(study) {
    MPI_Comm_rank(comm, &rank_);
    const Parameters input = read(study.overrides);
    input_type_ = input.section("integrator").type();
    const Parameters& time = input.section("time");
    grids_ = make_grids(time.real("start"), time.real("end"), study.steps, study.reference_step);
    for (const MethodSpec& method : study.methods) input_of(method, study.reference_step);
    if (study.reference_method) input_of(*study.reference_method, study.reference_step);
  }

  ConvergenceRows operator()(const std::function<void(const ConvergenceRows&)>& after_row) {
    ConvergenceRows rows;
    after_row(rows);
    RecordedRun reference;
    if (study_.reference_method) reference = run_reference(*study_.reference_method);
    for (const MethodSpec& method : study_.methods) {
      if (!study_.reference_method) reference = run_reference(method);
      ConvergenceRow before;  // its errors are NaN: no order for the first row
      for (const StepGrid& grid : grids_.grids) {
        ConvergenceRow row = row_of(method, grid, reference);
        row.order_q = observed_order(before.error_q, row.error_q, before.h, row.h);
        row.order_u = observed_order(before.error_u, row.error_u, before.h, row.h);
        rows.push_back(row), before = row;
        after_row(rows);
      }
    }
    return rows;
  }

 private:
  Parameters read(const std::vector<std::string>& overrides) const {
    Parameters input = read_input(comm_, study_.file, overrides, case_schema());
    check_case_rules(input);
    return input;
  }

  Parameters input_of(const MethodSpec& method, double h) const {
    auto overrides = with_method(study_.overrides, method, input_type_);
    overrides.push_back("time.step=" + to_text(h));
    // The graph of the contact candidates, which ParMETIS would cut, grows with the step; bisection of space hardly notices.
    overrides.push_back("partition.method=geometric");
    return read(overrides);
  }

  /// Collective. The run with its records; a RunError becomes the reason why it failed.
  RecordedRun run(const MethodSpec& method, const StepGrid& grid, std::vector<std::int64_t> recorded) const {
    RecordedRun result;
    try {
      const Parameters input = input_of(method, grid.h);
      Case c(comm_, input);
      Stepper stepper(on_failure_from(input.section("solver").text("on_failure")));
      Recorder recorder(c, std::move(recorded));
      recorder.visit(c, 0);
      for (std::int64_t n = 1; n <= grid.steps; ++n) {
        const double t_next = n == grid.steps ? grids_.end : grids_.start + static_cast<double>(n) * grid.h;
        stepper.advance(c, t_next - c.system.t);
        c.system.t = t_next;
        recorder.visit(c, n);
      }
      result.unconverged = stepper.unconverged();
      all_or_none(comm_, [&] { result.trajectory = recorder.take(); });
    } catch (const RunError& e) {
      result.failure = e.what();
    }
    return result;
  }

  RecordedRun run_reference(const MethodSpec& method) const {
    log::info("reference {}, h = {} s: {} steps", method.label, to_text(study_.reference_step), grids_.reference.steps);
    RecordedRun result = run(method, grids_.reference, study_.graph ? all_steps(grids_.reference) : shared_steps(grids_));
    if (!result.failure.empty()) result.failure = "reference run: " + result.failure;
    return result;
  }

  ConvergenceRow row_of(const MethodSpec& method, const StepGrid& grid, const RecordedRun& reference) const {
    const MethodSpec& reference_method = study_.reference_method ? *study_.reference_method : method;
    ConvergenceRow row;
    row.method = method.label, row.h = grid.h;
    row.reference = fmt::format("{} h={}", reference_method.label, to_text(study_.reference_step));
    row.failure = reference.failure;
    if (row.failure.empty()) {
      log::info("{}, h = {} s: {} steps", method.label, to_text(grid.h), grid.steps);
      const RecordedRun run = this->run(method, grid, all_steps(grid));
      row.unconverged = run.unconverged + reference.unconverged;
      row.failure = run.failure;
      if (row.failure.empty()) compare(run.trajectory, reference.trajectory, grid, row);
    }
    if (!row.failure.empty() && rank_ == 0) log::warn("{}, h = {} s failed: {}", row.method, to_text(row.h), row.failure);
    return row;
  }

  void compare(const Trajectory& run, const Trajectory& reference, const StepGrid& grid, ConvergenceRow& row) const {
    try {
      all_or_none(comm_, [&] { check_same_owners(run, reference); });
    } catch (const RunError& e) {
      row.failure = e.what();
      return;
    }
    const ErrorParts parts = grid_error_parts(run, reference, grid.ratio, study_.p);
    double sums[2] = {parts.q, parts.u};
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, std::isinf(study_.p) ? MPI_MAX : MPI_SUM, comm_);
    row.error_q = norm_from_part(sums[0], grid.h, study_.p);
    row.error_u = norm_from_part(sums[1], grid.h, study_.p);
    if (study_.graph) {
      row.error_u = graph_error_part(run, reference);
      MPI_Allreduce(MPI_IN_PLACE, &row.error_u, 1, MPI_DOUBLE, MPI_MAX, comm_);
    }
    if (std::isfinite(row.error_q) && std::isfinite(row.error_u)) return;
    row.failure = "the solution is not finite";
    row.error_q = row.error_u = std::numeric_limits<double>::quiet_NaN();
  }

  MPI_Comm comm_;
  const ConvergenceStudy& study_;
  int rank_ = 0;
  std::string input_type_;
  StudyGrids grids_;
};

}  // namespace

ConvergenceRows run_convergence(MPI_Comm comm, const ConvergenceStudy& study, const std::function<void(const ConvergenceRows&)>& after_row) {
  return Study(comm, study)(after_row);
}

bool any_failed(const ConvergenceRows& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const ConvergenceRow& row) { return !row.failure.empty(); });
}

}  // namespace percussion

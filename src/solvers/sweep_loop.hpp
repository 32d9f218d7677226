// The loop all iterative solvers share: checks of the residual, sweeps between them, report.
#pragma once
#include <algorithm>
#include <type_traits>

#include "base/timer.hpp"
#include "solvers/body_exchange.hpp"
#include "solvers/residual.hpp"
#include "solvers/solver.hpp"
#include "solvers/step_forecast.hpp"

namespace percussion {

constexpr int first_check = 2;  ///< sweeps before the first check after that of the start

/// Evaluates the residual: true if nothing is left to do.
template <class Check, class Leave>
bool checked(SolveReport& report, const SolverOptions& options, Check&& residual, Leave&& leave) {
  report.residual = residual();
  if (options.history) report.history.push_back(report.residual);
  report.converged = report.residual <= options.tolerance;
  return report.converged || report.iterations >= options.max_iterations || leave(report);
}

/// Collective. Continues `report` until `residual()` meets the tolerance, options.max_iterations sweeps are counted in
/// it, or `leave(report)` says so after a check that was not passed (the same on all ranks).
template <class Check, class Sweep, class Leave>
void sweep_until_solved(SolveReport& report, const SolverOptions& options, Check&& residual, Sweep&& sweep, Leave&& leave) {
  while (!checked(report, options, residual, leave)) {
    // Soon at first: a warm start often needs a few sweeps only.
    const int sweeps = std::min({options.check_every, std::max(first_check, report.iterations), options.max_iterations - report.iterations});
    for (int k = 0; k < sweeps; ++k) sweep();
    report.iterations += sweeps;
  }
}

/// Collective. The same for sweeps that return how far they went (SweepStep): the residual, a pass over all contacts, is
/// evaluated when they forecast that it meets the tolerance, and now and then in between.
template <class Sweep, class Leave>
void sweep_by_forecast(SolveReport& report, const InclusionProblem& problem, const SolverOptions& options, Residual& residual, Sweep&& sweep,
                       Leave&& leave) {
  StepForecast forecast(problem.comm, options);
  while (!checked(report, options, [&] { return residual(problem); }, leave)) {
    forecast.checked(report, residual.scale());
    do {
      const int sweeps = std::min(forecast.sweeps(), options.max_iterations - report.iterations);
      SweepStep step;
      for (int k = 0; k < sweeps; ++k) step = sweep();
      report.iterations += sweeps;
      forecast.swept(report.iterations, step);
    } while (!forecast.check_now() && report.iterations < options.max_iterations);
  }
}

constexpr auto never = [](const SolveReport&) { return false; };

/// Collective. Body view: `sweep(exchange)` does one sweep over the problem, exchange included.
template <class Sweep, class Leave = decltype(never)>
SolveReport sweep_until_solved(InclusionProblem& problem, const SolverOptions& options, Sweep&& sweep, Leave&& leave = Leave()) {
  const PhaseScope phase(Phase::solve);
  SolveReport report;
  Residual residual(problem);
  BodyExchange exchange(problem);
  apply_start(problem, exchange);
  if constexpr (std::is_same_v<std::invoke_result_t<Sweep, BodyExchange&>, SweepStep>) {
    sweep_by_forecast(report, problem, options, residual, [&] { return sweep(exchange); }, leave);
  } else {
    sweep_until_solved(report, options, [&] { return residual(problem); }, [&] { sweep(exchange); }, leave);
  }
  return report;
}

}  // namespace percussion

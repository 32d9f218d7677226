// The loop all iterative solvers share: checks of the residual, sweeps between them, report.
#pragma once
#include <algorithm>

#include "base/timer.hpp"
#include "solvers/body_exchange.hpp"
#include "solvers/residual.hpp"
#include "solvers/solver.hpp"

namespace percussion {

constexpr int first_check = 2;  ///< sweeps before the first check after that of the start

/// Collective. Continues `report` until `residual()` meets the tolerance, options.max_iterations sweeps are counted in
/// it, or `leave(report)` says so after a check that was not passed (the same on all ranks).
template <class Check, class Sweep, class Leave>
void sweep_until_solved(SolveReport& report, const SolverOptions& options, Check&& residual, Sweep&& sweep, Leave&& leave) {
  for (;;) {
    report.residual = residual();
    if (options.history) report.history.push_back(report.residual);
    report.converged = report.residual <= options.tolerance;
    if (report.converged || report.iterations >= options.max_iterations || leave(report)) return;
    // Soon at first: a warm start often needs a few sweeps only.
    const int sweeps = std::min({options.check_every, std::max(first_check, report.iterations), options.max_iterations - report.iterations});
    for (int k = 0; k < sweeps; ++k) sweep();
    report.iterations += sweeps;
  }
}

constexpr auto never = [](const SolveReport&) { return false; };

/// Collective. Body view: `sweep(exchange)` does one sweep over the problem, exchange included.
template <class Sweep, class Leave = decltype(never)>
SolveReport sweep_until_solved(InclusionProblem& problem, const SolverOptions& options, Sweep&& sweep, Leave&& leave = Leave()) {
  const PhaseScope phase(Phase::solve);
  SolveReport report;
  const Residual residual(problem);
  BodyExchange exchange(problem);
  apply_start(problem, exchange);
  sweep_until_solved(report, options, [&] { return residual(problem); }, [&] { sweep(exchange); }, leave);
  return report;
}

}  // namespace percussion

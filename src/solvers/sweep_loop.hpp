// The loop all sweep-based solvers share: start, sweeps, checks of the residual, report.
#pragma once
#include <algorithm>

#include "base/timer.hpp"
#include "solvers/body_exchange.hpp"
#include "solvers/residual.hpp"
#include "solvers/solver.hpp"

namespace percussion {

/// Collective. `sweep(exchange)` does one sweep over the problem, exchange included.
template <class Sweep>
SolveReport sweep_until_solved(InclusionProblem& problem, const SolverOptions& options, Sweep&& sweep) {
  const PhaseScope phase(Phase::solve);
  SolveReport report;
  const Residual residual(problem);
  BodyExchange exchange(problem);
  apply_start(problem, exchange);
  for (;;) {
    report.residual = residual(problem);
    if (options.history) report.history.push_back(report.residual);
    report.converged = report.residual <= options.tolerance;
    if (report.converged || report.iterations >= options.max_iterations) return report;
    const int sweeps = std::min(options.check_every, options.max_iterations - report.iterations);
    for (int k = 0; k < sweeps; ++k) sweep(exchange);
    report.iterations += sweeps;
  }
}

}  // namespace percussion

#include "solvers/proximal_newton.hpp"

#include <algorithm>

namespace percussion {

namespace {

// eps is relative to the diagonal of G.
constexpr double first_eps = 1e-4, smallest_eps = 1e-10, largest_eps = 1e2;
constexpr int few_steps = 6;      // inner Newton steps after which eps falls
constexpr int most_steps = 25;    // inner Newton steps after which eps grows
constexpr int most_stalls = 4;    // proximal steps in a row that do not halve the residual at the smallest useful eps
constexpr double inner_part = 1e-2;  // of the residual: the next anchor moves by more than that

}  // namespace

void proximal_newton(SolveReport& report, RowVelocities& velocities, ActiveSetNewton& newton, double tolerance, int steps, bool plain_first) {
  std::vector<double>& P = velocities.problem().rows.P;
  std::vector<double> best = P, anchor;
  double smallest = velocities.residual(), last = smallest;
  double eps = plain_first ? 0 : first_eps;
  int stalls = 0;
  for (int used = 0; used < steps && eps <= largest_eps && stalls < most_stalls;) {
    anchor = P;
    const double inner = eps > 0 ? std::max(0.1 * tolerance, std::min(inner_part * last, 1e-3)) : tolerance;
    const NewtonResult result = newton.solve({.tolerance = inner, .max_steps = std::min(steps - used, most_steps), .eps = eps, .anchor = &anchor});
    used += std::max(result.steps, 1), report.newton_steps += result.steps, report.iterations += result.steps;
    if (!result.converged) {
      P = anchor, velocities.changed();
      eps = eps > 0 ? 10 * eps : first_eps;
      continue;
    }
    double residual = eps > 0 ? velocities.residual() : result.residual;
    report.converged = eps > 0 ? residual <= tolerance && newton.project(tolerance, residual) : true;
    if (residual < smallest) smallest = residual, best = P;
    if (report.converged) break;
    stalls = residual > 0.5 * last ? stalls + 1 : 0;
    last = residual;
    if (result.steps <= few_steps) {
      if (eps > smallest_eps) stalls = 0;
      eps = std::max(eps * (result.steps <= few_steps / 2 ? 0.01 : 0.1), smallest_eps);
    }
  }
  if (!report.converged) P = best, velocities.changed();
  report.residual = smallest;
}

}  // namespace percussion

#include "solvers/proximal_newton.hpp"

#include <algorithm>

#include "base/timer.hpp"

namespace percussion {

namespace {

constexpr double smallest_eps = 1e-10, largest_eps = 1e2;
constexpr int few_steps = 6;         // inner Newton steps up to which eps may fall
constexpr int most_steps = 25;       // inner Newton steps after which eps grows
constexpr int most_stalls = 4;       // proximal steps in a row at the smallest eps that do not halve the residual
constexpr int rest = 4;              // proximal steps after a failure before eps falls again, unless the residual halves
constexpr double inner_part = 1e-2;  // of the residual: the next anchor moves by more than that

/// eps, relative to the diagonal of G: large leaps at first, small ones around the limit once a failure has shown it.
class Eps {
 public:
  explicit Eps(double start) : value_(start) {}
  double value() const { return value_; }
  void failed(double residual) {
    if (value_ == 0) {
      value_ = first;
      return;
    }
    value_ *= solved_ ? 3 : 10;
    limited_ = true, waiting_ = rest, retry_below_ = 0.5 * residual;
  }
  /// An inner problem has been solved in so many steps.
  void solved(int steps, double residual) {
    solved_ = true;
    if (waiting_ > 0) --waiting_;
    if (steps > few_steps || (waiting_ > 0 && residual > retry_below_)) return;
    value_ = std::max(value_ * (limited_ ? 0.2 : steps <= few_steps / 2 ? 0.01 : 0.1), smallest_eps);
  }
  static constexpr double first = 1e-4;

 private:
  double value_, retry_below_ = 0;
  bool solved_ = false, limited_ = false;
  int waiting_ = 0;
};

}  // namespace

void proximal_newton(SolveReport& report, RowVelocities& velocities, ActiveSetNewton& newton, double tolerance, int steps, bool plain_first) {
  std::vector<double>& P = velocities.problem().rows.P;
  std::vector<double> best = P, anchor;
  double smallest = velocities.residual(), last = smallest;
  Eps eps(plain_first ? 0 : Eps::first);
  int stalls = 0;
  for (int used = 0; used < steps && eps.value() <= largest_eps && stalls < most_stalls;) {
    const bool proximal = eps.value() > 0;
    anchor = P;
    const double inner = proximal ? std::max(0.1 * tolerance, std::min(inner_part * last, 1e-3)) : tolerance;
    const NewtonResult result =
        newton.solve({.tolerance = inner, .max_steps = std::min(steps - used, most_steps), .eps = eps.value(), .anchor = &anchor});
    used += std::max(result.steps, 1), report.newton_steps += result.steps, report.iterations += result.steps;
    if (!result.converged) {
      P = anchor, velocities.changed();
      eps.failed(last);
      continue;
    }
    double residual = proximal ? velocities.residual() : result.residual;
    report.converged = !proximal || (residual <= tolerance && newton.project(tolerance, residual));
    if (residual < smallest) smallest = residual, best = P;
    if (report.converged) break;
    stalls = eps.value() <= smallest_eps && residual > 0.5 * last ? stalls + 1 : 0;
    last = residual;
    eps.solved(result.steps, residual);
  }
  if (!report.converged) P = best, velocities.changed();
  report.residual = smallest;
}

SolveReport proximal_newton(AssembledProblem& problem, const SolverOptions& options) {
  const PhaseScope phase(Phase::solve);
  SolveReport report;
  RowVelocities velocities(problem);
  report.residual = velocities.residual();
  report.converged = report.residual <= options.tolerance;
  if (report.converged) return report;
  ActiveSetNewton newton(velocities);
  proximal_newton(report, velocities, newton, options.tolerance, options.max_iterations, true);
  report.stalled = !report.converged && report.iterations < options.max_iterations;
  return report;
}

}  // namespace percussion

#include "solvers/proximal_newton.hpp"

#include "base/timer.hpp"
#include "solvers/proximal_point.hpp"

namespace percussion {

namespace {

class ActiveSetMethod {
 public:
  ActiveSetMethod(RowVelocities& velocities, ActiveSetNewton& newton) : velocities_(velocities), newton_(newton) {}
  std::vector<double>& r() { return velocities_.problem().rows.P; }
  NewtonResult solve(double tolerance, int most_steps, double eps, const std::vector<double>& anchor) {
    velocities_.changed();
    return newton_.solve({.tolerance = tolerance, .max_steps = most_steps, .eps = eps, .anchor = &anchor});
  }
  double residual() { return velocities_.residual(); }
  bool settle(double tolerance, double& residual) { return residual <= tolerance && newton_.project(tolerance, residual); }

 private:
  RowVelocities& velocities_;
  ActiveSetNewton& newton_;
};

}  // namespace

void proximal_newton(SolveReport& report, RowVelocities& velocities, ActiveSetNewton& newton, double tolerance, int steps, bool plain_first) {
  ActiveSetMethod method(velocities, newton);
  report.residual = proximal_point(report, method, tolerance, steps, plain_first);
  velocities.changed();
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

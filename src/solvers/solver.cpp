#include "solvers/solver.hpp"

namespace percussion {

std::string_view status_name(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved: return "solved";
    case SolveStatus::no_progress: return "no progress";
    case SolveStatus::iteration_limit: break;
  }
  return "iteration limit";
}

bool ContactSolver::wants_stage_spheres(std::int64_t) const { return false; }

SolveReport ContactSolver::solve(StageSphereProblem&) { throw RunError("this solver has no sweeps over stages"); }

Schema solver_schema() {
  Schema s;
  s.real("tolerance").fallback(1e-6).positive().doc("relative natural-map residual at which a step is solved");
  s.integer("max_iterations").fallback(1000).at_least(1).doc("sweeps and Newton steps after which the solver gives up");
  s.integer("check_every").fallback(10).at_least(1).unit("sweeps").doc("sweeps between two evaluations of the residual");
  s.boolean("history").fallback(false).doc("keep the residuals of all checks in the report");
  s.text("on_failure").one_of({"stop", "shrink", "warn"}).fallback("warn").doc(
      "after non-convergence: stop the run, repeat the step with half the size, or accept it with a warning");
  return s;
}

Schema sweep_schema() {
  Schema s = solver_schema();
  s.real("relaxation").fallback(1.).positive().at_most(2).doc("factor on the step of each contact; below 1 damps, above 1 over-relaxes");
  return s;
}

SolverOptions solver_options(const Parameters& p) {
  return {p.real("tolerance"), static_cast<int>(p.integer("max_iterations")), p.has("relaxation") ? p.real("relaxation") : 1.,
          static_cast<int>(p.integer("check_every")), p.boolean("history")};
}

}  // namespace percussion

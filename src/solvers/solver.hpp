// Contact solvers: turn an inclusion problem into its percussions. Registered in the catalogue "solvers".
//
// A solver never knows which integrator built the problem, keeps nothing between calls, and reports non-convergence as
// a value: what follows is decided by the simulation (`on_failure`). All of them are judged by the same natural-map
// residual (solvers/residual.hpp).
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "assembly/inclusion_problem.hpp"
#include "base/registry.hpp"

namespace percussion {

struct AssembledProblem;
struct StageSphereProblem;

struct SolverOptions {
  double tolerance = 1e-6;
  int max_iterations = 1000;
  double relaxation = 1;  ///< of solvers whose schema has it
  int check_every = 10;  ///< sweeps between two evaluations of the residual: one global reduction each
  bool history = false;
};

/// What a solver can vouch for: the residual asked for, or that it came no further, or that it might with more iterations.
enum class SolveStatus : std::uint8_t { solved, no_progress, iteration_limit };
std::string_view status_name(SolveStatus status);  // "solved", "no progress", "iteration limit"

struct SolveReport {
  int iterations = 0;    ///< sweeps and Newton steps
  int newton_steps = 0;  ///< of these
  double residual = 0;
  bool converged = true;
  bool singular = false;  ///< a Newton method met a singular matrix and gave up: redundant contacts; not converged
  bool stalled = false;   ///< gave up before the iteration limit, since the residual fell no more; not converged
  std::vector<double> history;  ///< residuals at the checks, if asked for; the first one is that of the start

  SolveStatus status() const {
    return converged ? SolveStatus::solved : singular || stalled ? SolveStatus::no_progress : SolveStatus::iteration_limit;
  }
};

class ContactSolver {
 public:
  virtual ~ContactSolver() = default;
  /// Collective.
  virtual SolveReport solve(InclusionProblem& problem) = 0;
  virtual SolveReport solve(AssembledProblem& problem) = 0;

  /// Whether stages of round bodies should come as a StageSphereProblem, given the largest number of rows on a rank; if
  /// not, they come assembled. Only then solve(StageSphereProblem&) is called.
  virtual bool wants_stage_spheres(std::int64_t rows) const;
  virtual SolveReport solve(StageSphereProblem& problem);
};

using SolverRegistry = Registry<ContactSolver, const Parameters&>;
using RegisterSolver = Registration<ContactSolver, const Parameters&>;

/// Keys that all solvers share; those of solvers that sweep, with `relaxation`: others refuse it.
Schema solver_schema();
Schema sweep_schema();
SolverOptions solver_options(const Parameters& p);

}  // namespace percussion

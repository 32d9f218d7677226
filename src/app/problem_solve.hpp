// One stored friction problem, solved and judged: what `percussion solve` does.
//
// The judge is the residual of solvers/cone_residual.hpp, evaluated anew from the percussions that the solver
// left; a solver that claims more than it reached is not believed.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/parameters.hpp"
#include "io/loaded_problem.hpp"
#include "solvers/solver.hpp"

namespace percussion {

struct ProblemSolve {
  std::string problem, solver;  ///< file, name
  int ranks = 1;
  std::int64_t contacts = 0, constraints = 0;
  double tolerance = 0;
  int iterations = 0, newton_steps = 0;
  double seconds = 0;  ///< shortest of the repeats; the solver only, the slowest rank
  double residual = 0, residual_absolute = 0;
  std::int64_t open = 0, sticking = 0, sliding = 0;
  bool solved = false;
  std::string certificate;  ///< `solved to T`, `no progress at R` or `iteration limit at R`
};

/// Unless the user says otherwise: a problem that is studied alone may take longer than one of many steps.
constexpr int solve_iterations = 10000;

/// The validated options of a solver from the command line: its name, tolerance and words key=value of its
/// schema.
Parameters solver_from_words(const std::string& name, double tolerance, std::optional<int> max_iterations,
                             const std::vector<std::string>& words);

/// Collective. Solves `repeat` times from the present percussions; those of the last time stay in the
/// problem.
ProblemSolve solve_problem(LoadedProblem& loaded, const Parameters& solver, int repeat);

/// Lines for people; one JSON object for programs.
std::string to_string(const ProblemSolve& result);
std::string to_json(const ProblemSolve& result);

}  // namespace percussion

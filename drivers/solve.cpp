// percussion solve FILE.hdf5 [key=value ...] [--solver NAME] [--tolerance T] [--max-iterations N]
// [--initial-guess FILE]
//   [--output FILE] [--repeat N] [--json]
//
// Exit code 0 only if the tolerance was reached, 3 if not (the certificate says how far it came).
#include <fmt/format.h>

#include <memory>

#include "app/problem_solve.hpp"
#include "command.hpp"

namespace percussion {

namespace {

struct Arguments {
  std::string file, solver = "hybrid", guess, output;
  std::vector<std::string> words;
  double tolerance = 1e-8;
  std::optional<int> max_iterations;
  int repeat = 1;
  bool json = false;
};

int solve(const Session& session, const Arguments& a) {
  const Parameters solver = solver_from_words(a.solver, a.tolerance, a.max_iterations, a.words);
  FclibProblem stored = read_fclib(session.comm, a.file);
  const auto loaded = distribute(session.comm, stored);
  if (!a.guess.empty()) set_start(*loaded, stored, read_start(session.comm, a.guess, stored));
  ProblemSolve result = solve_problem(*loaded, solver, a.repeat);
  result.problem = a.file;
  if (!a.output.empty()) write_solution(session.comm, a.file, a.output, stored, solution_of(*loaded, stored));
  if (session.is_root && (a.json || !session.quiet))
    fmt::print("{}", a.json ? to_json(result) : to_string(result));
  return result.solved ? exit_ok : exit_run;
}

}  // namespace

void add_solve(CLI::App& app, Session& session) {
  CLI::App& command = *app.add_subcommand(
      "solve", "Solve a stored friction problem (FCLIB file) and judge the solution; PETSc options after --");
  const auto a = std::make_shared<Arguments>();
  command
      .add_option("FILE", a->file,
                  "problem in FCLIB's HDF5 layout: fclib_local, fclib_global or their rolling forms")
      ->required();
  command.add_option("OPTIONS", a->words, "key=value, options of the solver (see `percussion reference`)");
  command.add_option("--solver", a->solver, "see `percussion list solvers`")->capture_default_str();
  command.add_option("--tolerance", a->tolerance, "relative residual on the friction cone")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--max-iterations", a->max_iterations, "default: 10000")
      ->check(CLI::PositiveNumber);
  command.add_option("--initial-guess", a->guess,
                     "file with guesses or a solution to start from (default: zero)");
  command.add_option("-o,--output", a->output, "copy of the problem file with the solution");
  command
      .add_option("--repeat", a->repeat,
                  "times the problem is solved, each time from the same start; the shortest time counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_flag("--json", a->json, "print the result as JSON");
  command.callback([&session, a] { session.action = [&session, a] { return solve(session, *a); }; });
}

}  // namespace percussion

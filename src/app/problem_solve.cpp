#include "app/problem_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/input.hpp"
#include "io/json_writer.hpp"
#include "solvers/cone_residual.hpp"

namespace percussion {

namespace {

struct Judgement {
  double relative = 0, absolute = 0;
  std::int64_t open = 0, sticking = 0, sliding = 0;
};

double part_norm(const double* x, const RowLaw& law) {
  double sum = 0;
  for (int i = law.first; i < law.first + law.set.dim(); ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

/// Velocities times the step of the block, so that they compare with percussions.
void count_states(const AssembledProblem& problem, const std::vector<double>& psi, double small,
                  Judgement& j) {
  const GeneralRows& rows = problem.rows;
  for (const RowBlock& block : rows.blocks) {
    if (block.bilateral) continue;
    const double *P = rows.P.data() + block.first_row, *u = psi.data() + block.first_row;
    const double G_N = block.G(0, 0);
    if (P[0] - (G_N > 0 ? u[0] / G_N : u[0]) <= small) {
      ++j.open;
      continue;
    }
    bool slides = false;
    for (int l = 0; l < block.laws; ++l) {
      const RowLaw& law = rows.laws[block.first_law + l];
      // A force on the rim may stick as well: only the velocity tells.
      slides |= part_norm(P, law) >= law.set.radius(P[0]) - small && law.rho * part_norm(u, law) > small;
    }
    ++(slides ? j.sliding : j.sticking);
  }
}

Judgement judge(const AssembledProblem& problem, double tolerance) {
  std::vector<double> psi;
  apply_G(problem, problem.rows.P, psi);
  double largest = 0, c = 0;
  for (std::size_t r = 0; r < psi.size(); ++r) {
    psi[r] += problem.rows.c[r], c += problem.rows.c[r] * problem.rows.c[r];
    largest = std::max(largest, std::abs(problem.rows.P[r]));
  }
  const ConeNorms local = cone_norms(problem.rows, psi.data(), problem.rows.P.data());
  double sum[4] = {local.F, local.P, local.psi, c};
  MPI_Allreduce(MPI_IN_PLACE, sum, 4, MPI_DOUBLE, MPI_SUM, problem.comm);
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, problem.comm);
  Judgement j;
  j.absolute = std::sqrt(sum[0]);
  const double scale = std::sqrt(std::max({sum[1], sum[2], sum[3]}));
  // A residual that is no number must not pass for zero.
  j.relative = scale > 0 || !std::isfinite(j.absolute) ? j.absolute / scale : 0.;
  count_states(problem, psi, tolerance * largest, j);
  std::int64_t counts[3] = {j.open, j.sticking, j.sliding};
  MPI_Allreduce(MPI_IN_PLACE, counts, 3, MPI_INT64_T, MPI_SUM, problem.comm);
  j.open = counts[0], j.sticking = counts[1], j.sliding = counts[2];
  return j;
}

}  // namespace

Parameters solver_from_words(const std::string& name, double tolerance, std::optional<int> max_iterations,
                             const std::vector<std::string>& words) {
  Schema schema;
  schema.choice("solver", "solvers").required();
  std::vector<std::string> overrides{"solver={type: " + name + "}", "solver.tolerance=" + to_text(tolerance)};
  overrides.push_back("solver.max_iterations=" + std::to_string(max_iterations.value_or(solve_iterations)));
  for (const std::string& word : words) overrides.push_back("solver." + word);
  return parse_input("{}", "command line", {}, overrides, schema).section("solver");
}

ProblemSolve solve_problem(LoadedProblem& loaded, const Parameters& parameters, int repeat) {
  AssembledProblem& problem = loaded.problem;
  problem.measure = ResidualMeasure::cone;
  const auto solver = SolverRegistry::instance().create(parameters.type(), parameters);
  const std::vector<double> start = problem.rows.P;
  ProblemSolve result;
  result.solver = parameters.type(), result.tolerance = parameters.real("tolerance");
  result.seconds = std::numeric_limits<double>::infinity();
  MPI_Comm_size(problem.comm, &result.ranks);
  std::int64_t counts[2] = {static_cast<std::int64_t>(loaded.contact.size()),
                            static_cast<std::int64_t>(loaded.constraint.size())};
  MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INT64_T, MPI_SUM, problem.comm);
  result.contacts = counts[0], result.constraints = counts[1];
  SolveReport report;
  for (int k = 0; k < repeat; ++k) {
    problem.rows.P = start;
    MPI_Barrier(problem.comm);
    const double begin = MPI_Wtime();
    report = solver->solve(problem);
    double seconds = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, problem.comm);
    result.seconds = std::min(result.seconds, seconds);
  }
  result.iterations = report.iterations, result.newton_steps = report.newton_steps;
  const Judgement j = judge(problem, result.tolerance);
  result.residual = j.relative, result.residual_absolute = j.absolute;
  result.open = j.open, result.sticking = j.sticking, result.sliding = j.sliding;
  result.solved = j.relative <= result.tolerance;
  // A solver that was content with what does not pass here has come no further than that.
  const SolveStatus status = result.solved      ? SolveStatus::solved
                             : report.converged ? SolveStatus::no_progress
                                                : report.status();
  result.certificate = result.solved ? fmt::format("solved to {}", to_text(result.tolerance))
                                     : fmt::format("{} at {:.3e}", status_name(status), j.relative);
  return result;
}

std::string to_string(const ProblemSolve& r) {
  return fmt::format(
      "problem      {}: {} contacts{}\n"
      "solver       {} on {} rank{}\n"
      "result       {}\n"
      "iterations   {}\n"
      "time         {:.6f} s\n"
      "residual     {:.6e} relative, {:.6e} absolute\n"
      "contacts     {} open, {} sticking, {} sliding\n",
      r.problem, r.contacts,
      r.constraints > 0 ? fmt::format(", {} bilateral constraints", r.constraints) : "", r.solver, r.ranks,
      r.ranks > 1 ? "s" : "", r.certificate,
      r.newton_steps > 0 ? fmt::format("{}, of which Newton steps {}", r.iterations, r.newton_steps)
                         : std::to_string(r.iterations),
      r.seconds, r.residual, r.residual_absolute, r.open, r.sticking, r.sliding);
}

std::string to_json(const ProblemSolve& r) {
  JsonWriter json;
  json.begin_object();
  json.member("problem", r.problem), json.member("contacts", r.contacts),
      json.member("constraints", r.constraints);
  json.member("solver", r.solver), json.member("ranks", r.ranks), json.member("tolerance", r.tolerance);
  json.member("solved", r.solved), json.member("certificate", r.certificate);
  json.member("iterations", r.iterations), json.member("newton_steps", r.newton_steps),
      json.member("seconds", r.seconds);
  json.member("residual", r.residual), json.member("residual_absolute", r.residual_absolute);
  json.member("open", r.open), json.member("sticking", r.sticking), json.member("sliding", r.sliding);
  json.end_object();
  return json.text() + "\n";
}

}  // namespace percussion

#include "app/dumping_solver.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assembly/assembled_problem.hpp"
#include "base/timer.hpp"
#include "io/problem_dump.hpp"
#include "solvers/assemble_body_view.hpp"

namespace percussion {

namespace {

/// Collective. Whether contacts have rows at several stages, which one law ties together.
bool has_stages(const AssembledProblem& problem) {
  int found = std::ranges::any_of(problem.rows.blocks, [](const RowBlock& block) { return block.group != 1; });
  MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_MAX, problem.comm);
  return found != 0;
}

}  // namespace

Schema dump_schema() {
  Schema s;
  s.text("when")
      .one_of({"never", "not_converged", "every"})
      .doc("write the problems of steps that did not converge, or of every N-th step");
  s.integer("every").at_least(1).unit("steps").doc("write the problem of every N-th step");
  return s;
}

DumpPlan dump_plan(const Parameters& section) {
  const bool has_every = section.has("every");
  const std::string when = section.has("when") ? section.text("when") : has_every ? "every" : "never";
  if (has_every && when != "every")
    section.fail("when", "contradicts `every`", "{when: not_converged} or {every: N}",
                 "keep one of the two keys");
  if (when == "every") return {false, has_every ? section.integer("every") : 1};
  return {when == "not_converged", 0};
}

DumpingSolver::DumpingSolver(std::unique_ptr<ContactSolver> solver, const DumpPlan& plan, std::string title)
    : solver_(std::move(solver)), plan_(plan), title_(std::move(title)) {}

bool DumpingSolver::is_due(const SolveReport& report) const {
  return plan_.not_converged ? !report.converged : plan_.every > 0 && step_ % plan_.every == 0;
}

SolveReport DumpingSolver::solve(InclusionProblem& problem) {
  if (!active()) return solver_->solve(problem);
  check_fclib_laws(problem.comm, problem.rows);
  const std::vector<double> x_free(problem.x.data(), problem.x.data() + problem.x.size());
  const std::vector<SphereContact> spheres = problem.spheres;
  const std::vector<BodyContact> bodies = problem.bodies;
  const std::vector<double> P = problem.rows.P;
  const SolveReport report = solver_->solve(problem);
  if (!is_due(report)) return report;
  AssembledProblem solved, before;
  assemble_body_view(problem, x_free, solved);
  // The start in the rows of the assembled view: the same problem with the percussions of before.
  const std::vector<double> P_end = std::exchange(problem.rows.P, P);
  const std::vector<SphereContact> spheres_end = std::exchange(problem.spheres, spheres);
  const std::vector<BodyContact> bodies_end = std::exchange(problem.bodies, bodies);
  assemble_body_view(problem, x_free, before);
  problem.rows.P = P_end, problem.spheres = spheres_end, problem.bodies = bodies_end;
  write(solved, before.rows.P, report);
  return report;
}

SolveReport DumpingSolver::solve(AssembledProblem& problem) {
  if (!active() || has_stages(problem)) return solver_->solve(problem);
  check_fclib_laws(problem.comm, problem.rows);
  const std::vector<double> start = problem.rows.P;
  const SolveReport report = solver_->solve(problem);
  if (is_due(report)) write(problem, start, report);
  return report;
}

void DumpingSolver::write(const AssembledProblem& problem, const std::vector<double>& start,
                          const SolveReport& report) {
  const PhaseScope phase(Phase::output);
  DumpedProblem dump = to_fclib(problem, start);
  if (dump.problem.contacts == 0) return;
  dump.problem.title = title_;
  dump.problem.description =
      fmt::format("step {}; {} after {} iterations", step_, status_name(report.status()), report.iterations);
  int rank = 0;
  MPI_Comm_rank(problem.comm, &rank);
  all_or_none(problem.comm, [&] {
    std::error_code error;
    if (rank == 0) std::filesystem::create_directories(folder_, error);
    if (error) throw RunError(fmt::format("cannot make {}: {}", folder_.string(), error.message()));
  });
  write_fclib(problem.comm, folder_ / fmt::format("step_{:06}.hdf5", step_), dump.problem,
              MatrixForm::columns, &dump.solution, &dump.start);
  files_ += step_ != last_step_, last_step_ = step_;
}

}  // namespace percussion

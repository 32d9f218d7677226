// A contact solver that writes the problems it solves (output.dump_problems), with the start and the
// solution, to <results>/problems/step_NNNNNN.hdf5 (io/problem_dump.hpp).
//
// Several problems of one step (Newton iterations of an implicit scheme) overwrite each other: the last one
// that is due stays. Laws that FCLIB cannot express are refused at the first step that has them, whether a
// file is due or not. Passed on without a file: problems without contacts, and those of several stages of a
// Runge-Kutta method; the problem on velocity level at the end of such a step is written.
#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "base/parameters.hpp"
#include "base/schema.hpp"
#include "solvers/solver.hpp"

namespace percussion {

struct DumpPlan {
  bool not_converged = false;
  std::int64_t every = 0;  ///< steps; 0: never
  bool any() const { return not_converged || every > 0; }
};

/// The section output.dump_problems.
Schema dump_schema();
/// `{when: not_converged}`, `{every: N}`, or `{when: every, every: N}`. InputError if the two keys contradict
/// each other.
DumpPlan dump_plan(const Parameters& section);

class DumpingSolver final : public ContactSolver {
 public:
  DumpingSolver(std::unique_ptr<ContactSolver> solver, const DumpPlan& plan, std::string title);

  /// Collective. Files from now on go to `folder`, which is made when the first one is due; until then
  /// nothing is written.
  void write_to(std::filesystem::path folder) { folder_ = std::move(folder); }
  /// The next problems belong to this step.
  void begin_step(std::int64_t step) { step_ = step; }
  std::int64_t files() const { return files_; }

  SolveReport solve(InclusionProblem& problem) override;
  SolveReport solve(AssembledProblem& problem) override;
  bool wants_stage_spheres(std::int64_t rows) const override { return solver_->wants_stage_spheres(rows); }
  SolveReport solve(StageSphereProblem& problem) override { return solver_->solve(problem); }

 private:
  bool active() const { return !folder_.empty(); }
  bool is_due(const SolveReport& report) const;
  void write(const AssembledProblem& problem, const std::vector<double>& start, const SolveReport& report);

  std::unique_ptr<ContactSolver> solver_;
  DumpPlan plan_;
  std::string title_;
  std::filesystem::path folder_;
  std::int64_t step_ = 0, files_ = 0, last_step_ = -1;
};

}  // namespace percussion

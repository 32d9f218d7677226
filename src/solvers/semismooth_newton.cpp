#include "solvers/semismooth_newton.hpp"

#include <algorithm>
#include <limits>

#include "base/timer.hpp"
#include "solvers/assemble_body_view.hpp"
#include "solvers/proximal_newton.hpp"

namespace percussion {

namespace {
// A residual this large, and this much larger than the smallest, does not come back: the active set is lost.
constexpr double lost = 0.05, lost_growth = 100;
}  // namespace

ActiveSetNewton::ActiveSetNewton(RowVelocities& velocities, int dense_rows)
    : velocities_(velocities), rows_(velocities.problem().rows), s_(row_scales(rows_)),
      matrix_(velocities.problem(), velocities.G(), s_, dense_rows), F_(s_.size()), dP_(s_.size()) {}

void ActiveSetNewton::evaluate(const Task& task) {
  velocities_.update();
  psi_ = velocities_.psi();
  if (task.eps > 0)
    for (std::size_t r = 0; r < psi_.size(); ++r) psi_[r] += task.eps * s_[r] * s_[r] * (rows_.P[r] - (*task.anchor)[r]);
}

bool ActiveSetNewton::project(double tolerance, double& residual) {
  kept_ = rows_.P;
  velocities_.update();
  for (const RowBlock& block : rows_.blocks)
    project_on_cone(block, rows_.laws.data() + block.first_law, velocities_.of(block), rows_.P.data() + block.first_row);
  const double projected = velocities_.residual();
  if (projected <= tolerance) return residual = projected, true;
  rows_.P = kept_;
  velocities_.changed();
  return false;
}

NewtonResult ActiveSetNewton::solve(const Task& task) {
  NewtonResult result;
  double smallest = std::numeric_limits<double>::infinity();
  int waiting = 0;
  for (;; ++result.steps) {
    evaluate(task);
    result.residual = velocities_.residual(psi_, rows_.P);
    if (task.history) task.history->push_back(result.residual);
    // A start that solves the problem stays as it is.
    if (result.residual <= task.tolerance && (result.steps == 0 || task.eps > 0 || project(task.tolerance, result.residual))) {
      result.converged = true;
      return result;
    }
    if (result.residual < smallest) {
      smallest = result.residual, best_ = rows_.P, waiting = 0;
    } else if (++waiting > task.patience || (task.eps > 0 && result.residual > std::max(lost, lost_growth * smallest))) {
      break;
    }
    if (result.steps >= task.max_steps) break;
    for (std::size_t b = 0; b < rows_.blocks.size(); ++b) {
      const RowBlock& block = rows_.blocks[b];
      const std::int32_t first = block.first_row;
      const SmallVec psi = Eigen::Map<const VecX>(psi_.data() + first, block.rows);
      const BlockMap map = active_set_map(block, rows_.laws.data() + block.first_law, s_.data() + first, psi, rows_.P.data() + first);
      for (int r = 0; r < block.rows; ++r) F_[first + r] = map.F[r];
      matrix_.set_block(b, map, task.eps);
    }
    if (!matrix_.solve(F_, dP_)) return result.singular = true, result;
    for (std::size_t r = 0; r < dP_.size(); ++r) rows_.P[r] += dP_[r] / s_[r];
    velocities_.changed();
  }
  rows_.P = best_, result.residual = smallest;
  velocities_.changed();
  return result;
}

SolveReport semismooth_newton(AssembledProblem& problem, const SolverOptions& options, int dense_rows) {
  const PhaseScope phase(Phase::solve);
  SolveReport report;
  RowVelocities velocities(problem);
  ActiveSetNewton newton(velocities, dense_rows);
  const NewtonResult result = newton.solve(
      {.tolerance = options.tolerance, .max_steps = options.max_iterations, .history = options.history ? &report.history : nullptr});
  report.iterations = report.newton_steps = result.steps;
  report.residual = result.residual;
  report.converged = result.converged, report.singular = result.singular;
  report.stalled = !result.converged && result.steps < options.max_iterations;
  return report;
}

namespace {

class SemismoothNewton final : public ContactSolver {
 public:
  SemismoothNewton(const SolverOptions& options, bool proximal) : options_(options), proximal_(proximal) {}

  SolveReport solve(InclusionProblem& problem) override {
    return solve_assembled_view(problem, options_.tolerance, [&](AssembledProblem& assembled) { return solve(assembled); });
  }
  SolveReport solve(AssembledProblem& problem) override {
    return proximal_ ? proximal_newton(problem, options_) : semismooth_newton(problem, options_);
  }

 private:
  SolverOptions options_;
  bool proximal_;
};

Schema schema() {
  Schema s = solver_schema();
  s.boolean("proximal").fallback(false).doc("a proximal-point loop around the method, as in the hybrid solver: for redundant contacts");
  return s;
}

const RegisterSolver registered{"solvers", "semismooth_newton",
                                "semismooth Newton with primal-dual active set: quadratic, for regular problems; says so if contacts are redundant",
                                schema(), [](const Parameters& p) { return std::make_unique<SemismoothNewton>(solver_options(p), p.boolean("proximal")); }};

}  // namespace
}  // namespace percussion

#include "solvers/gauss_seidel.hpp"

#include "solvers/assembled_sweep.hpp"
#include "solvers/body_kernel.hpp"
#include "solvers/row_kernel.hpp"
#include "solvers/solver.hpp"
#include "solvers/stage_sweep.hpp"
#include "solvers/sweep_loop.hpp"

namespace percussion {
namespace {

/// Blocks of each layout: [first, last).
struct Range {
  std::int32_t first, last;
};

void relax(InclusionProblem& problem, double omega, Range spheres, Range bodies, Range general) {
  double* x = problem.x.data();
  for (std::int32_t k = spheres.first; k < spheres.last; ++k) sphere_relax(problem.spheres[k], omega, x);
  for (std::int32_t k = bodies.first; k < bodies.last; ++k) contact_relax(problem.bodies[k], omega, x);
  GeneralRows& rows = problem.rows;
  for (std::int32_t k = general.first; k < general.last; ++k) {
    const RowBlock& block = rows.blocks[k];
    double* P = rows.P.data() + block.first_row;
    const SmallVec before = Eigen::Map<const VecX>(P, block.rows);
    solve_block(block, rows.laws.data() + block.first_law, 1., omega, row_psi(rows, block, x), P);
    const SmallVec dP = Eigen::Map<const VecX>(P, block.rows) - before;
    row_apply(rows, block, dP.data(), x);
  }
}

class GaussSeidel final : public ContactSolver {
 public:
  explicit GaussSeidel(const SolverOptions& options) : options_(options) {}

  SolveReport solve(InclusionProblem& problem) override {
    return sweep_until_solved(problem, options_, [&](BodyExchange& exchange) { gauss_seidel_sweep(problem, exchange, options_.relaxation); });
  }
  SolveReport solve(AssembledProblem& problem) override { return assembled_gauss_seidel(problem, options_); }
  bool wants_stage_spheres(std::int64_t) const override { return true; }
  SolveReport solve(StageSphereProblem& problem) override { return stage_gauss_seidel(problem, options_); }

 private:
  SolverOptions options_;
};

const RegisterSolver registered{"solvers", "gauss_seidel", "domain-decomposed projected Gauss-Seidel with mass splitting", solver_schema(),
                                [](const Parameters& p) { return std::make_unique<GaussSeidel>(solver_options(p)); }};

}  // namespace

void gauss_seidel_sweep(InclusionProblem& problem, BodyExchange& exchange, double omega) {
  exchange.begin();
  relax(problem, omega, {0, problem.sphere_interface}, {0, problem.body_interface}, {0, problem.rows_interface});
  exchange.reduce_start();
  const auto size = [](const auto& v) { return static_cast<std::int32_t>(v.size()); };
  relax(problem, omega, {problem.sphere_interface, size(problem.spheres)}, {problem.body_interface, size(problem.bodies)},
        {problem.rows_interface, size(problem.rows.blocks)});
  exchange.finish();
}

}  // namespace percussion

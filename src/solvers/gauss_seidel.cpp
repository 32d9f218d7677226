#include "solvers/gauss_seidel.hpp"

#include "solvers/assembled_sweep.hpp"
#include "solvers/body_kernel.hpp"
#include "solvers/solver.hpp"
#include "solvers/stage_sweep.hpp"
#include "solvers/sweep_loop.hpp"

namespace percussion {
namespace {

class GaussSeidel final : public ContactSolver {
 public:
  GaussSeidel(const SolverOptions& options, LocalSolver local) : options_(options), local_(local) {}

  SolveReport solve(InclusionProblem& problem) override {
    return sweep_until_solved(problem, options_, [&](BodyExchange& exchange) { return gauss_seidel_sweep(problem, exchange, options_.relaxation); });
  }
  SolveReport solve(AssembledProblem& problem) override { return assembled_gauss_seidel(problem, options_, local_); }
  bool wants_stage_spheres(std::int64_t) const override { return true; }
  SolveReport solve(StageSphereProblem& problem) override { return stage_gauss_seidel(problem, options_); }

 private:
  SolverOptions options_;
  LocalSolver local_;
};

Schema schema() {
  Schema s = sweep_schema();
  add_local_solver(s);
  return s;
}

const RegisterSolver registered{"solvers", "gauss_seidel", "domain-decomposed projected Gauss-Seidel with mass splitting", schema(),
                                [](const Parameters& p) { return std::make_unique<GaussSeidel>(solver_options(p), local_solver(p)); }};

}  // namespace

SweepStep gauss_seidel_sweep(InclusionProblem& problem, BodyExchange& exchange, double omega) {
  double *x = problem.x.data(), step = 0;
  sweep_in_order(
      problem, exchange, [&](auto& contact, std::size_t) { step += contact_relax(contact, contact.P, omega, x) / contact.inv_G_N; },
      [&](const RowBlock& block) { step += relax_block(problem.rows, block, omega, x); });
  return {step};
}

}  // namespace percussion

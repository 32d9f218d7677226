// Domain-decomposed projected Gauss-Seidel: sequential inside a rank, mass splitting between ranks
// (solvers/body_exchange.hpp). Blocks at the interface go first; the interior is swept while the corrections of the
// shared bodies travel. Cost per sweep: O(contacts of the rank) + one message each way per neighbour.
#include "solvers/row_kernel.hpp"
#include "solvers/solver.hpp"
#include "solvers/sphere_kernel.hpp"
#include "solvers/assembled_sweep.hpp"
#include "solvers/sweep_loop.hpp"

namespace percussion {
namespace {

class GaussSeidel final : public ContactSolver {
 public:
  explicit GaussSeidel(const SolverOptions& options) : options_(options) {}

  SolveReport solve(InclusionProblem& problem) override {
    const auto n_spheres = static_cast<std::int32_t>(problem.spheres.size());
    const auto n_rows = static_cast<std::int32_t>(problem.rows.blocks.size());
    return sweep_until_solved(problem, options_, [&](BodyExchange& exchange) {
      exchange.begin();
      relax(problem, 0, problem.sphere_interface, 0, problem.rows_interface);
      exchange.reduce_start();
      relax(problem, problem.sphere_interface, n_spheres, problem.rows_interface, n_rows);
      exchange.finish();
    });
  }

  SolveReport solve(AssembledProblem& problem) override { return assembled_gauss_seidel(problem, options_); }

 private:
  void relax(InclusionProblem& problem, std::int32_t first, std::int32_t last, std::int32_t first_row, std::int32_t last_row) const {
    double* x = problem.x.data();
    const double omega = options_.relaxation;
    for (std::int32_t k = first; k < last; ++k) sphere_relax(problem.spheres[k], omega, x);
    GeneralRows& rows = problem.rows;
    for (std::int32_t k = first_row; k < last_row; ++k) {
      const RowBlock& block = rows.blocks[k];
      double* P = rows.P.data() + block.first_row;
      const SmallVec before = Eigen::Map<const VecX>(P, block.rows);
      solve_block(block, rows.laws.data() + block.first_law, 1., omega, row_psi(rows, block, x), P);
      const SmallVec dP = Eigen::Map<const VecX>(P, block.rows) - before;
      row_apply(rows, block, dP.data(), x);
    }
  }

  SolverOptions options_;
};

const RegisterSolver registered{"solvers", "gauss_seidel", "domain-decomposed projected Gauss-Seidel with mass splitting", solver_schema(),
                                [](const Parameters& p) { return std::make_unique<GaussSeidel>(solver_options(p)); }};

}  // namespace
}  // namespace percussion

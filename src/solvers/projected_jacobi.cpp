// Projected Jacobi: all blocks see the velocities of the last sweep. A body in k blocks is split into k copies, so the
// majoriser of solvers/body_exchange.hpp applies with one "rank" per block: monotone for any problem, and the iterates
// do not depend on the order of the blocks or the number of ranks (up to rounding). Slower than Gauss-Seidel; the
// reference that every parallel solver must beat.
#include "partition/halo_channel.hpp"
#include "solvers/assembled_sweep.hpp"
#include "solvers/body_kernel.hpp"
#include "solvers/row_kernel.hpp"
#include "solvers/solver.hpp"
#include "solvers/sweep_loop.hpp"

namespace percussion {
namespace {

/// Number of blocks on all ranks that touch each line (the ground: 1).
std::vector<double> blocks_per_line(InclusionProblem& problem) {
  std::vector<double> count(static_cast<std::size_t>(problem.lines) * line_size, 0.);
  for_each_contact(problem, [&](const auto& s) {
    for (const std::int32_t line : {s.a, s.b})
      if (line < problem.lines) count[std::size_t(line) * line_size] += 1;
  });
  for (const Arm& arm : problem.rows.arms) count[std::size_t(arm.line) * line_size] += 1;
  if (problem.channel) problem.channel->reduce_add(count), problem.channel->broadcast(count);
  std::vector<double> result(problem.lines + 1, 1.);
  for (std::int32_t line = 0; line < problem.lines; ++line) result[line] = std::max(1., count[std::size_t(line) * line_size]);
  return result;
}

class ProjectedJacobi final : public ContactSolver {
 public:
  explicit ProjectedJacobi(const SolverOptions& options) : options_(options) {}

  SolveReport solve(InclusionProblem& problem) override {
    const std::vector<double> count = blocks_per_line(problem);
    std::vector<double> dx(problem.x.size());
    return sweep_until_solved(problem, options_, [&](BodyExchange& exchange) {
      exchange.begin();
      std::fill(dx.begin(), dx.end(), 0.);
      contacts(problem, count, dx);
      rows(problem, count, dx);
      for (std::size_t i = 0; i < dx.size(); ++i) problem.x.data()[i] += dx[i];
      exchange.reduce_start();
      exchange.finish();
    });
  }

  SolveReport solve(AssembledProblem& problem) override { return assembled_jacobi(problem, options_); }

 private:
  void contacts(InclusionProblem& problem, const std::vector<double>& count, std::vector<double>& dx) const {
    const double* x = problem.x.data();
    for_each_contact(problem, [&](auto& s) {
      // Arms off the normal couple it with the tangents, at most by a factor of two on the sum of both parts.
      constexpr double coupled = std::is_same_v<std::decay_t<decltype(s)>, BodyContact> ? 2 : 1;
      const auto [G_N, G_T] = local_delassus(s, x, coupled * count[s.a] / problem.copies[s.a], coupled * count[s.b] / problem.copies[s.b]);
      double P[3], dP[3];
      sphere_prox(s, s.P, contact_psi(s, x), options_.relaxation / G_N, options_.relaxation / G_T, P);
      for (int i = 0; i < 3; ++i) dP[i] = P[i] - s.P[i], s.P[i] = P[i];
      contact_apply(s, dP, x, dx.data());
    });
  }

  void rows(InclusionProblem& problem, const std::vector<double>& count, std::vector<double>& dx) const {
    GeneralRows& r = problem.rows;
    for (const RowBlock& block : r.blocks) {
      // One factor for the block, that of its busiest body: still above the split Delassus block. G of the block has
      // the masses of the copies already.
      double scale = 1;
      for (int k = 0; k < block.arms; ++k) {
        const std::int32_t line = r.arms[block.first_arm + k].line;
        scale = std::max(scale, count[line] / problem.copies[line]);
      }
      double* P = r.P.data() + block.first_row;
      const SmallVec before = Eigen::Map<const VecX>(P, block.rows);
      solve_block(block, r.laws.data() + block.first_law, scale, options_.relaxation, row_psi(r, block, problem.x.data()), P);
      const SmallVec dP = Eigen::Map<const VecX>(P, block.rows) - before;
      row_apply(r, block, dP.data(), dx.data());
    }
  }

  SolverOptions options_;
};

const RegisterSolver registered{"solvers", "projected_jacobi", "projected Jacobi: independent of order and ranks, slow; for reference", sweep_schema(),
                                [](const Parameters& p) { return std::make_unique<ProjectedJacobi>(solver_options(p)); }};

}  // namespace
}  // namespace percussion

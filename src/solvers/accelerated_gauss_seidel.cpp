// Gauss-Seidel sweeps with momentum and restarts (solvers/momentum.hpp). In the body view the extrapolation of P is part of
// the sweep. Cost: a sweep, 24 bytes per contact and 64 per body more to read and write, one reduction.
#include "solvers/assembled_sweep.hpp"
#include "solvers/body_kernel.hpp"
#include "solvers/gauss_seidel.hpp"
#include "solvers/momentum.hpp"
#include "solvers/solver.hpp"
#include "solvers/stage_sweep.hpp"
#include "solvers/sweep_loop.hpp"

namespace percussion {
namespace {

/// Squared energy norm of a change of a block.
double energy(const RowBlock& block, const double* P, const SmallVec& before) {
  const SmallVec d = Eigen::Map<const VecX>(P, block.rows) - before;
  return std::abs(d.dot(block.G.lazyProduct(d)));
}

class AcceleratedGaussSeidel final : public ContactSolver {
 public:
  AcceleratedGaussSeidel(const SolverOptions& options, LocalSolver local) : options_(options), local_(local) {}

  SolveReport solve(InclusionProblem& problem) override {
    Momentum momentum(problem.comm);
    Extrapolated contacts, rows, velocities;
    bool started = false;
    return sweep_until_solved(problem, options_, [&](BodyExchange& exchange) {
      if (!started) start(problem, contacts, rows, velocities), started = true;
      return SweepStep{momentum.swept(sweep(problem, exchange, momentum.beta(), contacts, rows, velocities)), true};
    });
  }

  SolveReport solve(AssembledProblem& problem) override {
    const PhaseScope phase(Phase::solve);
    SolveReport report;
    RowVelocities velocities(problem);
    AssembledGaussSeidel gauss_seidel(velocities, options_.relaxation, local_);
    Momentum momentum(problem.comm);
    Extrapolated extrapolated;
    std::vector<double>& P = problem.rows.P;
    std::vector<double> Y;
    extrapolated.start(P.data(), P.size());
    const auto sweep = [&] {
      if (momentum.beta() > 0) velocities.changed();
      extrapolated(momentum.beta(), P.data(), 0, P.size());
      Y = P;
      gauss_seidel.sweep();
      double step = 0;
      for (const RowBlock& block : problem.rows.blocks)
        step += energy(block, P.data() + block.first_row, Eigen::Map<const VecX>(Y.data() + block.first_row, block.rows));
      momentum.swept(step);
    };
    sweep_until_solved(report, options_, [&] { return velocities.residual(); }, sweep, never);
    return report;
  }

  bool wants_stage_spheres(std::int64_t) const override { return true; }
  SolveReport solve(StageSphereProblem& problem) override { return stage_gauss_seidel(problem, options_, true); }

 private:
  static void start(const InclusionProblem& problem, Extrapolated& contacts, Extrapolated& rows, Extrapolated& velocities) {
    std::vector<double> P;
    P.reserve(3 * (problem.spheres.size() + problem.bodies.size()));
    for_each_contact(problem, [&](const auto& s) { P.insert(P.end(), s.P, s.P + 3); });
    contacts.start(P.data(), P.size());
    rows.start(problem.rows.P.data(), problem.rows.P.size());
    velocities.start(problem.x.data(), problem.x.size());
  }

  /// Returns |P - Y|^2 of this rank.
  double sweep(InclusionProblem& problem, BodyExchange& exchange, double beta, Extrapolated& contacts, Extrapolated& rows, Extrapolated& velocities) const {
    double *x = problem.x.data(), step = 0;
    const double omega = options_.relaxation;
    // The same on all copies of a body.
    velocities(beta, x, 0, problem.x.size());
    sweep_in_order(
        problem, exchange,
        [&](auto& s, std::size_t k) {
          double Y[3];
          contacts.extrapolate<3>(beta, s.P, 3 * k, Y);
          step += contact_relax(s, Y, omega, x) / s.inv_G_N;
        },
        [&](const RowBlock& block) {
          double* P = problem.rows.P.data() + block.first_row;
          rows(beta, P, block.first_row, block.rows);
          step += relax_block(problem.rows, block, omega, x);
        });
    return step;
  }

  SolverOptions options_;
  LocalSolver local_;
};

Schema schema() {
  Schema s = sweep_schema();
  add_local_solver(s);
  return s;
}

const RegisterSolver registered{"solvers", "accelerated_gauss_seidel", "Gauss-Seidel sweeps with momentum and restarts", schema(),
                                [](const Parameters& p) { return std::make_unique<AcceleratedGaussSeidel>(solver_options(p), local_solver(p)); }};

}  // namespace
}  // namespace percussion

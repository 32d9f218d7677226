// Gauss-Seidel sweeps with momentum and restarts (solvers/momentum.hpp). In the body view the extrapolation of P is part of
// the sweep. Cost: a sweep, 24 bytes per contact and 64 per body more to read and write, one reduction.
#include "solvers/accelerated_gauss_seidel.hpp"

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

/// The iteration in the body view: what is extrapolated, and a sweep.
class BodySweeps {
 public:
  BodySweeps(InclusionProblem& problem, double omega) : problem_(problem), omega_(omega), momentum_(problem.comm) {}

  /// Collective.
  SweepStep operator()(BodyExchange& exchange) {
    if (!started_) start(), started_ = true;
    return {momentum_.swept(sweep(exchange, momentum_.beta())), true};
  }

 private:
  void start() {
    std::vector<double> P;
    P.reserve(3 * (problem_.spheres.size() + problem_.bodies.size()));
    for_each_contact(problem_, [&](const auto& s) { P.insert(P.end(), s.P, s.P + 3); });
    contacts_.start(P.data(), P.size());
    rows_.start(problem_.rows.P.data(), problem_.rows.P.size());
    velocities_.start(problem_.x.data(), problem_.x.size());
  }

  /// Returns |P - Y|^2 of this rank.
  double sweep(BodyExchange& exchange, double beta) {
    double *x = problem_.x.data(), step = 0;
    // The same on all copies of a body.
    velocities_(beta, x, 0, problem_.x.size());
    sweep_in_order(
        problem_, exchange,
        [&](auto& s, std::size_t k) {
          double Y[3];
          contacts_.extrapolate<3>(beta, s.P, 3 * k, Y);
          step += contact_relax(s, Y, omega_, x) / s.inv_G_N;
        },
        [&](const RowBlock& block) {
          double* P = problem_.rows.P.data() + block.first_row;
          rows_(beta, P, block.first_row, block.rows);
          step += relax_block(problem_.rows, block, omega_, x);
        });
    return step;
  }

  InclusionProblem& problem_;
  double omega_;
  Momentum momentum_;
  Extrapolated contacts_, rows_, velocities_;
  bool started_ = false;
};

class AcceleratedGaussSeidel final : public ContactSolver {
 public:
  AcceleratedGaussSeidel(const SolverOptions& options, LocalSolver local) : options_(options), local_(local) {}

  SolveReport solve(InclusionProblem& problem) override { return accelerated_gauss_seidel(problem, options_); }

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

SolveReport accelerated_gauss_seidel(InclusionProblem& problem, const SolverOptions& options) {
  BodySweeps sweeps(problem, options.relaxation);
  return sweep_until_solved(problem, options, [&](BodyExchange& exchange) { return sweeps(exchange); });
}

}  // namespace percussion

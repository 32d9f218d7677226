#include "solvers/stage_sweep.hpp"

#include <cmath>

#include "base/timer.hpp"
#include "solvers/body_exchange.hpp"
#include "solvers/momentum.hpp"
#include "solvers/residual.hpp"
#include "solvers/stage_kernel.hpp"
#include "solvers/sweep_loop.hpp"

namespace percussion {

namespace {

template <int m, bool unit>
class StageSweeps {
 public:
  StageSweeps(StageSphereProblem& problem, const SolverOptions& options)
      : problem_(problem), options_(options), coupling_(problem), exchange_(problem.bodies), x_(problem.bodies.x.data()) {}

  SolveReport solve(bool with_momentum) {
    SolveReport report;
    const double start = residual();
    SolverOptions tighter = options_;
    // Room for what the next evaluation of the gaps adds, so that it need not be followed by further sweeps.
    if (start > options_.tolerance) tighter.tolerance *= 0.95;
    const auto check = [&] { return residual(); };
    if (with_momentum) {
      Momentum momentum(problem_.bodies.comm);
      sweep_until_solved(report, tighter, check, [&] { accelerated_sweep(momentum); }, never);
    } else {
      sweep_until_solved(report, tighter, check, [&] { sweep([this](std::size_t k, double* Y) { std::copy_n(mu(k), 3 * m, Y); }); }, never);
    }
    report.converged = report.residual <= options_.tolerance;
    return report;
  }

 private:
  double* mu(std::size_t k) { return problem_.mu.data() + k * m * 3; }
  const double* c(std::size_t k) const { return problem_.c.data() + k * m * 3; }

  /// start(k, Y): where contact k starts from. Returns sum |mu - Y|^2 G_N of this rank.
  template <class Start>
  double sweep(Start&& start) {
    double step = 0;
    const auto range = [&](std::size_t first, std::size_t last) {
      for (std::size_t k = first; k < last; ++k) {
        double Y[3 * m];
        start(k, Y);
        const StageContact& s = problem_.contacts[k];
        step += stage_relax<m, unit>(s, coupling_, options_.relaxation, c(k), Y, mu(k), x_) / s.inv_G_N;
      }
    };
    exchange_.begin();
    range(0, problem_.interface);
    exchange_.reduce_start();
    range(problem_.interface, problem_.contacts.size());
    exchange_.finish();
    return step;
  }

  void accelerated_sweep(Momentum& momentum) {
    if (!started_) {
      last_mu_.start(problem_.mu.data(), problem_.mu.size());
      last_x_.start(x_, problem_.bodies.x.size());
      started_ = true;
    }
    const double beta = momentum.beta();
    last_x_(beta, x_, 0, problem_.bodies.x.size());  // the same on all copies of a body
    momentum.swept(sweep([&](std::size_t k, double* Y) { last_mu_.template extrapolate<3 * m>(beta, mu(k), 3 * m * k, Y); }));
  }

  double residual() {
    const PhaseScope phase(Phase::residual);
    double sum[3] = {0, 0, problem_.stopping};
    const auto& copies = problem_.bodies.copies;
    for (std::size_t k = 0; k < problem_.contacts.size(); ++k) {
      const StageContact& s = problem_.contacts[k];
      // The masses of the undivided bodies.
      const double w_a = 1. / copies[s.a], w_b = 1. / copies[s.b];
      const double *a = x_ + std::size_t(s.a) * line_size, *b = x_ + std::size_t(s.b) * line_size;
      const double G_N = w_a * a[6] + w_b * b[6];
      const double G_T = G_N + w_a * s.r_a * s.r_a * a[7] + w_b * s.r_b * s.r_b * b[7];
      stage_norms<m, unit>(s, coupling_, G_N, G_T, c(k), mu(k), x_, sum);
    }
    MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_DOUBLE, MPI_SUM, problem_.bodies.comm);
    const double scale = std::max(std::sqrt(sum[1]), velocity_floor * std::sqrt(sum[2]));
    if (!std::isfinite(scale)) return std::numeric_limits<double>::infinity();  // percussions that ran away solve nothing
    return scale > 0 ? std::sqrt(sum[0]) / scale : 0.;
  }

  StageSphereProblem& problem_;
  const SolverOptions& options_;
  const StageCoupling<m, unit> coupling_;
  BodyExchange exchange_;
  double* x_;
  Extrapolated last_mu_, last_x_;
  bool started_ = false;
};

template <int m>
SolveReport solve(StageSphereProblem& problem, const SolverOptions& options, bool with_momentum) {
  if (problem.D.isIdentity(1e-12)) return StageSweeps<m, true>(problem, options).solve(with_momentum);
  return StageSweeps<m, false>(problem, options).solve(with_momentum);
}

}  // namespace

SolveReport stage_gauss_seidel(StageSphereProblem& problem, const SolverOptions& options, bool with_momentum) {
  const PhaseScope phase(Phase::solve);
  switch (problem.m) {
    case 1: return solve<1>(problem, options, with_momentum);
    case 2: return solve<2>(problem, options, with_momentum);
    case 3: return solve<3>(problem, options, with_momentum);
  }
  throw RunError("the body view has at most 3 row stages");
}

}  // namespace percussion

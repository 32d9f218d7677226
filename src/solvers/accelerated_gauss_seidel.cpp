// Gauss-Seidel sweeps with Nesterov's momentum and restarts.
//
//   Y := P_k + beta_k (P_k - P_{k-1}),   P_{k+1} := sweep(Y),   beta_k = (theta_k - 1) / theta_{k+1},
//   theta_{k+1} = (1 + sqrt(1 + 4 theta_k^2)) / 2
//
// (Nesterov 1983; on the cone problem of contacts with the projected gradient as the step: Mazhar, Heyn, Negrut, Tasora,
// ACM Trans. Graph. 34, 2015; restarts: O'Donoghue, Candes, Found. Comput. Math. 15, 2015.) A sweep is not a gradient step,
// so momentum has no proof here. What takes its place: |P_{k+1} - Y| must not grow, else theta starts again from 1, which
// makes the next sweep a plain one; and beta stays below a limit, since a sweep in one direction is not symmetric. Momentum
// that is of no use is therefore taken away after a sweep or two and the iteration is Gauss-Seidel.
// Velocities are linear in P, so x is extrapolated like P and no product is needed. In the body view the extrapolation of
// P is part of the sweep. Cost: a sweep, 24 bytes per contact and 64 per body more to read and write, one reduction.
#include <cmath>
#include <limits>

#include "solvers/assembled_sweep.hpp"
#include "solvers/body_kernel.hpp"
#include "solvers/gauss_seidel.hpp"
#include "solvers/solver.hpp"
#include "solvers/stage_sweep.hpp"
#include "solvers/sweep_loop.hpp"

namespace percussion {
namespace {

/// beta of the next sweep.
class Momentum {
 public:
  explicit Momentum(MPI_Comm comm) : comm_(comm) {}
  double beta() const { return beta_; }
  /// Collective. After a sweep: this rank's part of |P_{k+1} - Y|^2.
  void swept(double local) {
    double step = local;
    MPI_Allreduce(MPI_IN_PLACE, &step, 1, MPI_DOUBLE, MPI_SUM, comm_);
    if (!(step <= growth * smallest_)) {
      theta_ = 1, beta_ = 0, smallest_ = step;
      return;
    }
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * theta_ * theta_));
    beta_ = std::min((theta_ - 1) / next, largest), theta_ = next, smallest_ = std::min(step, smallest_);
  }

 private:
  // Measured on packings (docs/solvers/first_order.md).
  static constexpr double largest = 0.95;  // beta
  static constexpr double growth = 1.05;   // of the squared step
  MPI_Comm comm_;
  double theta_ = 1, beta_ = 0, smallest_ = std::numeric_limits<double>::infinity();
};

/// One vector of the iteration: extrapolates values and remembers them.
class Extrapolated {
 public:
  void start(const double* values, std::size_t n) { last_.assign(values, values + n); }
  void operator()(double beta, double* values, std::size_t first, std::size_t n) {
    double* last = last_.data() + first;
    for (std::size_t i = 0; i < n; ++i) {
      const double now = values[i];
      values[i] += beta * (now - last[i]);
      last[i] = now;
    }
  }

 private:
  std::vector<double> last_;
};

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
      momentum.swept(sweep(problem, exchange, momentum.beta(), contacts, rows, velocities));
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
  SolveReport solve(StageSphereProblem& problem) override { return stage_gauss_seidel(problem, options_); }

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
          contacts(beta, s.P, 3 * k, 3);
          const double Y[3] = {s.P[0], s.P[1], s.P[2]};
          contact_relax(s, omega, x);
          double change = 0;
          for (int i = 0; i < 3; ++i) change += (s.P[i] - Y[i]) * (s.P[i] - Y[i]);
          step += change / s.inv_G_N;
        },
        [&](const RowBlock& block) {
          double* P = problem.rows.P.data() + block.first_row;
          rows(beta, P, block.first_row, block.rows);
          const SmallVec Y = Eigen::Map<const VecX>(P, block.rows);
          relax_block(problem.rows, block, omega, x);
          step += energy(block, P, Y);
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

// Iterative projection method (Breuling Algorithm 2), the fixed-point iteration of (6.14b) for all contacts at once:
//
//   P_N := -prox_{R_0^-}(rho_N psi_N - P_N),   P_F := -prox_{C(P_N)}(rho_F psi_F - P_F)  with P_N of the last iterate
//   rho_N = alpha / G_NN,ii  (6.18),   rho_F = alpha / min_i G_FF,ii  (6.19);   bilateral rows: P := P - alpha G_kk^-1 psi.
//
// x is linear in P here, so (6.14c) is a product and needs no Newton method. Differs from projected_jacobi in the steps:
// those there follow from how many blocks share a body and never diverge without friction; here alpha is a number the user
// gives. Where no progress is made over a few checks, or the residual grows tenfold, alpha is halved, as the text
// recommends. Groups are not used: every row block is its own.
#include <algorithm>
#include <limits>

#include "solvers/body_kernel.hpp"
#include "solvers/row_kernel.hpp"
#include "solvers/row_velocities.hpp"
#include "solvers/solver.hpp"
#include "solvers/sweep_loop.hpp"

namespace percussion {
namespace {

/// alpha, halved when the checks say so.
class Alpha {
 public:
  explicit Alpha(double start) : value_(start) {}
  double value() const { return value_; }
  /// At a check; the same on all ranks.
  bool operator()(const SolveReport& report) {
    if (report.residual < 0.99 * best_) {
      best_ = report.residual, waiting_ = 0;
    } else if (++waiting_ >= patience || report.residual > 10 * best_) {
      value_ = std::max(0.5 * value_, smallest), waiting_ = 0, best_ = report.residual;
    }
    return false;
  }

 private:
  static constexpr int patience = 5;
  static constexpr double smallest = 1e-4;
  double value_, best_ = std::numeric_limits<double>::infinity();
  int waiting_ = 0;
};

void project_block(const RowBlock& block, const RowLaw* laws, double alpha, const SmallVec& psi, double* P) {
  if (block.bilateral) {
    Eigen::Map<VecX>(P, block.rows) -= alpha * block.G_inv.lazyProduct(psi);
    return;
  }
  const double P_N = block.has_normal ? P[0] : block.P_N;
  if (block.has_normal) P[0] = prox_step_N(alpha / block.G(0, 0), psi[0], P[0]);
  for (int l = 0; l < block.laws; ++l) {
    const int first = laws[l].first, dim = laws[l].set.dim();
    const double G_FF = block.G.diagonal().segment(first, dim).minCoeff();
    if (G_FF > 0) prox_step_F(laws[l].set, alpha / G_FF, psi.data() + first, P_N, P + first);
  }
}

class IterativeProjection final : public ContactSolver {
 public:
  IterativeProjection(const SolverOptions& options, double alpha) : options_(options), alpha_(alpha) {}

  SolveReport solve(InclusionProblem& problem) override {
    std::vector<double> dx(problem.x.size());
    Alpha alpha(alpha_);
    return sweep_until_solved(
        problem, options_,
        [&](BodyExchange& exchange) {
          exchange.begin();
          std::fill(dx.begin(), dx.end(), 0.);
          contacts(problem, alpha.value(), dx);
          rows(problem, alpha.value(), dx);
          for (std::size_t i = 0; i < dx.size(); ++i) problem.x.data()[i] += dx[i];
          exchange.reduce_start();
          exchange.finish();
        },
        alpha);
  }

  SolveReport solve(AssembledProblem& problem) override {
    const PhaseScope phase(Phase::solve);
    SolveReport report;
    RowVelocities velocities(problem);
    Alpha alpha(alpha_);
    GeneralRows& r = problem.rows;
    const auto sweep = [&] {
      velocities.refresh();
      for (const RowBlock& block : r.blocks)
        project_block(block, r.laws.data() + block.first_law, alpha.value(), velocities.of(block), r.P.data() + block.first_row);
      velocities.changed();
    };
    sweep_until_solved(report, options_, [&] { return velocities.residual(); }, sweep, alpha);
    return report;
  }

 private:
  static void contacts(InclusionProblem& problem, double alpha, std::vector<double>& dx) {
    const double* x = problem.x.data();
    for_each_contact(problem, [&](auto& s) {
      // The masses of the undivided bodies.
      const auto [G_N, G_T] = local_delassus(s, x, 1. / problem.copies[s.a], 1. / problem.copies[s.b]);
      const SphereVelocity psi = contact_psi(s, x);
      const double old_N = s.n[0] * s.P[0] + s.n[1] * s.P[1] + s.n[2] * s.P[2];
      const double P_N = prox_step_N(alpha / G_N, psi.psi_N, old_N);
      double T[3], dP[3];
      for (int i = 0; i < 3; ++i) T[i] = s.P[i] - old_N * s.n[i] - alpha / G_T * psi.psi_T[i];
      project_ball(s.mu * old_N, T);
      for (int i = 0; i < 3; ++i) dP[i] = P_N * s.n[i] + T[i] - s.P[i], s.P[i] += dP[i];
      contact_apply(s, dP, x, dx.data());
    });
  }

  static void rows(InclusionProblem& problem, double alpha, std::vector<double>& dx) {
    GeneralRows& r = problem.rows;
    for (const RowBlock& block : r.blocks) {
      double* P = r.P.data() + block.first_row;
      const SmallVec before = Eigen::Map<const VecX>(P, block.rows);
      project_block(block, r.laws.data() + block.first_law, alpha, row_psi(r, block, problem.x.data()), P);
      const SmallVec dP = Eigen::Map<const VecX>(P, block.rows) - before;
      row_apply(r, block, dP.data(), dx.data());
    }
  }

  SolverOptions options_;
  double alpha_;
};

Schema schema() {
  Schema s = solver_schema();
  s.real("alpha").fallback(0.5).above(0).below(2).doc("factor on the prox parameters (Breuling 6.18, 6.19); halved when the iteration makes no progress");
  return s;
}

const RegisterSolver registered{"solvers", "iterative_projection", "fixed-point iteration on all contacts at once (Breuling Algorithm 2); for reference",
                                schema(), [](const Parameters& p) { return std::make_unique<IterativeProjection>(solver_options(p), p.real("alpha")); }};

}  // namespace
}  // namespace percussion

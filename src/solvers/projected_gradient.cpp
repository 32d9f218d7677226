// Projected gradient with Nesterov's momentum, restarts and an adaptive step (APGD):
//
//   P_{k+1} := prox(Y - t D^-1 psi(Y)),   Y := P_k + beta_k (P_k - P_{k-1})
//
// D: diagonal entries of G per normal row and per friction law, so that results do not depend on units. prox: P_N first, then
// friction on the discs of the new P_N (solvers/row_kernel.hpp has the same order). T. Heyn, M. Anitescu, A. Tasora, D. Negrut,
// IJNME 95, 2013 (steps of Barzilai-Borwein); H. Mazhar, T. Heyn, D. Negrut, A. Tasora, ACM Trans. Graph. 34, 2015 (momentum).
// The step must satisfy d' G d <= d' D d / t for d = P_{k+1} - Y, the condition under which a step decreases the energy; both
// are known once psi(P_{k+1}) is, and t is cut and the step repeated if not. Momentum restarts when the progress
// P_{k+1} - P_k goes up the gradient psi(Y).
// An unsymmetric G (stages of Runge-Kutta steps) has no energy, and the iteration may diverge; it then says so.
// Works from products with G only: nothing is factorised, no order of contacts, the same iterates on any number of ranks up
// to rounding. Body view: matrix-free on the slots. Cost per iteration: one product, one prox, one reduction of two numbers;
// repeated steps cost another product.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/timer.hpp"
#include "solvers/body_exchange.hpp"
#include "solvers/residual.hpp"
#include "solvers/row_kernel.hpp"
#include "solvers/row_velocities.hpp"
#include "solvers/solver.hpp"
#include "solvers/sphere_kernel.hpp"
#include "solvers/sweep_loop.hpp"

namespace percussion {
namespace {

using Values = std::vector<double>;

constexpr int patience = 5000;  // iterations without a residual that is notably smaller before the method gives up

/// P := prox(P - t D^-1 psi) of one block; returns d' D d of the change.
double prox_block(const RowBlock& block, const RowLaw* laws, double t, const double* psi, double* P) {
  double sum = 0;
  if (block.bilateral) {
    for (int r = 0; r < block.rows; ++r) {
      const double g = block.G(r, r), d = g > 0 ? -t * psi[r] / g : 0.;
      P[r] += d, sum += g * d * d;
    }
    return sum;
  }
  if (block.has_normal) {
    const double before = P[0];
    P[0] = prox_step_N(t / block.G(0, 0), psi[0], P[0]);
    sum += block.G(0, 0) * (P[0] - before) * (P[0] - before);
  }
  const double P_N = block.has_normal ? P[0] : block.P_N;
  for (int l = 0; l < block.laws; ++l) {
    if (!(laws[l].rho > 0)) continue;
    double before[max_friction_dim], *P_F = P + laws[l].first;
    std::copy_n(P_F, laws[l].set.dim(), before);
    prox_step_F(laws[l].set, t * laws[l].rho, psi + laws[l].first, P_N, P_F);
    for (int i = 0; i < laws[l].set.dim(); ++i) sum += (P_F[i] - before[i]) * (P_F[i] - before[i]) / laws[l].rho;
  }
  return sum;
}

/// The problem as the method sees it: percussions in one vector.
class AssembledGradient {
 public:
  explicit AssembledGradient(AssembledProblem& problem) : velocities_(problem) {}
  MPI_Comm comm() { return velocities_.problem().comm; }
  Values start() { return velocities_.problem().rows.P; }
  /// Collective. psi(P); P becomes that of the problem.
  void gradient(const Values& P, Values& psi) {
    GeneralRows& rows = velocities_.problem().rows;
    rows.P = P;
    velocities_.G().multiply(P, rows.c, psi);
  }
  double prox(double t, const Values& psi, Values& P) {
    const GeneralRows& rows = velocities_.problem().rows;
    double sum = 0;
    for (const RowBlock& block : rows.blocks)
      sum += prox_block(block, rows.laws.data() + block.first_law, t, psi.data() + block.first_row, P.data() + block.first_row);
    return sum;
  }
  /// Collective. Of the P last given to gradient(), with its psi.
  double residual(const Values& psi) { return velocities_.changed(), velocities_.residual(psi, velocities_.problem().rows.P); }

 private:
  RowVelocities velocities_;
};

/// Sphere contacts with three entries in I each, then the general rows.
class BodyGradient {
 public:
  explicit BodyGradient(InclusionProblem& problem)
      : problem_(problem), x_free_(problem.x.data(), problem.x.data() + problem.x.size()), residual_(problem), exchange_(problem) {}
  MPI_Comm comm() { return problem_.comm; }
  Values start() {
    Values P;
    for (const SphereContact& s : problem_.spheres) P.insert(P.end(), s.P, s.P + 3);
    P.insert(P.end(), problem_.rows.P.begin(), problem_.rows.P.end());
    return P;
  }
  void gradient(const Values& P, Values& psi) {
    const double* from = P.data();
    for (SphereContact& s : problem_.spheres) std::copy_n(from, 3, s.P), from += 3;
    std::copy_n(from, problem_.rows.P.size(), problem_.rows.P.data());
    std::ranges::copy(x_free_, problem_.x.data());
    apply_start(problem_, exchange_);
    psi.resize(P.size());
    double* to = psi.data();
    for (const SphereContact& s : problem_.spheres) {
      const SphereVelocity v = sphere_psi(s, problem_.x.data());
      for (int i = 0; i < 3; ++i) *to++ = v.psi_N * s.n[i] + v.psi_T[i];
    }
    for (const RowBlock& block : problem_.rows.blocks) Eigen::Map<VecX>(to + block.first_row, block.rows) = row_psi(problem_.rows, block, problem_.x.data());
  }
  double prox(double t, const Values& psi, Values& P) {
    double sum = 0;
    const double *x = problem_.x.data(), *v = psi.data();
    double* to = P.data();
    for (const SphereContact& contact : problem_.spheres) {
      SphereContact s = contact;
      std::copy_n(to, 3, s.P);
      // The masses of the undivided bodies.
      const double *a = x + std::size_t(s.a) * line_size, *b = x + std::size_t(s.b) * line_size;
      const double w_a = 1. / problem_.copies[s.a], w_b = 1. / problem_.copies[s.b];
      const double G_N = w_a * a[6] + w_b * b[6], G_T = G_N + w_a * s.r_a * s.r_a * a[7] + w_b * s.r_b * s.r_b * b[7];
      const double psi_N = v[0] * s.n[0] + v[1] * s.n[1] + v[2] * s.n[2];
      sphere_prox(s, {psi_N, {v[0] - psi_N * s.n[0], v[1] - psi_N * s.n[1], v[2] - psi_N * s.n[2]}}, t / G_N, t / G_T, to);
      double N = 0, all = 0;
      for (int i = 0; i < 3; ++i) N += (to[i] - s.P[i]) * s.n[i], all += (to[i] - s.P[i]) * (to[i] - s.P[i]);
      sum += G_N * N * N + G_T * (all - N * N);
      v += 3, to += 3;
    }
    const GeneralRows& rows = problem_.rows;
    for (const RowBlock& block : rows.blocks) sum += prox_block(block, rows.laws.data() + block.first_law, t, v + block.first_row, to + block.first_row);
    return sum;
  }
  double residual(const Values&) { return residual_(problem_); }

 private:
  InclusionProblem& problem_;
  Values x_free_;
  Residual residual_;
  BodyExchange exchange_;
};

template <class Problem>
class ProjectedGradient {
 public:
  explicit ProjectedGradient(Problem& problem) : problem_(problem), P_(problem.start()), Y_(P_) {
    problem_.gradient(P_, psi_P_);
    psi_Y_ = psi_P_;
  }
  /// Collective. Of P; infinite once the iteration has diverged.
  double residual() {
    const double value = diverged_ ? std::numeric_limits<double>::infinity() : problem_.residual(psi_P_);
    if (value < smallest_residual_) smallest_residual_ = value, best_ = P_;
    return value;
  }
  bool diverged() const { return diverged_; }
  double smallest_residual() const { return smallest_residual_; }
  /// Collective. Leaves the problem at the best P of all residuals.
  void take_back() { problem_.gradient(best_, psi_P_); }

  /// Collective. One step; the problem is left at P.
  void step() {
    for (;;) {
      next_ = Y_;
      double sum[3] = {problem_.prox(t_, psi_Y_, next_), 0, 0};  // d' D d, d' G d, psi' (P_{k+1} - P_k)
      problem_.gradient(next_, psi_next_);
      for (std::size_t i = 0; i < next_.size(); ++i) {
        const double d = next_[i] - Y_[i];
        sum[1] += d * (psi_next_[i] - psi_Y_[i]);
        sum[2] += psi_Y_[i] * (next_[i] - P_[i]);
      }
      MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_DOUBLE, MPI_SUM, problem_.comm());
      if (t_ * sum[1] > 1.001 * sum[0] && t_ > smallest) {
        t_ = std::max(0.9 * sum[0] / sum[1], 0.3 * t_);
        continue;
      }
      if (first_ == 0) first_ = sum[0];
      diverged_ = !(sum[0] <= hopeless * first_);
      advance(sum[2] > 0);
      t_ *= 1.02;
      return;
    }
  }

 private:
  void advance(bool against) {
    const double theta = 0.5 * (1 + std::sqrt(1 + 4 * theta_ * theta_)), beta = against ? 0. : (theta_ - 1) / theta;
    theta_ = against ? 1. : theta;
    for (std::size_t i = 0; i < next_.size(); ++i) {
      // psi is linear, too: no product for Y.
      Y_[i] = next_[i] + beta * (next_[i] - P_[i]);
      psi_Y_[i] = psi_next_[i] + beta * (psi_next_[i] - psi_P_[i]);
    }
    std::swap(P_, next_), std::swap(psi_P_, psi_next_);
  }

  static constexpr double smallest = 1e-6;
  static constexpr double hopeless = 1e20;  // of the squared first step: far beyond any solution, far below overflow
  Problem& problem_;
  Values P_, Y_, next_, psi_P_, psi_Y_, psi_next_;
  double theta_ = 1, t_ = 1, first_ = 0, smallest_residual_ = std::numeric_limits<double>::infinity();
  bool diverged_ = false;
  Values best_;
};

template <class Problem>
SolveReport projected_gradient(Problem&& problem, const SolverOptions& options) {
  SolveReport report;
  ProjectedGradient method(problem);
  double smallest = std::numeric_limits<double>::infinity();
  int progress = 0;
  sweep_until_solved(
      report, options, [&] { return method.residual(); }, [&] { method.step(); },
      [&](const SolveReport& r) {
        if (r.residual < 0.9 * smallest) smallest = r.residual, progress = r.iterations;
        return method.diverged() || r.iterations - progress > patience;
      });
  if (report.converged) return report;
  method.take_back();
  report.residual = method.smallest_residual();
  report.stalled = report.iterations < options.max_iterations;
  return report;
}

class ProjectedGradientSolver final : public ContactSolver {
 public:
  explicit ProjectedGradientSolver(const SolverOptions& options) : options_(options) {}
  SolveReport solve(InclusionProblem& problem) override {
    const PhaseScope phase(Phase::solve);
    return projected_gradient<BodyGradient>(BodyGradient(problem), options_);
  }
  SolveReport solve(AssembledProblem& problem) override {
    const PhaseScope phase(Phase::solve);
    return projected_gradient<AssembledGradient>(AssembledGradient(problem), options_);
  }

 private:
  SolverOptions options_;
};

const RegisterSolver registered{"solvers", "projected_gradient", "projected gradient with Nesterov's momentum and an adaptive step (APGD)", solver_schema(),
                                [](const Parameters& p) { return std::make_unique<ProjectedGradientSolver>(solver_options(p)); }};

}  // namespace
}  // namespace percussion

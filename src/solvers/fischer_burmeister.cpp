#include "solvers/fischer_burmeister.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "base/timer.hpp"
#include "solvers/assemble_body_view.hpp"
#include "solvers/newton_matrix.hpp"
#include "solvers/semismooth_newton.hpp"

namespace percussion {

namespace {

constexpr int most_halvings = 10, memory = 5, patience = 20;
constexpr double decrease = 1e-4;

class FischerBurmeisterNewton {
 public:
  FischerBurmeisterNewton(AssembledProblem& problem, const FischerBurmeisterOptions& options)
      : problem_(problem), rows_(problem.rows), options_(options), velocities_(problem), s_(row_scales(rows_)),
        matrix_(problem, velocities_.G(), s_, newton_dense_rows), F_(s_.size()), dP_(s_.size()) {}

  SolveReport solve() {
    SolveReport report;
    double smallest = INFINITY;
    for (int waiting = 0;; ++report.iterations, ++report.newton_steps) {
      report.residual = velocities_.residual();
      if (options_.common.history) report.history.push_back(report.residual);
      report.converged = report.residual <= options_.common.tolerance;
      if (report.residual < smallest) smallest = report.residual, best_ = rows_.P, waiting = 0;
      report.stalled = !report.converged && ++waiting > patience;
      if (report.converged || report.stalled || report.iterations >= options_.common.max_iterations) break;
      if (!step(std::min(options_.regularisation, report.residual))) {
        report.singular = true;
        break;
      }
    }
    if (!report.converged) rows_.P = best_, report.residual = smallest, velocities_.changed();
    return report;
  }

 private:
  BlockMap map(const RowBlock& block, const std::vector<double>& psi, const std::vector<double>& P) const {
    const std::int32_t first = block.first_row;
    const SmallVec psi_block = Eigen::Map<const VecX>(psi.data() + first, block.rows);
    return fischer_burmeister_map(block, rows_.laws.data() + block.first_law, s_.data() + first, psi_block, P.data() + first);
  }
  double over_ranks(double sum) const {
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, problem_.comm);
    return sum;
  }
  double merit(const std::vector<double>& psi, const std::vector<double>& P) const {
    double sum = 0;
    for (const RowBlock& block : rows_.blocks) sum += map(block, psi, P).F.squaredNorm();
    return over_ranks(sum);
  }

  /// Collective. One damped step; false if the matrix is singular.
  bool step(double eps) {
    const std::vector<double> psi = velocities_.psi(), P = rows_.P;
    double sum = 0;
    for (std::size_t b = 0; b < rows_.blocks.size(); ++b) {
      const BlockMap m = map(rows_.blocks[b], psi, P);
      std::copy_n(m.F.data(), m.F.size(), F_.begin() + rows_.blocks[b].first_row);
      sum += m.F.squaredNorm();
      matrix_.set_block(b, m, eps);
    }
    merits_.push_back(over_ranks(sum));
    if (merits_.size() > memory) merits_.pop_front();
    if (!matrix_.solve(F_, dP_)) return false;
    for (std::size_t r = 0; r < dP_.size(); ++r) rows_.P[r] = P[r] + dP_[r] / s_[r];
    velocities_.update();
    const std::vector<double> full = velocities_.psi();
    std::vector<double> along = full;
    const double bound = *std::ranges::max_element(merits_);
    double t = 1;
    for (int k = 0; k < most_halvings && !(merit(along, rows_.P) <= (1 - decrease * t) * bound); ++k) {
      t *= 0.5;
      for (std::size_t r = 0; r < dP_.size(); ++r) rows_.P[r] = P[r] + t * dP_[r] / s_[r], along[r] = psi[r] + t * (full[r] - psi[r]);
    }
    velocities_.changed();
    return true;
  }

  AssembledProblem& problem_;
  GeneralRows& rows_;
  const FischerBurmeisterOptions& options_;
  RowVelocities velocities_;
  std::vector<double> s_;
  NewtonMatrix matrix_;
  std::vector<double> F_, dP_, best_;
  std::deque<double> merits_;
};

class FischerBurmeister final : public ContactSolver {
 public:
  explicit FischerBurmeister(const FischerBurmeisterOptions& options) : options_(options) {}

  SolveReport solve(InclusionProblem& problem) override {
    return solve_assembled_view(problem, options_.common.tolerance, [&](AssembledProblem& assembled) { return solve(assembled); });
  }
  SolveReport solve(AssembledProblem& problem) override { return fischer_burmeister(problem, options_); }

 private:
  FischerBurmeisterOptions options_;
};

Schema schema() {
  Schema s = solver_schema();
  s.real("regularisation").fallback(1e-2).at_least(0).doc(
      "largest proximal term relative to the diagonal of G, for redundant contacts; it falls with the residual. 0: none");
  return s;
}

const RegisterSolver registered{"solvers", "fischer_burmeister",
                                "semismooth Newton on the Fischer-Burmeister function of the friction cone, with line search and regularisation", schema(),
                                [](const Parameters& p) {
                                  return std::make_unique<FischerBurmeister>(FischerBurmeisterOptions{solver_options(p), p.real("regularisation")});
                                }};

}  // namespace

SolveReport fischer_burmeister(AssembledProblem& problem, const FischerBurmeisterOptions& options) {
  const PhaseScope phase(Phase::solve);
  return FischerBurmeisterNewton(problem, options).solve();
}

}  // namespace percussion

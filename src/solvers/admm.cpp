#include "solvers/admm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "base/timer.hpp"
#include "solvers/active_set_rows.hpp"
#include "solvers/anderson_mixing.hpp"
#include "solvers/assemble_body_view.hpp"
#include "solvers/residual.hpp"
#include "solvers/shifted_factor.hpp"

namespace percussion {
namespace {

constexpr double bilateral_shift = 1e-7;  // regularises redundant constraints; what it leaves behind falls by this factor per iteration
constexpr int longest_wait = 10;          // iterations between two residuals
constexpr int patience = 1000;            // iterations without a new smallest residual before the method gives up

/// rho and when it changes.
class Penalty {
 public:
  explicit Penalty(double start) : start_(start), value_(start) {}
  double value() const { return value_; }

  /// At a check, with the relative primal and dual residuals. True if rho has changed.
  bool update(int iteration, double residual, double primal, double dual) {
    if (begin_residual_ == 0) begin(iteration, residual);
    if (iteration - begin_ < window_) return false;
    const double rate = std::log10(begin_residual_ / residual) / (iteration - begin_);
    begin(iteration, residual);
    if (rate >= good_rate) return false;
    window_ += window_ / 3;
    if (primal > unbalanced * dual) {
      direction_ = 1, value_ *= factor;
    } else if (dual > unbalanced * primal) {
      direction_ = -1, value_ /= factor;
    } else if (rate >= last_rate_) {
      value_ *= std::pow(factor, direction_);
    } else {  // it was better before: past that on the other side
      direction_ = -direction_, value_ *= std::pow(factor, 2 * direction_);
    }
    last_rate_ = rate;
    if (value_ < smallest || value_ > largest) direction_ = -direction_, value_ = start_ * std::pow(factor, direction_);
    return true;
  }

 private:
  void begin(int iteration, double residual) { begin_ = iteration, begin_residual_ = residual; }
  static constexpr double good_rate = 0.01;  // decades per iteration
  static constexpr double factor = 10, unbalanced = 10, smallest = 1e-6, largest = 10;
  double start_, value_, last_rate_ = -std::numeric_limits<double>::infinity(), begin_residual_ = 0;
  int window_ = 30, begin_ = 0, direction_ = -1;
};

class Admm {
 public:
  Admm(RowVelocities& velocities, const AdmmOptions& options)
      : velocities_(velocities), rows_(velocities.problem().rows), comm_(velocities.problem().comm), options_(options), s_(row_scales(rows_)),
        penalty_(options.penalty), factor_(make_shifted_factor(velocities.problem(), velocities.G(), s_)) {
    const std::size_t n = s_.size();
    w_.resize(n), z_.resize(n), r_.resize(n), rhs_.resize(n), g_.resize(n), shift_.resize(n), split_.assign(n, 1);
    for (const RowBlock& block : rows_.blocks)
      if (block.bilateral) std::fill_n(split_.begin() + block.first_row, block.rows, 0);
    if (options.memory > 0) mixing_ = std::make_unique<AndersonMixing>(comm_, n, options.memory);
  }

  void run(SolveReport& report) {
    best_ = rows_.P, smallest_ = velocities_.residual();
    record(report, smallest_);
    if (smallest_ <= options_.tolerance || !start()) return finish(report);
    int next_check = report.iterations + 1, last_progress = report.iterations;
    double ratio = 0;  // residual over |w - g(w)| at the last check
    while (report.iterations < options_.max_iterations) {
      iterate();
      ++report.iterations;
      const bool likely = ratio * step() <= 1.5 * options_.tolerance;
      if (!likely && report.iterations < next_check && report.iterations < options_.max_iterations) continue;
      next_check = report.iterations + std::min(longest_wait, 1 + report.iterations / 4);
      const double before = smallest_, residual = check();
      record(report, residual);
      if (residual <= options_.tolerance) break;
      ratio = residual / step();
      if (residual < 0.9 * before) last_progress = report.iterations;
      if (report.iterations - last_progress > patience) break;
      if (!balance(report.iterations, residual)) break;
    }
    finish(report);
  }

 private:
  double step() const { return mixing_ ? mixing_->step() : step_; }

  void record(SolveReport& report, double residual) const {
    if (options_.history) report.history.push_back(residual);
  }

  void finish(SolveReport& report) {
    rows_.P = best_, velocities_.changed();
    report.residual = smallest_, report.converged = smallest_ <= options_.tolerance;
    report.stalled = !report.converged && report.iterations < options_.max_iterations;
  }

  bool factorise() {
    for (std::size_t r = 0; r < shift_.size(); ++r) shift_[r] = split_[r] ? penalty_.value() : bilateral_shift;
    return factor_->factorise(shift_);
  }

  /// w of a solution is z - psi / rho. From P: z and the multipliers that one prox step gives.
  bool start() {
    const std::vector<double>& psi = velocities_.psi();
    for (std::size_t r = 0; r < w_.size(); ++r) w_[r] = s_[r] * rows_.P[r] - (split_[r] ? psi[r] / s_[r] : 0.);
    project();
    rescale(1 / penalty_.value());
    return factorise();
  }

  /// w - z times `factor`: the multipliers stay when rho changes.
  void rescale(double factor) {
    for (std::size_t r = 0; r < w_.size(); ++r) w_[r] = z_[r] + factor * (w_[r] - z_[r]);
  }

  /// z := prox(w); all scaled.
  void project() {
    for (const RowBlock& block : rows_.blocks) {
      const std::int32_t first = block.first_row;
      std::copy_n(w_.begin() + first, block.rows, z_.begin() + first);
      if (block.bilateral) continue;
      if (block.has_normal) z_[first] = std::max(w_[first], 0.);
      const double P_N = block.has_normal ? z_[first] / s_[first] : block.P_N;
      for (int l = 0; l < block.laws; ++l) {
        const RowLaw& law = rows_.laws[block.first_law + l];
        // One scale per law; radii are scaled rather than vectors, so that points inside stay what they are.
        FrictionSet set = law.set;
        const double s_law = s_[first + law.first];
        for (int i = 0; i < 2; ++i) set.mu[i] *= s_law, set.r0[i] *= s_law;
        prox(set, P_N, z_.data() + first + law.first);
      }
    }
  }

  void iterate() {
    project();
    for (std::size_t r = 0; r < w_.size(); ++r) rhs_[r] = shift_[r] * (2 * z_[r] - w_[r]) - rows_.c[r] / s_[r];
    factor_->solve(rhs_, r_);
    for (std::size_t r = 0; r < w_.size(); ++r) g_[r] = w_[r] + (split_[r] ? options_.relaxation : 1.) * (r_[r] - z_[r]);
    if (mixing_) {
      mixing_->next(w_, g_);
      return;
    }
    double sum = 0;
    for (std::size_t r = 0; r < w_.size(); ++r) sum += std::pow(g_[r] - w_[r], 2);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm_);
    step_ = std::sqrt(sum), std::swap(w_, g_);
  }

  /// Collective. Residual of prox(w); keeps the best.
  double check() {
    project();
    for (std::size_t r = 0; r < w_.size(); ++r) rows_.P[r] = z_[r] / s_[r];
    const double residual = velocities_.residual();
    if (residual < smallest_) smallest_ = residual, best_ = rows_.P;
    return residual;
  }

  /// Collective, after check(). False if the new matrix is singular.
  bool balance(int iteration, double residual) {
    const std::vector<double>& psi = velocities_.psi();
    double sum[6] = {};  // r - z, r, z; psi + y, y, c
    for (std::size_t r = 0; r < w_.size(); ++r) {
      const double y = split_[r] ? penalty_.value() * (w_[r] - z_[r]) : 0., c = rows_.c[r] / s_[r];
      const double value[6] = {split_[r] ? r_[r] - z_[r] : 0., r_[r], z_[r], psi[r] / s_[r] + y, y, c};
      for (int k = 0; k < 6; ++k) sum[k] += value[k] * value[k];
    }
    MPI_Allreduce(MPI_IN_PLACE, sum, 6, MPI_DOUBLE, MPI_SUM, comm_);
    const auto relative = [](double part, double a, double b) { return std::sqrt(part / std::max({a, b, std::numeric_limits<double>::min()})); };
    const double old = penalty_.value();
    if (!penalty_.update(iteration, residual, relative(sum[0], sum[1], sum[2]), relative(sum[3], sum[4], sum[5]))) return true;
    rescale(old / penalty_.value());
    if (mixing_) mixing_->restart();
    return factorise();
  }

  RowVelocities& velocities_;
  GeneralRows& rows_;
  MPI_Comm comm_;
  const AdmmOptions& options_;
  std::vector<double> s_;
  Penalty penalty_;
  std::unique_ptr<ShiftedFactor> factor_;
  std::unique_ptr<AndersonMixing> mixing_;
  std::vector<double> w_, z_, r_, rhs_, g_, shift_, best_;
  std::vector<char> split_;  ///< rows with a set to project on: all but bilateral ones
  double smallest_ = 0, step_ = 0;
};

class AdmmSolver final : public ContactSolver {
 public:
  explicit AdmmSolver(const AdmmOptions& options) : options_(options) {}

  SolveReport solve(InclusionProblem& problem) override {
    const PhaseScope phase(Phase::solve);
    const std::vector<double> x_free(problem.x.data(), problem.x.data() + problem.x.size());
    Residual residual(problem);
    AssembledProblem assembled;
    assemble_body_view(problem, x_free, assembled);
    SolveReport report;
    // Blocks of shared bodies are measured with the masses of their copies in the body view: ask for more if need be.
    AdmmOptions asked = options_;
    for (int attempt = 0; attempt < 3; ++attempt, asked.tolerance *= 0.1) {
      RowVelocities velocities(assembled);
      admm(report, velocities, asked);
      const bool done = report.converged;
      write_back(assembled, x_free, problem);
      report.residual = residual(problem);
      report.converged = report.residual <= options_.tolerance;
      if (report.converged || !done) break;
    }
    return report;
  }

  SolveReport solve(AssembledProblem& problem) override {
    const PhaseScope phase(Phase::solve);
    SolveReport report;
    RowVelocities velocities(problem);
    admm(report, velocities, options_);
    return report;
  }

 private:
  AdmmOptions options_;
};

Schema schema() {
  Schema s = solver_schema();
  s.real("penalty").fallback(0.1).positive().doc("penalty at the start, relative to the diagonal of G; adapted when progress is slow");
  s.integer("memory").fallback(20).at_least(0).doc("iterates that Anderson mixing combines; 0: no mixing");
  s.real("over_relaxation").fallback(1.5).positive().below(2).doc("over-relaxation of the alternating directions");
  return s;
}

const RegisterSolver registered{
    "solvers", "admm", "alternating directions (ADMM) with one sparse factorisation, adaptive penalty and Anderson mixing", schema(),
    [](const Parameters& p) {
      const SolverOptions shared = solver_options(p);
      return std::make_unique<AdmmSolver>(AdmmOptions{shared.tolerance, shared.max_iterations, p.real("penalty"), static_cast<int>(p.integer("memory")),
                                                      p.real("over_relaxation"), shared.history});
    }};

}  // namespace

void admm(SolveReport& report, RowVelocities& velocities, const AdmmOptions& options) { Admm(velocities, options).run(report); }

}  // namespace percussion

#include "solvers/contact_hybrid.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "solvers/contact_newton.hpp"
#include "solvers/proximal_point.hpp"

namespace percussion {

namespace {

constexpr double start_eps = 1e-3, smallest_eps = 1e-9, largest_eps = 10;
constexpr double halves = 0.5, falls = 0.1, drifts = 0.5;  // factors on eps: after a step that halves the residual, after another
constexpr double leap = 2, grows = 4, new_minimum = 0.9;
constexpr int patience = 15;        // steps without a new minimum
constexpr int inner_patience = 6;   // the same inside the proximal-point loop
constexpr double lost = 0.05, lost_growth = 100;  // a residual this large, and this much larger than the smallest, does not come back
constexpr int most_rounds = 6, first_sweeps = 20, first_proximal = 500;
constexpr double worth = 2;  // Newton steps that sweeps are weighed against

class ContactHybrid {
 public:
  ContactHybrid(SolveReport& report, RowVelocities& velocities, const SolverOptions& options)
      : report_(report), velocities_(velocities), options_(options), blocks_(velocities.problem().rows, velocities.G()), u_(blocks_.r().size()), u_eps_(u_.size()),
        psi_(velocities.problem().rows.c.size()), P_(psi_.size()) {}

  void solve(bool newton_now) {
    control_ = residual();
    keep_best();
    if (!newton_now || !newton().possible()) sweep_while_worthwhile();
    for (int round = 0; !done() && newton().possible() && round < most_rounds; ++round) {
      radius_ = round % 2 == 0 ? SlipRadius::augmented : SlipRadius::percussion;
      if (round > 0) sweeps(first_sweeps << round);  // lead elsewhere
      newton_steps();
      if (!done()) proximal_steps(first_proximal << round);
    }
    report_.stalled = !report_.converged && report_.iterations < options_.max_iterations;
    if (!report_.converged) blocks_.r() = best_.r, report_.residual = best_.residual;
    blocks_.percussions(blocks_.r(), velocities_.problem().rows.P);
    velocities_.changed();
  }

  // What the proximal-point loop asks for.
  std::vector<double>& r() { return blocks_.r(); }
  double residual() {
    blocks_.multiply(r(), u_);
    judged_ = judge(u_);
    return in_all_units() ? judged_ : blocks_.residual(u_);
  }
  NewtonResult solve(double tolerance, int most_steps, double eps, const std::vector<double>& anchor) {
    NewtonResult result;
    double smallest = INFINITY;
    for (int waiting = 0;; ++result.steps) {
      blocks_.multiply(r(), u_eps_);
      for (std::size_t i = 0; i < u_eps_.size(); ++i) u_eps_[i] += eps * (r()[i] - anchor[i]);
      result.residual = in_all_units() ? judge(u_eps_) : blocks_.residual(u_eps_);
      result.converged = result.residual <= tolerance;
      if (result.converged || result.steps >= most_steps) return result;
      waiting = result.residual < smallest ? 0 : waiting + 1;
      smallest = std::min(smallest, result.residual);
      if (waiting > inner_patience || !(result.residual <= std::max(lost, lost_growth * smallest))) return result;
      if (!newton().step(eps, radius_, u_eps_, r())) return result.singular = true, result;
    }
  }
  /// A Newton iterate may lie outside the cones by as much as its residual. Time stepping wants it inside.
  bool settle(double tolerance, double& residual) {
    const auto solved = [&] { return judged_ <= tolerance && blocks_.bounded(); };
    if (!solved()) return false;
    outside_r_ = r();
    newton().project(u_, r());
    residual = this->residual();
    if (solved()) return true;
    r() = outside_r_, residual = this->residual();
    return velocities_.problem().measure == ResidualMeasure::cone;
  }

 private:
  struct Best {
    double residual = INFINITY;
    std::vector<double> r;
  };
  bool done() const { return report_.converged || report_.iterations >= options_.max_iterations; }

  bool in_all_units() const { return velocities_.problem().measure == ResidualMeasure::energy; }
  /// By the residual of the problem.
  double judge(const std::vector<double>& u) {
    blocks_.velocities(u, psi_), blocks_.percussions(blocks_.r(), P_);
    return velocities_.residual(psi_, P_);
  }
  /// Of the present r: what goes into the report, and what controls the method.
  void measure() {
    control_ = residual(), report_.residual = judged_;
    if (options_.history) report_.history.push_back(judged_);
  }
  void keep_best() {
    if (best_.r.empty() || (report_.residual < best_.residual && blocks_.bounded())) best_.residual = report_.residual, best_.r = blocks_.r();
  }
  void sweeps(int n) {
    n = std::min(n, options_.max_iterations - report_.iterations);
    for (int k = 0; k < n; ++k) blocks_.sweep(options_.relaxation);
    report_.iterations += n;
    measure();
    report_.converged = report_.residual <= options_.tolerance && blocks_.bounded();
    keep_best();
  }

  ContactNewton& newton() {
    if (!newton_) newton_ = std::make_unique<ContactNewton>(blocks_);
    return *newton_;
  }

  /// Twenty at least, half of all iterations at most, if a Newton method is possible.
  void sweep_while_worthwhile() {
    for (int done_sweeps = 0; !done();) {
      const double before = control_;
      const int n = done_sweeps == 0 ? 1 : done_sweeps == 1 ? 4 : done_sweeps < first_sweeps ? 5 : 10;
      sweeps(n);
      done_sweeps += n;
      if (done() || done_sweeps < first_sweeps || !newton().possible()) continue;
      if (report_.iterations >= options_.max_iterations / 2) return;
      const double e_folds = std::log(before / control_) / n;
      const double left = std::log(report_.residual / options_.tolerance) / e_folds;
      if (!(e_folds > 0) || done_sweeps - first_sweeps + left > worth * newton().cost()) return;
    }
  }

  /// Full steps, each from its own proximal point.
  void newton_steps() {
    double eps = start_eps, minimum = control_;
    for (int waiting = 0; !done() && waiting < patience;) {
      const double before = control_;
      ++report_.iterations, ++report_.newton_steps;
      if (!newton().step(eps, radius_, u_, r())) {
        eps = std::min(100 * eps, largest_eps), ++waiting;
        continue;
      }
      measure();
      report_.converged = settle(options_.tolerance, control_);
      report_.residual = judged_;
      if (report_.converged) return;
      if (!(control_ <= leap * before))
        eps = std::min(grows * eps, largest_eps);
      else
        eps = std::max((control_ < halves * before ? falls : drifts) * eps, smallest_eps);
      waiting = control_ < new_minimum * minimum ? 0 : waiting + 1;
      minimum = std::min(minimum, control_);
      keep_best();
    }
  }

  /// The proximal-point loop from the best point.
  void proximal_steps(int most) {
    r() = best_.r;
    proximal_point(report_, *this, options_.tolerance, std::min(most, options_.max_iterations - report_.iterations), false);
    measure();
    keep_best();
  }

  SolveReport& report_;
  RowVelocities& velocities_;
  const SolverOptions& options_;
  ContactBlocks blocks_;
  std::unique_ptr<ContactNewton> newton_;
  SlipRadius radius_ = SlipRadius::augmented;
  double judged_ = INFINITY, control_ = INFINITY;  ///< residuals of the present r
  std::vector<double> u_, u_eps_, psi_, P_, outside_r_;
  Best best_;
};

}  // namespace

void contact_hybrid(SolveReport& report, RowVelocities& velocities, const SolverOptions& options, bool newton_now) {
  report.residual = velocities.residual();
  if (options.history) report.history.push_back(report.residual);
  report.converged = report.residual <= options.tolerance;
  if (!report.converged && report.iterations < options.max_iterations) ContactHybrid(report, velocities, options).solve(newton_now);
}

}  // namespace percussion

#include "solvers/contact_hybrid.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "solvers/contact_newton.hpp"
#include "solvers/proximal_newton.hpp"

namespace percussion {

namespace {

struct Control {
  double eps;              ///< at the start of the round
  double falls, drifts;    ///< factors on eps after a step that halves the residual, and after one that does not
  double take_back;        ///< steps that multiply the residual by more are undone
  int patience;            ///< steps without a new minimum
};
constexpr Control quick{1e-3, 0.1, 0.5, INFINITY, 15}, careful{1e-2, 0.3, 0.5, 10, 30};
constexpr double smallest_eps = 1e-9, largest_eps = 10, leap = 2, grows = 4, new_minimum = 0.9;
constexpr int most_rounds = 12, first_sweeps = 20, most_general = 200;
constexpr double worth = 2;  // Newton steps that sweeps are weighed against

class ContactHybrid {
 public:
  ContactHybrid(SolveReport& report, RowVelocities& velocities, const SolverOptions& options)
      : report_(report), velocities_(velocities), options_(options), blocks_(velocities.problem().rows, velocities.G()), u_(blocks_.r().size()),
        psi_(velocities.problem().rows.c.size()), P_(psi_.size()) {}

  void solve(bool newton_now) {
    blocks_.multiply(blocks_.r(), u_);
    keep_best();
    if (!newton_now) sweep_while_worthwhile();
    for (int round = 0; !done() && round < most_rounds; ++round) {
      newton_round(round);
      if (round == 1 && !done()) proximal_round();
    }
    report_.stalled = !report_.converged && report_.iterations < options_.max_iterations;
    if (!report_.converged) blocks_.r() = best_.r, report_.residual = best_.residual;
    blocks_.percussions(blocks_.r(), velocities_.problem().rows.P);
    velocities_.changed();
  }

 private:
  struct Best {
    double residual = INFINITY;
    std::vector<double> r;
  };
  bool done() const { return report_.converged || report_.iterations >= options_.max_iterations; }

  /// Residual of the present r.
  void measure() {
    blocks_.multiply(blocks_.r(), u_);
    blocks_.velocities(u_, psi_), blocks_.percussions(blocks_.r(), P_);
    report_.residual = velocities_.residual(psi_, P_);
    report_.converged = report_.residual <= options_.tolerance && blocks_.bounded();
    if (options_.history) report_.history.push_back(report_.residual);
  }
  void keep_best() {
    for (Best* best : {&best_, &base_})
      if (best->r.empty() || (report_.residual < best->residual && blocks_.bounded())) best->residual = report_.residual, best->r = blocks_.r();
  }
  void sweeps(int n) {
    n = std::min(n, options_.max_iterations - report_.iterations);
    for (int k = 0; k < n; ++k) blocks_.sweep();
    report_.iterations += n;
    measure();
    keep_best();
  }

  ContactNewton& newton() {
    if (!newton_) newton_ = std::make_unique<ContactNewton>(blocks_);
    return *newton_;
  }

  void sweep_while_worthwhile() {
    for (int done_sweeps = 0; !done();) {
      const double before = report_.residual;
      const int n = done_sweeps == 0 ? 1 : done_sweeps == 1 ? 4 : done_sweeps < first_sweeps ? 5 : 10;
      sweeps(n);
      done_sweeps += n;
      if (done() || done_sweeps < first_sweeps) continue;
      const double e_folds = std::log(before / report_.residual) / n;
      const double left = std::log(report_.residual / options_.tolerance) / e_folds;
      if (!(e_folds > 0) || done_sweeps - first_sweeps + left > worth * newton().cost()) return;
    }
  }

  void newton_round(int round) {
    const Control& control = round % 2 == 0 ? quick : careful;
    const SlipRadius radius = round / 2 % 2 == 0 ? SlipRadius::augmented : SlipRadius::percussion;
    if (round > 0) blocks_.r() = base_.r, measure();
    if (round > 1 && round % 2 == 0) {
      base_ = {};  // sweeps lead elsewhere: what follows starts from there
      sweeps(first_sweeps << (round / 2));
    }
    double eps = control.eps, minimum = report_.residual;
    for (int waiting = 0; !done() && waiting < control.patience;) {
      const double before = report_.residual;
      before_r_ = blocks_.r(), before_u_ = u_;
      ++report_.iterations, ++report_.newton_steps;
      if (!newton().step(eps, radius, u_, blocks_.r())) {
        eps = std::min(100 * eps, largest_eps), ++waiting;
        continue;
      }
      measure();
      if (report_.converged && settle()) return;
      if (!(report_.residual <= control.take_back * before)) {
        blocks_.r() = before_r_, u_ = before_u_, report_.residual = before;
        eps = std::min(grows * eps, largest_eps);
      } else if (report_.residual > leap * before) {
        eps = std::min(grows * eps, largest_eps);
      } else {
        eps = std::max((report_.residual < 0.5 * before ? control.falls : control.drifts) * eps, smallest_eps);
      }
      waiting = report_.residual < new_minimum * minimum ? 0 : waiting + 1;
      minimum = std::min(minimum, report_.residual);
      keep_best();
    }
  }

  /// The general method from the best point, exact where steps are damped here: it settles contacts at the edge of sticking.
  void proximal_round() {
    std::vector<double>& P = velocities_.problem().rows.P;
    blocks_.percussions(base_.r, P);
    velocities_.changed();
    if (!general_) general_ = std::make_unique<ActiveSetNewton>(velocities_);
    proximal_newton(report_, velocities_, *general_, options_.tolerance, std::min(most_general, options_.max_iterations - report_.iterations), true);
    blocks_.start(P);
    measure();
    keep_best();
  }

  /// A Newton iterate may lie outside the cones by as much as its residual. Time stepping wants it inside.
  bool settle() {
    outside_r_ = blocks_.r(), outside_u_ = u_;
    const double outside = report_.residual;
    newton().project(u_, blocks_.r());
    measure();
    if (report_.converged) return true;
    blocks_.r() = outside_r_, u_ = outside_u_, report_.residual = outside;
    return report_.converged = velocities_.problem().measure == ResidualMeasure::cone;
  }

  SolveReport& report_;
  RowVelocities& velocities_;
  const SolverOptions& options_;
  ContactBlocks blocks_;
  std::unique_ptr<ContactNewton> newton_;
  std::unique_ptr<ActiveSetNewton> general_;
  std::vector<double> u_, psi_, P_, before_r_, before_u_, outside_r_, outside_u_;
  Best best_, base_;  ///< of all iterates, and of those since the last sweeps
};

}  // namespace

void contact_hybrid(SolveReport& report, RowVelocities& velocities, const SolverOptions& options, bool newton_now) {
  report.residual = velocities.residual();
  if (options.history) report.history.push_back(report.residual);
  report.converged = report.residual <= options.tolerance;
  if (!report.converged && report.iterations < options.max_iterations) ContactHybrid(report, velocities, options).solve(newton_now);
}

}  // namespace percussion

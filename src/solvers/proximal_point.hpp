// The proximal-point loop around a semismooth Newton method (solvers/hybrid.hpp), for any method that has
//
//   std::vector<double>& r()                                the unknowns, P or scaled percussions
//   NewtonResult solve(tolerance, most_steps, eps, anchor)  psi(r) + eps D (r - anchor) in the normal cones; if that fails, r is
//                                                           anything; eps = 0: the problem itself
//   double residual()                                       of the problem itself at r
//   bool settle(tolerance, residual)                        after residual(): whether r is a solution, taken into the cones if need be;
//                                                           `residual` follows r
//
// All collective. What residual() measures controls the loop; settle() may ask for something else.
#pragma once
#include <algorithm>
#include <vector>

#include "solvers/solver.hpp"

namespace percussion {

struct NewtonResult {
  int steps = 0;
  double residual = 0;  ///< of the problem solved, the proximal one if eps > 0
  bool converged = false, singular = false;
};

namespace proximal {

constexpr double smallest_eps = 1e-10, largest_eps = 1e2;
constexpr int few_steps = 6;         // inner Newton steps up to which eps may fall
constexpr int most_steps = 25;       // inner Newton steps after which eps grows
constexpr int most_stalls = 4;       // proximal steps in a row at the smallest eps that do not halve the residual
constexpr int rest = 4;              // proximal steps after a failure before eps falls again, unless the residual halves
constexpr double inner_part = 0.1;   // of the residual: the next anchor moves by more than that; 0.01 takes an eighth more steps

/// eps, relative to the diagonal of G: large leaps at first, small ones around the limit once a failure has shown it.
class Eps {
 public:
  explicit Eps(double start) : value_(start) {}
  double value() const { return value_; }
  void failed(double residual) {
    if (value_ == 0) {
      value_ = first;
      return;
    }
    value_ *= solved_ ? 3 : 10;
    limited_ = true, waiting_ = rest, retry_below_ = 0.5 * residual;
  }
  /// An inner problem has been solved in so many steps.
  void solved(int steps, double residual) {
    solved_ = true;
    if (waiting_ > 0) --waiting_;
    if (steps > few_steps || (waiting_ > 0 && residual > retry_below_)) return;
    value_ = std::max(value_ * (limited_ ? 0.2 : steps <= few_steps / 2 ? 0.01 : 0.1), smallest_eps);
  }
  static constexpr double first = 1e-4;

 private:
  double value_, retry_below_ = 0;
  bool solved_ = false, limited_ = false;
  int waiting_ = 0;
};

}  // namespace proximal

/// Collective. Continues `report` but for its residual from the present r, which is the best one found afterwards; returns the
/// residual there. At most `steps` Newton steps. `plain_first`: begin with eps = 0.
template <class Method>
double proximal_point(SolveReport& report, Method& method, double tolerance, int steps, bool plain_first) {
  using namespace proximal;
  std::vector<double>& r = method.r();
  std::vector<double> best = r, anchor;
  double smallest = method.residual(), last = smallest;
  Eps eps(plain_first ? 0 : Eps::first);
  int stalls = 0;
  for (int used = 0; used < steps && eps.value() <= largest_eps && stalls < most_stalls;) {
    const bool plain = eps.value() == 0;
    anchor = r;
    const double inner = plain ? tolerance : std::min(inner_part * last, 1e-3);
    const NewtonResult result = method.solve(inner, std::min(steps - used, most_steps), eps.value(), anchor);
    used += std::max(result.steps, 1), report.newton_steps += result.steps, report.iterations += result.steps;
    if (!result.converged) {
      r = anchor;
      eps.failed(last);
      continue;
    }
    double residual = plain ? result.residual : method.residual();
    report.converged = plain || method.settle(tolerance, residual);
    if (residual < smallest) smallest = residual, best = r;
    if (report.converged) break;
    stalls = eps.value() <= smallest_eps && residual > 0.5 * last ? stalls + 1 : 0;
    last = residual;
    eps.solved(result.steps, residual);
  }
  if (!report.converged) r = best;
  return smallest;
}

}  // namespace percussion

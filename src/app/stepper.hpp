// One accepted step of a case: applies what the input says about non-convergence (`solver.on_failure`).
#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "app/case.hpp"

namespace percussion {

enum class OnFailure { stop, shrink, warn };
OnFailure on_failure_from(const std::string& text);

/// What ranks want to agree on after a step, at no extra message: the largest value of all ranks.
struct Riders {
  int stop = 0, checkpoint = 0;
};

class Stepper {
 public:
  explicit Stepper(OnFailure on_failure) : on_failure_(on_failure) {}

  /// Collective. From t to t + h, in smaller steps if `shrink` says so; the report is that of the worst of them.
  /// RunError on all ranks if it must stop.
  StepReport advance(Case& c, double h);

  /// `ask`: what this rank wants, asked at the end of each step; agreed(): what came out of it.
  void set_riders(std::function<Riders()> ask) { ask_ = std::move(ask); }
  const Riders& agreed() const { return agreed_; }

  std::int64_t unconverged() const { return unconverged_; }  ///< steps accepted with a warning
  void set_unconverged(std::int64_t steps) { unconverged_ = steps; }  ///< of a run that goes on

 private:
  void check_finite(const System& system);
  void save(const System& system);
  void restore(System& system) const;

  OnFailure on_failure_;
  std::int64_t unconverged_ = 0;
  std::function<Riders()> ask_;
  Riders agreed_;
  std::vector<double> q_, u_;  ///< of the owned nodes
  std::vector<std::array<std::int32_t, 3>> image_;
  double t_ = 0;
};

}  // namespace percussion

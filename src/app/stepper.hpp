// One accepted step of a case: applies what the input says about non-convergence (`solver.on_failure`).
#pragma once
#include <string>
#include <vector>

#include "app/case.hpp"

namespace percussion {

enum class OnFailure { stop, shrink, warn };
OnFailure on_failure_from(const std::string& text);

class Stepper {
 public:
  explicit Stepper(OnFailure on_failure) : on_failure_(on_failure) {}

  /// Collective. From t to t + h, in smaller steps if `shrink` says so; the report is that of the worst of them.
  /// RunError on all ranks if it must stop.
  StepReport advance(Case& c, double h);

  std::int64_t unconverged() const { return unconverged_; }  ///< steps accepted with a warning

 private:
  void save(const System& system);
  void restore(System& system) const;

  OnFailure on_failure_;
  std::int64_t unconverged_ = 0;
  std::vector<double> q_, u_;  ///< of the owned nodes
  double t_ = 0;
};

}  // namespace percussion

// What a run collects step by step for its summary.
#pragma once
#include <chrono>
#include <optional>

#include "app/case.hpp"
#include "io/run_summary.hpp"

namespace percussion {

/// Of all steps of a run, restarts included.
struct RunTotals {
  std::int64_t steps = 0, iterations = 0, iterations_max = 0, contacts_last = 0, contacts_max = 0;
  double worst_residual = 0, penetration = 0;
  double wall = 0;  ///< of the runs before this one
};

/// Collective. Of all round bodies; nothing if there are none.
std::optional<double> smallest_radius(const System& system);

class RunStatistics {
 public:
  void add(const StepReport& report);
  /// Seconds since construction.
  double wall() const;
  RunTotals& totals() { return totals_; }
  const RunTotals& totals() const { return totals_; }
  /// Collective; name and files are left to the caller.
  RunSummary summary(const Case& c, std::int64_t unconverged) const;

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  RunTotals totals_;
};

}  // namespace percussion

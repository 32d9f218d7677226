// What a run collects step by step for its summary.
#pragma once
#include <chrono>
#include <optional>

#include "app/case.hpp"
#include "io/run_summary.hpp"

namespace percussion {

/// Collective. Of all round bodies; nothing if there are none.
std::optional<double> smallest_radius(const System& system);

class RunStatistics {
 public:
  void add(const StepReport& report);
  /// Seconds since construction.
  double wall() const;
  /// Collective; name and files are left to the caller.
  RunSummary summary(const Case& c, std::int64_t unconverged) const;

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::int64_t steps_ = 0, iterations_ = 0, iterations_max_ = 0, contacts_last_ = 0, contacts_max_ = 0;
  double worst_residual_ = 0, penetration_ = 0;
};

}  // namespace percussion

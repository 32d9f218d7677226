// Wall time per named phase of a step; min/avg/max over ranks at the end of a run.
//
// Phases may nest; time is charged to the innermost one, so the phases of a run add up to its wall time.
#pragma once
#include <mpi.h>

#include <array>
#include <string>
#include <vector>

namespace percussion {

enum class Phase : int { other, detection, assembly, solve, residual, exchange, update, balance, output, count_ };
const char* name(Phase phase);

class PhaseTimers {
 public:
  /// Charges the time since the last switch to the phase that was current, which is returned. The clock starts at the
  /// first call.
  Phase switch_to(Phase phase);
  double seconds(Phase phase) const { return seconds_[static_cast<int>(phase)]; }
  double total() const;
  void reset();

  struct Row {
    Phase phase;
    double min, avg, max;
  };
  /// Collective. Rows with time only, largest average first.
  std::vector<Row> over_ranks(MPI_Comm comm) const;

 private:
  std::array<double, static_cast<int>(Phase::count_)> seconds_{};
  Phase current_ = Phase::other;
  double since_ = -1;
};

/// The timers of this process (one simulation per process).
PhaseTimers& phase_timers();

/// RAII: the enclosing scope is `phase`; the phase before is resumed at its end.
class PhaseScope {
 public:
  explicit PhaseScope(Phase phase) : before_(phase_timers().switch_to(phase)) {}
  ~PhaseScope() { phase_timers().switch_to(before_); }
  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;

 private:
  Phase before_;
};

}  // namespace percussion

// Requests from outside to end a run early: signals and the approach of the end of the wall time.
//
// SIGTERM, SIGINT and SIGUSR1 are noted and nothing else; the run looks at the note after each step. A second
// signal (more than 0.2 s after the first: launchers may deliver one twice) ends the process at once, as if
// it were not caught. Ranks may be told at different times: the caller shares the note.
#pragma once
#include <chrono>
#include <optional>
#include <string>

namespace percussion {

/// What ends a run, by importance: the largest of all ranks counts.
enum class StopReason : int { none = 0, walltime = 1, sigusr1 = 2, sigint = 3, sigterm = 4 };
/// `SIGTERM`, `walltime`...
std::string to_string(StopReason reason);

/// Exit code of a run that stopped early and can be restarted.
inline constexpr int exit_stopped = 4;

/// Notes signals for as long as it lives. One per process.
class SignalNotes {
 public:
  SignalNotes();
  ~SignalNotes();
  SignalNotes(const SignalNotes&) = delete;
  SignalNotes& operator=(const SignalNotes&) = delete;

  StopReason reason() const;
};

/// Ends a run in time to write a checkpoint: when twice the longest step and twice the longest checkpoint so
/// far no longer fit (at first: a second, and one more per million bodies).
class WallClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// `begin`: of the program; reading and building count too.
  WallClock(Time begin, std::optional<double> limit, std::int64_t bodies)
      : begin_(begin),
        limit_(limit),
        checkpoint_(1 + 1e-6 * static_cast<double>(bodies)),
        last_step_(seconds()),
        last_checkpoint_(last_step_) {}

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  void step_ended();
  void checkpoint_took(double wall);
  double since_checkpoint() const { return seconds() - last_checkpoint_; }
  bool is_running_out() const { return limit_ && seconds() + 2 * (step_ + checkpoint_) >= *limit_; }

 private:
  Time begin_;
  std::optional<double> limit_;
  double step_ = 0, checkpoint_, last_step_, last_checkpoint_;
  bool measured_ = false;
};

}  // namespace percussion

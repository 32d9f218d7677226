// The line that tells how far a run is:
//   [####......] 42% t=0.42 s step 420 contacts 6123 res 8e-7 iter 45 eta 00:12
//
// On a terminal it is rewritten in place, at most every 0.5 s; elsewhere (batch job, pipe) it is a line of
// its own at every output step, every 5 percent and every 10 minutes. Time is passed in, so the object owns no
// clock. Use on rank 0 only; local.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <ostream>
#include <string>

namespace percussion {

struct Progress {
  double time = 0;  ///< simulated, s
  std::int64_t step = 0;
  std::int64_t contacts = 0;
  double residual = 0;
  double iterations = 0;
};

/// The line without its end. `fraction` in [0, 1].
std::string progress_text(const Progress& now, double fraction, double eta_seconds);
/// The same as JSON members without braces.
std::string progress_members(const Progress& now, double fraction, double eta_seconds);

class ProgressLine {
 public:
  /// A run from t_begin (a restart: the time of the checkpoint) to t_end.
  ProgressLine(std::ostream& out, bool terminal, double t_begin, double t_end);
  /// Lines of their own go to `write` (progress, fraction, eta) instead of the stream.
  using Write = std::function<void(const Progress&, double, double)>;
  void redirect_lines(Write write) { write_ = std::move(write); }

  /// `wall`: seconds since the run began. Prints if a line is due.
  void update(const Progress& now, double wall, bool output_step = false);
  /// Prints the last state if that was not done yet, and ends the line.
  void finish(const Progress& now, double wall);
  /// Wipes the line from a terminal, before something else is printed there.
  void clear();

 private:
  double fraction(double time) const;
  void print(const Progress& now, double wall, bool last);

  std::ostream& out_;
  Write write_;
  bool terminal_;
  double t_begin_, t_end_;
  double last_wall_ = -std::numeric_limits<double>::infinity();
  std::int64_t last_step_ = -1;
  int last_notch_ = -1;
  bool visible_ = false;
};

/// Whether standard output is a terminal. Under mpirun it is a pseudo terminal wherever the output really goes, but
/// standard error is a pipe: that counts as none.
bool stdout_is_terminal();

}  // namespace percussion

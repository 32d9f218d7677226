#include "io/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "io/run_summary.hpp"

namespace percussion {

namespace {

constexpr double terminal_interval = 0.5;  // s
constexpr double line_interval = 600;      // s
constexpr int notches = 20;                // lines per run: one every 5 percent
constexpr int bar_width = 20;

// `8e-7` rather than fmt's `8e-07`.
std::string short_number(double value) {
  std::string text = fmt::format("{:.1g}", value);
  const auto e = text.find('e');
  if (e != std::string::npos && e + 2 < text.size() && text[e + 2] == '0') text.erase(e + 2, 1);
  return text;
}

}  // namespace

std::string progress_text(const Progress& now, double fraction, double eta_seconds) {
  // Rounded down: 100% is for runs that are over.
  const auto full = static_cast<std::size_t>(std::floor(fraction * bar_width));
  return fmt::format("[{}{}] {}% t={:.4g} s step {} contacts {} res {} iter {:.4g} eta {}",
                     std::string(full, '#'), std::string(bar_width - full, '.'),
                     static_cast<int>(std::floor(100 * fraction)), now.time, now.step, now.contacts,
                     short_number(now.residual), now.iterations, clock_text(eta_seconds));
}

std::string progress_members(const Progress& now, double fraction, double eta_seconds) {
  const auto number = [](double x) { return std::isfinite(x) ? fmt::format("{}", x) : std::string("null"); };
  return fmt::format("\"event\": \"progress\", \"fraction\": {}, \"t\": {}, \"step\": {}, \"contacts\": {}, \"residual\": {}, \"iterations\": {}, \"eta\": {}",
                     number(fraction), number(now.time), now.step, now.contacts, number(now.residual), number(now.iterations), number(eta_seconds));
}

ProgressLine::ProgressLine(std::ostream& out, bool terminal, double t_begin, double t_end)
    : out_(out), terminal_(terminal), t_begin_(t_begin), t_end_(t_end) {}

double ProgressLine::fraction(double time) const {
  if (!(t_end_ > t_begin_)) return 1;
  // Times are sums of steps: the last one may miss t_end by rounding, and 42% should not print as 41%.
  const double done = (time - t_begin_) / (t_end_ - t_begin_) + 1e-9;
  return std::clamp(done, 0.0, 1.0);
}

void ProgressLine::update(const Progress& now, double wall, bool output_step) {
  if (terminal_) {
    if (wall - last_wall_ >= terminal_interval) print(now, wall, false);
    return;
  }
  const int notch = static_cast<int>(fraction(now.time) * notches);
  if (output_step || notch > last_notch_ || wall - last_wall_ >= line_interval) print(now, wall, false);
}

void ProgressLine::finish(const Progress& now, double wall) {
  if (terminal_ || now.step != last_step_) print(now, wall, true);
}

void ProgressLine::clear() {
  if (!visible_) return;
  out_ << "\r\033[K" << std::flush;
  visible_ = false;
}

void ProgressLine::print(const Progress& now, double wall, bool last) {
  const double done = fraction(now.time);
  const double eta = done > 0 ? wall * (1 - done) / done : std::numeric_limits<double>::infinity();
  if (write_ && !terminal_) {
    write_(now, done, eta);
  } else {
    if (terminal_) out_ << "\r\033[K";
    out_ << progress_text(now, done, eta);
    if (!terminal_ || last) out_ << '\n';
    out_ << std::flush;
  }
  visible_ = terminal_ && !last;
  last_wall_ = wall, last_step_ = now.step;
  last_notch_ = static_cast<int>(done * notches);
}

bool stdout_is_terminal() {
  return isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
}

}  // namespace percussion

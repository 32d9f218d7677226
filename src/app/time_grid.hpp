// The times of the steps of a run: start + n h, whatever rounding the steps leave, and the end.
#pragma once
#include <cmath>
#include <cstdint>

namespace percussion {

class TimeGrid {
 public:
  TimeGrid(double start, double h, double end) : start_(start), h_(h), end_(end), steps_(count(start)) {}

  /// A run that goes on after `step` at time t. If its last step was cut short by an earlier end, the grid
  /// begins there.
  TimeGrid from(std::int64_t step, double t) const {
    if (std::abs(t - time(step)) <= 1e-9 * h_) return *this;
    TimeGrid shifted(t, h_, end_);
    shifted.first_ = step, shifted.steps_ += step;
    return shifted;
  }

  /// The end of a step on the grid where a run stands at t after it: an earlier end may have moved it by
  /// rounding.
  double on_grid(std::int64_t step, double t) const {
    return std::abs(t - time(step)) <= 1e-9 * h_ ? time(step) : t;
  }
  std::int64_t steps() const { return steps_; }  ///< number of the last step
  double end_of(std::int64_t step) const { return step == steps_ ? end_ : time(step); }
  /// A step that differs from h by rounding only is h itself: schemes keep matrices while the step stays.
  double size(double t, std::int64_t step) const {
    const double exact = end_of(step) - t;
    return std::abs(exact - h_) <= 1e-9 * h_ ? h_ : exact;
  }

 private:
  double time(std::int64_t step) const { return start_ + static_cast<double>(step - first_) * h_; }
  // A last step that differs from h by rounding only is a full one.
  std::int64_t count(double from) const {
    return static_cast<std::int64_t>(std::ceil((end_ - from) / h_ - 1e-9));
  }

  double start_, h_, end_;
  std::int64_t first_ = 0, steps_;
};

}  // namespace percussion

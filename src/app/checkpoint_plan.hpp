// When a run writes a checkpoint: the section `checkpoint` of the input.
#pragma once
#include <cstdint>
#include <optional>

#include "base/schema.hpp"

namespace percussion {

Schema checkpoint_schema();

class CheckpointPlan {
 public:
  /// `start`: of the simulated time; the grid of every_time begins there, whenever the run was restarted.
  CheckpointPlan(const Parameters& checkpoint, double start);

  /// Whether the input asks for any.
  bool is_on() const { return steps_ || time_ || wall_; }
  /// After the step that went from t_before to t.
  bool is_due(std::int64_t step, double t_before, double t) const;
  /// Seconds of wall time since the last one, on the clock of one rank: the caller shares the answer.
  bool is_due(double wall_since_last) const { return wall_ && wall_since_last >= *wall_; }
  std::int64_t keep() const { return keep_; }

 private:
  std::optional<std::int64_t> steps_;
  std::optional<double> time_, wall_;
  std::int64_t keep_;
  double start_;
};

}  // namespace percussion

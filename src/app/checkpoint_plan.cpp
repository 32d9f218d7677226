#include "app/checkpoint_plan.hpp"

#include <cmath>

namespace percussion {

Schema checkpoint_schema() {
  Schema s;
  s.integer("every_steps").at_least(1).unit("steps").doc("steps between two checkpoints");
  s.real("every_time").positive().unit("s").doc("simulated time between two checkpoints");
  s.real("every_wall").positive().unit("s").doc("wall time between two checkpoints");
  s.integer("keep").fallback(2).at_least(1).doc("how many of the last checkpoints stay");
  return s;
}

CheckpointPlan::CheckpointPlan(const Parameters& checkpoint, double start)
    : keep_(checkpoint.integer("keep")), start_(start) {
  if (checkpoint.has("every_steps")) steps_ = checkpoint.integer("every_steps");
  if (checkpoint.has("every_time")) time_ = checkpoint.real("every_time");
  if (checkpoint.has("every_wall")) wall_ = checkpoint.real("every_wall");
}

bool CheckpointPlan::is_due(std::int64_t step, double t_before, double t) const {
  if (steps_ && step % *steps_ == 0) return true;
  // A time that misses its mark by rounding has reached it.
  const auto passed = [&](double at) { return std::floor((at - start_) / *time_ + 1e-9); };
  return time_ && passed(t) > passed(t_before);
}

}  // namespace percussion

// Writing the checkpoints of a run.
#pragma once
#include <optional>

#include "app/case.hpp"
#include "app/run_statistics.hpp"
#include "io/checkpoint_folder.hpp"

namespace percussion {

/// Where a run is, beside the state of its case.
struct RunState {
  std::int64_t step = 0;
  std::int64_t unconverged = 0;
  RunTotals totals;
  std::vector<RestartRecord> restarts;
};

class Checkpoints {
 public:
  /// `input`: that of the run; `keep`: how many stay.
  Checkpoints(CheckpointFolder folder, const Parameters& input, std::int64_t keep);

  /// Collective. RunError on all ranks (disk full); the checkpoints before stay then.
  void write(const Case& c, const RunState& state);

  /// The last one that is whole, written or restarted from.
  const std::optional<std::filesystem::path>& last() const { return last_; }
  void set_last(std::filesystem::path file) { last_ = std::move(file); }

 private:
  CheckpointFolder folder_;
  std::string identity_, input_;
  std::int64_t keep_;
  std::optional<std::filesystem::path> last_;
};

}  // namespace percussion

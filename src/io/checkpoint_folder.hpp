// The checkpoints of a run: <results>/checkpoints/step_000000420.h5, told apart by their step. Local (no
// communication): call on rank 0.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace percussion {

struct StoredCheckpoint {
  std::int64_t step = 0;
  std::filesystem::path file;
};

class CheckpointFolder {
 public:
  explicit CheckpointFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path file(std::int64_t step) const;
  /// Oldest first. Files with other names, such as unfinished ones, do not count.
  std::vector<StoredCheckpoint> list() const;
  std::optional<StoredCheckpoint> latest() const;

  /// RunError with path and reason.
  void create() const;
  /// Removes all but the last `keep`, and what a killed run left unfinished.
  void prune(std::int64_t keep) const;
  /// A run goes on from `step`: later checkpoints belong to a future that will not happen. They are renamed
  /// to
  /// *.h5.superseded and never taken for the latest. Returns how many.
  int set_aside_after(std::int64_t step) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace percussion

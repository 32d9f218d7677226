// The folder a run writes into, prepared before anything is computed.
//
// Layout: <name>.pvd with its frames in <name>/ (VtkSeries), one time series, checkpoints/, problems/, the effective
// input, the log and summary.json. A folder that already holds something is refused, so results are never
// lost by accident.
#pragma once
#include <mpi.h>

#include <filesystem>
#include <string>

namespace percussion {

enum class FolderUse {
  fresh,      ///< must be empty or new (hidden files do not count)
  overwrite,  ///< old frames, checkpoints, problems and summary are removed; other files stay until they are written
              ///< anew
  proceed     ///< a restart: everything in it stays
};

class ResultsFolder {
 public:
  /// Collective. Creates the folder on rank 0 and checks that rank 0 can write in it and all ranks see it.
  /// InputError (it holds results) or RunError (not writable, not shared), the same on all ranks.
  ResultsFolder(MPI_Comm comm, std::filesystem::path root, FolderUse use);

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path file(const std::string& name) const { return root_ / name; }
  std::filesystem::path checkpoints() const { return root_ / "checkpoints"; }
  std::filesystem::path problems() const { return root_ / "problems"; }
  std::filesystem::path summary() const { return root_ / "summary.json"; }

 private:
  std::filesystem::path root_;
};

}  // namespace percussion

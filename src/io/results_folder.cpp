#include "io/results_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "io/atomic_file.hpp"

namespace percussion {

namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

// Sorted, so that messages and removals do not depend on the file system.
std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

void refuse_if_used(const fs::path& root) {
  for (const auto& entry : entries(root)) {
    if (is_hidden(entry)) continue;
    Complaint complaint;
    complaint.key = "output.folder";
    complaint.value = root.string();
    complaint.problem = fmt::format("the folder already holds results ({})", entry.filename().string());
    complaint.allowed = "a new or empty folder";
    complaint.fix = "choose another folder with --output, or replace the results with output.overwrite=true";
    throw InputError(std::move(complaint));
  }
}

void remove_files(const fs::path& folder, std::initializer_list<const char*> extensions) {
  if (!fs::is_directory(folder)) return;
  for (const auto& entry : entries(folder))
    if (std::ranges::find(extensions, entry.extension()) != extensions.end()) fs::remove(entry);
  if (fs::is_empty(folder)) fs::remove(folder);
}

// Only what could be taken for results of the new run: stale frames, checkpoints and summary. Never whole
// folders, in case the user pointed us to a wrong one.
void remove_old_results(const ResultsFolder& folder) {
  for (const auto& entry : entries(folder.root())) {
    if (entry.extension() != ".pvd") continue;
    fs::remove(entry);
    remove_files(folder.root() / entry.stem(), {".vtp", ".pvtp", ".vtu", ".pvtu"});
  }
  remove_files(folder.checkpoints(), {".h5", ".tmp", ".superseded"});
  fs::remove(folder.summary());
}

void prepare(const ResultsFolder& folder, FolderUse use) try {
  fs::create_directories(folder.root());
  if (use == FolderUse::fresh) refuse_if_used(folder.root());
  // Now rather than at the first frame: hours may lie between.
  const auto probe = folder.root() / ".write_test";
  write_file_atomically(probe, "");
  fs::remove(probe);
  if (use == FolderUse::overwrite) remove_old_results(folder);
} catch (const fs::filesystem_error& error) {
  throw RunError(fmt::format("cannot prepare the results folder {}: {}", folder.root().string(),
                             error.code().message()));
}

// Other machines may see a new folder of a network file system a little late.
void wait_until_visible(const fs::path& root) {
  std::error_code ignored;
  for (int attempt = 0; attempt < 20; ++attempt) {
    if (fs::is_directory(root, ignored)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  throw RunError(
      fmt::format("the results folder {} is not seen by all ranks: it must be on a file system that all "
                  "machines share",
                  root.string()));
}

}  // namespace

ResultsFolder::ResultsFolder(MPI_Comm comm, std::filesystem::path root, FolderUse use)
    : root_(std::move(root)) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  all_or_none(comm, [&] {
    if (rank == 0) prepare(*this, use);
  });
  all_or_none(comm, [&] { wait_until_visible(root_); });
}

}  // namespace percussion

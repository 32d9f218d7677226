#include "io/checkpoint_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/error.hpp"

namespace percussion {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "step_", suffix = ".h5", unfinished = ".h5.tmp";

std::optional<std::int64_t> step_of(const std::string& name) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
  const char *first = name.data() + prefix.size(), *last = name.data() + name.size() - suffix.size();
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(first, last, step);
  return error == std::errc() && end == last ? std::optional(step) : std::nullopt;
}

}  // namespace

fs::path CheckpointFolder::file(std::int64_t step) const {
  return folder_ / fmt::format("{}{:09}{}", prefix, step, suffix);
}

std::vector<StoredCheckpoint> CheckpointFolder::list() const {
  std::vector<StoredCheckpoint> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder_, none))
    if (const auto step = step_of(entry.path().filename().string())) found.push_back({*step, entry.path()});
  std::ranges::sort(found, {}, &StoredCheckpoint::step);
  return found;
}

std::optional<StoredCheckpoint> CheckpointFolder::latest() const {
  const auto all = list();
  return all.empty() ? std::nullopt : std::optional(all.back());
}

void CheckpointFolder::create() const {
  std::error_code failure;
  fs::create_directories(folder_, failure);
  if (failure) throw RunError(fmt::format("cannot create {}: {}", folder_.string(), failure.message()));
}

void CheckpointFolder::prune(std::int64_t keep) const {
  auto all = list();
  std::error_code ignored;  // an old checkpoint too many does no harm
  while (static_cast<std::int64_t>(all.size()) > keep) {
    fs::remove(all.front().file, ignored);
    all.erase(all.begin());
  }
  for (const auto& entry : fs::directory_iterator(folder_, ignored))
    if (entry.path().string().ends_with(unfinished)) fs::remove(entry.path(), ignored);
}

int CheckpointFolder::set_aside_after(std::int64_t step) const {
  int count = 0;
  for (const StoredCheckpoint& c : list()) {
    if (c.step <= step) continue;
    std::error_code failure;
    fs::rename(c.file, c.file.string() + ".superseded", failure);
    if (failure) throw RunError(fmt::format("cannot rename {}: {}", c.file.string(), failure.message()));
    ++count;
  }
  return count;
}

}  // namespace percussion

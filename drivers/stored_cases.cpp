#include "stored_cases.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "io/yaml_tree.hpp"

namespace percussion {

namespace fs = std::filesystem;

namespace {

std::optional<fs::path> inputs_above(fs::path folder) {
  std::error_code error;
  for (;; folder = folder.parent_path()) {
    for (const char* place : {"inputs", "share/percussion/inputs"})
      if (fs::is_directory(folder / place, error)) return folder / place;
    if (!folder.has_relative_path()) return std::nullopt;
  }
}

std::string title_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  std::vector<Complaint> complaints;
  const YamlTree tree = parse_yaml(text.str(), file.string(), complaints);
  const YamlTree* about = tree.find("case");
  const YamlTree* title = about ? about->find("title") : nullptr;
  return title ? title->scalar : complaints.empty() ? "" : "(cannot be read: see `percussion check`)";
}

}  // namespace

std::vector<StoredCase> stored_cases() {
  std::error_code error;
  auto inputs = inputs_above(fs::current_path(error));
  if (!inputs) inputs = inputs_above(fs::read_symlink("/proc/self/exe", error).parent_path());
  std::vector<StoredCase> cases;
  if (!inputs) return cases;
  for (const auto& folder : fs::directory_iterator(*inputs, error)) {
    if (!folder.is_directory()) continue;
    for (const auto& file : fs::directory_iterator(folder.path(), error))
      if (file.path().extension() == ".yaml") cases.push_back({fs::proximate(file.path(), error), title_of(file.path())});
  }
  std::sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  return cases;
}

}  // namespace percussion

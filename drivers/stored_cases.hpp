// The cases that come with the program: inputs/<folder>/*.yaml.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace percussion {

struct StoredCase {
  std::filesystem::path file;
  std::string title;  ///< `case: title` of the file
};

/// Sorted by file. The folder inputs/ is looked for in the current folder and its parents, then beside the executable
/// and above it (build inside the source tree; share/percussion/inputs of an installation).
std::vector<StoredCase> stored_cases();

}  // namespace percussion

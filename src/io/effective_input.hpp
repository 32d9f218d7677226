// The input a run really used, after overrides and defaults, as YAML beside its results.
#pragma once
#include <filesystem>
#include <string>

#include "base/schema.hpp"

namespace percussion {

/// Keys in the order of the schema. Read again, it gives equal Parameters.
std::string effective_input(const Parameters& input, const Schema& root);

/// On one rank only. Throws RunError if the file cannot be written.
void write_effective_input(const std::filesystem::path& file, const Parameters& input, const Schema& root);

}  // namespace percussion

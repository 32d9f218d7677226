// A YAML tree against a Schema: Parameters with defaults filled in, or complaints about every mistake.
#pragma once
#include <filesystem>
#include <vector>

#include "base/schema.hpp"
#include "io/yaml_tree.hpp"

namespace percussion {

/// Finds all mistakes, not only the first; the result is complete only if no complaint was added.
/// `folder`: where relative file names start.
Parameters validate(const YamlTree& root, const Schema& schema, const std::filesystem::path& folder,
                    std::vector<Complaint>& complaints);

}  // namespace percussion

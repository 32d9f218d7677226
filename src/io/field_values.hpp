// One YAML value -> one Value, as a Field asks for it (all kinds but sections and choices).
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/schema.hpp"
#include "io/yaml_tree.hpp"

namespace percussion {

/// Where a value stands, for the messages about it.
struct Place {
  Origin origin;
  std::string path;
};

/// Nothing if the value is not acceptable; then a complaint has been added. `folder`: of the input file.
std::optional<Value> read_value(const YamlTree& tree, const Field& field, const Place& place,
                                const std::filesystem::path& folder, std::vector<Complaint>& complaints);

}  // namespace percussion

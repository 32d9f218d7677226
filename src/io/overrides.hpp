// `section.key=value` on the command line: edits of the YAML tree before it is validated.
//
// A path is keys joined by dots, list elements as `nodes[0]`; the value is YAML (`[1, 2]`, `{type: moreau}`), except for
// keys whose schema says text: those take any characters. Missing sections are created; a list grows by one element at
// a time (`nodes[2]` if there are two); a list of numbers that is absent starts from its default. Whether the result is
// allowed is decided by the validation, as for the file.
#pragma once
#include <string>
#include <vector>

#include "base/schema.hpp"
#include "io/yaml_tree.hpp"

namespace percussion {

void apply_overrides(YamlTree& root, const std::vector<std::string>& overrides, const Schema& schema,
                     std::vector<Complaint>& complaints);

}  // namespace percussion

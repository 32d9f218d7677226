// The input reference as Markdown, printed from the schemas: the documentation cannot disagree with the validation.
#pragma once
#include <string>

#include "base/schema.hpp"

namespace percussion {

/// One table per section of `root`, then one per type of every catalogue that `root` (or a type) refers to.
std::string input_reference(const Schema& root);

}  // namespace percussion

// The text of `percussion --version`.
#pragma once
#include <string>

namespace percussion {

std::string version_text();

}  // namespace percussion

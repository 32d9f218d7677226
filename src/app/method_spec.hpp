// Integrators on the command line: name{key=value,key=value}, several of them separated by commas.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/parameters.hpp"

namespace percussion {

struct MethodSpec {
  std::string label;                 ///< as written
  std::string type;                  ///< not yet validated
  std::vector<std::string> options;  ///< key=value
};

/// Splits at commas outside of {} and []. InputError that names `argument` if a bracket is not closed, a part is empty or an
/// option has no `=`.
std::vector<std::string> split_list(const std::string& text, const std::string& argument);
std::vector<MethodSpec> parse_methods(const std::string& text, const std::string& argument);

/// `overrides` and what makes the input use this method. Options of the `integrator` section of the input stay if it has the
/// same type (`input_type`), and are dropped otherwise: they belong to another method.
std::vector<std::string> with_method(std::vector<std::string> overrides, const MethodSpec& method, const std::string& input_type);

}  // namespace percussion

#include "app/method_spec.hpp"

#include <fmt/format.h>

namespace percussion {

namespace {

[[noreturn]] void complain(const std::string& argument, const std::string& text, std::string problem) {
  throw InputError(Complaint{{"command line", 0}, argument, text, std::move(problem), "names separated by commas, with options as name{key=value,key=value}",
                             "correct it; quote the argument, because the shell changes {a,b}"});
}

}  // namespace

std::vector<std::string> split_list(const std::string& text, const std::string& argument) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' || c == '[';
    depth -= c == '}' || c == ']';
    if (depth < 0) complain(argument, text, "a bracket is closed that was not opened");
    if (c == ',' && depth == 0) parts.emplace_back();
    else if (c != ' ' || depth > 0) parts.back() += c;
  }
  if (depth > 0) complain(argument, text, "a bracket is not closed");
  for (const std::string& part : parts)
    if (part.empty()) complain(argument, text, "has an empty entry");
  return parts;
}

std::vector<MethodSpec> parse_methods(const std::string& text, const std::string& argument) {
  std::vector<MethodSpec> methods;
  for (const std::string& part : split_list(text, argument)) {
    MethodSpec method{part, part, {}};
    const std::size_t open = part.find('{');
    if (open != std::string::npos) {
      if (part.back() != '}') complain(argument, part, "text after the closing bracket");
      method.type = part.substr(0, open);
      const std::string inside = part.substr(open + 1, part.size() - open - 2);
      if (!inside.empty()) method.options = split_list(inside, argument);
    }
    for (const std::string& option : method.options)
      if (option.find('=') == std::string::npos || option.front() == '=') complain(argument, part, fmt::format("option `{}` is not key=value", option));
    if (method.type.empty()) complain(argument, part, "has no name");
    methods.push_back(std::move(method));
  }
  return methods;
}

std::vector<std::string> with_method(std::vector<std::string> overrides, const MethodSpec& method, const std::string& input_type) {
  if (method.type != input_type) overrides.push_back("integrator={type: " + method.type + "}");
  for (const std::string& option : method.options) overrides.push_back("integrator." + option);
  return overrides;
}

}  // namespace percussion

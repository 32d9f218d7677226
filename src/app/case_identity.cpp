#include "app/case_identity.hpp"

#include <fmt/format.h>

#include <set>
#include <sstream>

#include "app/case_schema.hpp"
#include "io/effective_input.hpp"

namespace percussion {

namespace {

Parameters without(const Parameters& section, const std::set<std::string>& keys) {
  Parameters rest;
  for (const auto& [key, value] : section.values())
    if (!keys.contains(key)) rest.set(key, value);
  return rest;
}

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(' ');
  return first == std::string::npos ? "nothing" : "`" + line.substr(first) + "`";
}

}  // namespace

std::string case_identity(const Parameters& input) {
  Parameters fixed = without(input, {"case", "solver", "partition", "domain", "output", "checkpoint"});
  // A domain only says where bodies start, unless they come round in it.
  if (input.has("domain") && !input.section("domain").texts("periodic").empty())
    fixed.set("domain", std::make_shared<const Parameters>(input.section("domain")));
  fixed.set("time", std::make_shared<const Parameters>(without(input.section("time"), {"end"})));
  return effective_input(fixed, case_schema());
}

std::string first_difference(const std::string& stored, const std::string& present) {
  std::istringstream a(stored), b(present);
  std::string in_a, in_b, section;
  for (;;) {
    const bool more_a = static_cast<bool>(std::getline(a, in_a)),
               more_b = static_cast<bool>(std::getline(b, in_b));
    if (!more_a && !more_b) return {};
    if (!more_a) in_a.clear();
    if (!more_b) in_b.clear();
    if (in_a != in_b)
      return fmt::format("in `{}` the checkpoint has {}, the input {}", section, trimmed(in_a),
                         trimmed(in_b));
    if (!in_a.empty() && in_a[0] != ' ') section = in_a.substr(0, in_a.find(':'));
  }
}

}  // namespace percussion

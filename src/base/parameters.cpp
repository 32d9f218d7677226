#include "base/parameters.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <stdexcept>

namespace percussion {

namespace {

template <class T>
const T& get(const Parameters& parameters, std::string_view key, const Value& value, const char* kind) {
  if (const T* result = std::get_if<T>(&value)) return *result;
  throw std::logic_error(fmt::format("parameter {}.{} is not {}", parameters.path(), key, kind));
}

/// Would YAML read the text back as something else than this text?
bool needs_quotes(const std::string& text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.back() == ':') return true;
  if (std::string_view("-?:,[]{}#&*!|>'\"%@`~").find(text.front()) != std::string_view::npos) return true;
  return text.find_first_of("\n\t\"\\,[]{}") != std::string::npos || text.find(": ") != std::string::npos ||
         text.find(" #") != std::string::npos;
}

std::string quoted(const std::string& text) {
  if (!needs_quotes(text)) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result + '"';
}

template <class Items, class Show>
std::string joined(const Items& items, char open, char close, Show show) {
  std::string result(1, open);
  for (bool first = true; const auto& item : items) {
    if (!first) result += ", ";
    first = false;
    result += show(item);
  }
  return result + close;
}

std::string show_section(const Parameters& section) {
  return joined(section.values(), '{', '}', [](const auto& entry) { return entry.first + ": " + to_text(entry.second); });
}

}  // namespace

std::string to_text(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value > 0 ? ".inf" : "-.inf";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::string to_text(const Value& value) {
  struct Show {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return std::to_string(i); }
    std::string operator()(double x) const { return to_text(x); }
    std::string operator()(const std::string& t) const { return quoted(t); }
    std::string operator()(const std::vector<double>& xs) const {
      return joined(xs, '[', ']', [](double x) { return to_text(x); });
    }
    std::string operator()(const std::vector<std::string>& ts) const { return joined(ts, '[', ']', quoted); }
    std::string operator()(const std::shared_ptr<const Parameters>& section) const { return show_section(*section); }
    std::string operator()(const std::shared_ptr<const ParametersList>& list) const {
      return joined(*list, '[', ']', show_section);
    }
  };
  return std::visit(Show{}, value);
}

void Parameters::set(const std::string& key, Value value, Origin origin) {
  values_[key] = std::move(value);
  origins_[key] = std::move(origin);
}

bool Parameters::has(std::string_view key) const {
  const auto found = values_.find(key);
  return found != values_.end() && !std::holds_alternative<std::monostate>(found->second);
}

const Value& Parameters::at(std::string_view key) const {
  const auto found = values_.find(key);
  if (found == values_.end()) throw std::logic_error(fmt::format("parameter {}.{} is absent", path_, key));
  return found->second;
}

bool Parameters::boolean(std::string_view key) const { return get<bool>(*this, key, at(key), "a boolean"); }

std::int64_t Parameters::integer(std::string_view key) const {
  return get<std::int64_t>(*this, key, at(key), "an integer");
}

double Parameters::real(std::string_view key) const {
  const Value& value = at(key);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return get<double>(*this, key, value, "a real");
}

const std::string& Parameters::text(std::string_view key) const { return get<std::string>(*this, key, at(key), "a text"); }

const std::vector<double>& Parameters::reals(std::string_view key) const {
  return get<std::vector<double>>(*this, key, at(key), "a list of reals");
}

const std::vector<std::string>& Parameters::texts(std::string_view key) const {
  return get<std::vector<std::string>>(*this, key, at(key), "a list of texts");
}

const Parameters& Parameters::section(std::string_view key) const {
  return *get<std::shared_ptr<const Parameters>>(*this, key, at(key), "a section");
}

const ParametersList& Parameters::sections(std::string_view key) const {
  return *get<std::shared_ptr<const ParametersList>>(*this, key, at(key), "a list of sections");
}

const Origin& Parameters::origin(std::string_view key) const {
  const auto found = origins_.find(key);
  return found == origins_.end() || found->second.file.empty() ? origin_ : found->second;
}

std::string Parameters::shown(std::string_view key) const {
  constexpr std::size_t longest = 120;
  const auto found = values_.find(key);
  std::string text = found == values_.end() ? std::string() : to_text(found->second);
  if (text.size() > longest) text = text.substr(0, longest) + " ...";
  return text;
}

void Parameters::fail(std::string_view key, std::string problem, std::string allowed, std::string fix) const {
  std::string full = path_;
  if (!key.empty()) full += (full.empty() ? "" : ".") + std::string(key);
  throw InputError(Complaint{origin(key), std::move(full), shown(key), std::move(problem), std::move(allowed), std::move(fix)});
}

bool operator==(const Parameters& a, const Parameters& b) {
  const auto same = [](const Value& x, const Value& y) {
    if (x.index() != y.index()) return false;
    if (const auto* section = std::get_if<std::shared_ptr<const Parameters>>(&x))
      return **section == *std::get<std::shared_ptr<const Parameters>>(y);
    if (const auto* list = std::get_if<std::shared_ptr<const ParametersList>>(&x))
      return **list == *std::get<std::shared_ptr<const ParametersList>>(y);
    return x == y;
  };
  if (a.values_.size() != b.values_.size()) return false;
  for (auto i = a.values_.begin(), j = b.values_.begin(); i != a.values_.end(); ++i, ++j)
    if (i->first != j->first || !same(i->second, j->second)) return false;
  return true;
}

}  // namespace percussion

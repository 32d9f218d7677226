#include "base/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace percussion {

const char* name(Kind kind) {
  switch (kind) {
    case Kind::boolean: return "boolean";
    case Kind::integer: return "integer";
    case Kind::real: return "real";
    case Kind::text: return "text";
    case Kind::reals: return "list of reals";
    case Kind::texts: return "list of texts";
    case Kind::function: return "function of t";
    case Kind::section: return "section";
    case Kind::sections: return "list of sections";
    case Kind::choice: return "choice by type";
    case Kind::choices: return "list of choices by type";
  }
  return "?";
}

namespace {

std::string range(const Field& f) {
  const bool from = std::isfinite(f.lower), to = std::isfinite(f.upper);
  const auto lower = [&] { return fmt::format("{} {}", f.lower_open ? ">" : ">=", to_text(f.lower)); };
  const auto upper = [&] { return fmt::format("{} {}", f.upper_open ? "<" : "<=", to_text(f.upper)); };
  if (from && to)
    return fmt::format("in {}{}, {}{}", f.lower_open ? '(' : '[', to_text(f.lower), to_text(f.upper), f.upper_open ? ')' : ']');
  return from ? lower() : to ? upper() : std::string();
}

std::string lengths(const Field& f) { return f.sizes.empty() ? "" : fmt::format("{} ", fmt::join(f.sizes, " or ")); }

}  // namespace

std::string allowed(const Field& f) {
  std::string text;
  switch (f.kind) {
    case Kind::boolean: return "true or false";
    case Kind::integer: text = "a whole number"; break;
    case Kind::real: text = "a number"; break;
    case Kind::text:
      if (!f.allowed_texts.empty()) return fmt::format("one of {}", fmt::join(f.allowed_texts, ", "));
      return f.is_file ? "a readable file (relative to the input file's folder)" : "a text";
    case Kind::reals: text = fmt::format("a list of {}numbers", lengths(f)); break;
    case Kind::texts:
      if (!f.allowed_texts.empty()) return fmt::format("a list of {}of {}", lengths(f), fmt::join(f.allowed_texts, ", "));
      return fmt::format("a list of {}texts", lengths(f));
    case Kind::function: text = "a number, an expression in t, or {table: [[t, value], ...], interpolation: linear|cubic}"; break;
    case Kind::section: return "a section (key: value lines)";
    case Kind::sections: return "a list of sections";
    case Kind::choice: return "a section with a `type` of the catalogue " + f.catalogue;
    case Kind::choices: return "a list of sections, each with a `type` of the catalogue " + f.catalogue;
  }
  if (const std::string limits = range(f); !limits.empty()) text += (f.kind == Kind::reals ? ", each " : " ") + limits;
  if (!f.unit_name.empty()) text += " in " + f.unit_name;
  return text;
}

bool Field::contains(double x) const {
  return (lower_open ? x > lower : x >= lower) && (upper_open ? x < upper : x <= upper);
}

Field& Field::fallback(double value) {
  if (kind == Kind::function) return fallback(to_text(value));
  return fallback_value = value, *this;
}

Field& Schema::add(std::string key, Kind kind) {
  if (find(key)) throw std::logic_error("schema: key declared twice: " + key);
  Field& field = fields_.emplace_back();
  field.key = std::move(key);
  field.kind = kind;
  return field;
}

Field& Schema::reals(std::string key, std::vector<std::size_t> sizes) {
  Field& field = add(std::move(key), Kind::reals);
  field.sizes = std::move(sizes);
  return field;
}

Field& Schema::texts(std::string key, std::vector<std::size_t> sizes) {
  Field& field = add(std::move(key), Kind::texts);
  field.sizes = std::move(sizes);
  return field;
}

Field& Schema::section(std::string key, Schema nested) {
  Field& field = add(std::move(key), Kind::section);
  field.nested = std::make_shared<const Schema>(std::move(nested));
  return field;
}

Field& Schema::sections(std::string key, Schema nested) {
  Field& field = add(std::move(key), Kind::sections);
  field.nested = std::make_shared<const Schema>(std::move(nested));
  return field;
}

Field& Schema::choice(std::string key, std::string catalogue) {
  Field& field = add(std::move(key), Kind::choice);
  field.catalogue = std::move(catalogue);
  return field;
}

Field& Schema::choices(std::string key, std::string catalogue) {
  Field& field = add(std::move(key), Kind::choices);
  field.catalogue = std::move(catalogue);
  return field;
}

const Field* Schema::find(std::string_view key) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(), [&](const Field& f) { return f.key == key; });
  return found == fields_.end() ? nullptr : &*found;
}

bool Schema::has_required() const {
  return std::any_of(fields_.begin(), fields_.end(), [](const Field& f) { return f.is_required; });
}

void Schema::check() const {
  for (const Field& f : fields_) {
    if (f.nested) f.nested->check();
    const Value& v = f.fallback_value;
    if (std::holds_alternative<std::monostate>(v)) continue;
    const auto text_fits = [&](const std::string& t) {
      return f.allowed_texts.empty() || std::find(f.allowed_texts.begin(), f.allowed_texts.end(), t) != f.allowed_texts.end();
    };
    const auto size_fits = [&](std::size_t n) {
      return f.sizes.empty() || std::find(f.sizes.begin(), f.sizes.end(), n) != f.sizes.end();
    };
    bool fits = false;
    if (std::holds_alternative<bool>(v)) fits = f.kind == Kind::boolean;
    if (const auto* i = std::get_if<std::int64_t>(&v)) fits = f.kind == Kind::integer && f.contains(static_cast<double>(*i));
    if (const auto* x = std::get_if<double>(&v)) fits = f.kind == Kind::real && f.contains(*x);
    if (const auto* t = std::get_if<std::string>(&v))
      fits = f.kind == Kind::function || f.kind == Kind::choice || (f.kind == Kind::text && text_fits(*t));
    if (const auto* xs = std::get_if<std::vector<double>>(&v))
      fits = f.kind == Kind::reals && size_fits(xs->size()) && std::all_of(xs->begin(), xs->end(), [&](double x) { return f.contains(x); });
    if (const auto* ts = std::get_if<std::vector<std::string>>(&v))
      fits = f.kind == Kind::texts && size_fits(ts->size()) && std::all_of(ts->begin(), ts->end(), text_fits);
    if (!fits || f.is_required)
      throw std::logic_error(fmt::format("schema: key {} ({}) {}", f.key, name(f.kind),
                                         fits ? "is required and has a default" : "has a default it does not accept"));
  }
}

}  // namespace percussion

// What an input section may contain: keys, kinds, ranges, units, defaults, one line of documentation each.
//
// The schema is the single source of the validation, of the defaults, of `percussion reference` and of
// docs/input-reference.md. Whoever reads Parameters declares its Schema beside it.
//
//   Schema s;
//   s.real("mass").required().positive().unit("kg").doc("mass of the body");
//   s.reals("position", 3).fallback(std::vector{0., 0., 0.}).unit("m").doc("centre of mass");
//   s.text("set").one_of({"disc", "rectangle"}).fallback("disc").doc("shape of the force reservoir");
//   s.choice("integrator", "integrators").fallback("moreau");   // polymorphic by `type`, see registry.hpp
//
// A key that is absent gets its default; without a default it stays absent (Parameters::has). Lists of sections or
// choices are then empty; a section is filled with its own defaults, unless one of its keys is required: then the
// whole section is absent.
#pragma once
#include <concepts>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/parameters.hpp"

namespace percussion {

class Schema;

enum class Kind { boolean, integer, real, text, reals, texts, function, section, sections, choice, choices };

const char* name(Kind kind);

/// One key. Members are set by the fluent calls below and read by the validator and the reference printer.
struct Field {
  std::string key;
  Kind kind;
  std::string documentation;
  std::string unit_name;
  bool is_required = false;
  Value fallback_value;  ///< monostate: no default, the key may be absent
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  bool lower_open = false, upper_open = false;
  std::vector<std::string> allowed_texts;
  std::vector<std::size_t> sizes;         ///< allowed lengths of reals/texts; empty: any
  std::shared_ptr<const Schema> nested;   ///< section, sections
  std::string catalogue;                  ///< choice, choices: name of the registry that knows the types
  bool is_file = false;                   ///< text: must name a readable file; made absolute from the input's folder

  Field& required() { return is_required = true, *this; }
  // One overload per kind of value: through Value alone, 0.5 and true would silently become integers. A number as the
  // default of a function becomes its text. A text as the default of a choice is the `type`, with that type's defaults.
  Field& fallback(Value value) { return fallback_value = std::move(value), *this; }
  Field& fallback(std::string value) { return fallback_value = std::move(value), *this; }
  Field& fallback(const char* value) { return fallback(std::string(value)); }
  Field& fallback(std::vector<double> value) { return fallback_value = std::move(value), *this; }
  Field& fallback(std::vector<std::string> value) { return fallback_value = std::move(value), *this; }
  Field& fallback(std::initializer_list<double> value) { return fallback(std::vector<double>(value)); }
  Field& fallback(double value);
  template <std::integral T>
  Field& fallback(T value) {
    if constexpr (std::same_as<T, bool>) return fallback_value = value, *this;
    if (kind == Kind::real || kind == Kind::function) return fallback(static_cast<double>(value));
    return fallback_value = static_cast<std::int64_t>(value), *this;
  }
  Field& doc(std::string text) { return documentation = std::move(text), *this; }
  Field& unit(std::string name) { return unit_name = std::move(name), *this; }
  Field& positive() { return lower = 0, lower_open = true, *this; }
  Field& at_least(double value) { return lower = value, lower_open = false, *this; }
  Field& at_most(double value) { return upper = value, upper_open = false, *this; }
  Field& above(double value) { return lower = value, lower_open = true, *this; }
  Field& below(double value) { return upper = value, upper_open = true, *this; }
  Field& between(double a, double b) { return at_least(a).at_most(b); }
  Field& one_of(std::vector<std::string> texts) { return allowed_texts = std::move(texts), *this; }
  Field& readable_file() { return is_file = true, *this; }

  bool contains(double x) const;  ///< is x in the range?
};

/// What the field accepts, in words: `a number > 0 in kg`, `one of disc, rectangle`...
std::string allowed(const Field& field);

class Schema {
 public:
  Field& boolean(std::string key) { return add(std::move(key), Kind::boolean); }
  Field& integer(std::string key) { return add(std::move(key), Kind::integer); }
  Field& real(std::string key) { return add(std::move(key), Kind::real); }
  Field& text(std::string key) { return add(std::move(key), Kind::text); }
  /// Ranges apply to every entry.
  Field& reals(std::string key, std::vector<std::size_t> sizes = {});
  Field& reals(std::string key, std::size_t size) { return reals(std::move(key), std::vector<std::size_t>{size}); }
  Field& texts(std::string key, std::vector<std::size_t> sizes = {});
  /// Number, expression in t, or {table: [[t, value], ...], interpolation: linear|cubic}; stored as text.
  Field& function(std::string key) { return add(std::move(key), Kind::function); }
  Field& section(std::string key, Schema nested);
  Field& sections(std::string key, Schema nested);
  Field& choice(std::string key, std::string catalogue);
  Field& choices(std::string key, std::string catalogue);

  /// Is any key required? (A section without required keys exists even if nothing is written.)
  bool has_required() const;
  /// Throws std::logic_error if a default does not fit its own field (kind, range, length, allowed texts).
  void check() const;

  const std::deque<Field>& fields() const { return fields_; }
  const Field* find(std::string_view key) const;

 private:
  Field& add(std::string key, Kind kind);
  std::deque<Field> fields_;  // references returned by the fluent calls stay valid
};

}  // namespace percussion

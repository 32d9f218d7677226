#include "io/field_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "io/suggest.hpp"
#include "math/time_function.hpp"

namespace percussion {

namespace {

template <class Number>
std::optional<Number> number(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  Number x{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return x;
}

const char* described(YamlTree::Kind kind) {
  switch (kind) {
    case YamlTree::Kind::null: return "nothing";
    case YamlTree::Kind::scalar: return "a single value";
    case YamlTree::Kind::list: return "a list";
    case YamlTree::Kind::map: return "a section";
  }
  return "?";
}

class ValueReader {
 public:
  ValueReader(const Field& field, const std::filesystem::path& folder, std::vector<Complaint>& complaints)
      : field_(field), folder_(folder), complaints_(complaints) {}

  std::optional<Value> read(const YamlTree& tree, const Place& place) {
    switch (field_.kind) {
      case Kind::boolean: return as_value(boolean(tree, place));
      case Kind::integer: return as_value(integer(tree, place));
      case Kind::real: return as_value(real(tree, place));
      case Kind::text: return as_value(text(tree, place));
      case Kind::function: return as_value(function(tree, place));
      case Kind::reals: return as_value(list<double>(tree, place, &ValueReader::real));
      case Kind::texts: return as_value(list<std::string>(tree, place, &ValueReader::text));
      default: throw std::logic_error("read_value: sections have their own reader");
    }
  }

 private:
  template <class T>
  static std::optional<Value> as_value(std::optional<T> x) {
    return x ? std::optional<Value>(std::move(*x)) : std::nullopt;
  }

  std::nullopt_t complain(const YamlTree& tree, const Place& place, std::string problem, std::string fix) {
    complaints_.push_back({place.origin, place.path, tree.shown(), std::move(problem), allowed(field_), std::move(fix)});
    return std::nullopt;
  }

  /// Complains unless the tree is a single value.
  bool is_scalar(const YamlTree& tree, const Place& place, const char* expected) {
    if (tree.kind == YamlTree::Kind::scalar) return true;
    const bool empty = tree.kind == YamlTree::Kind::null;
    complain(tree, place, empty ? "has no value" : fmt::format("must be {}, not {}", expected, described(tree.kind)),
             empty ? fmt::format("write {} after the colon", expected) : fmt::format("write {} instead", expected));
    return false;
  }

  std::optional<bool> boolean(const YamlTree& tree, const Place& place) {
    if (!is_scalar(tree, place, "true or false")) return std::nullopt;
    std::string word = tree.scalar;
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (!tree.quoted && (word == "true" || word == "false")) return word == "true";
    const bool yes = word == "yes" || word == "on" || word == "1" || word == "true";
    const bool no = word == "no" || word == "off" || word == "0" || word == "false";
    return complain(tree, place, "must be true or false", yes ? "write true" : no ? "write false" : "write true or false, without quotes");
  }

  std::optional<std::int64_t> integer(const YamlTree& tree, const Place& place) {
    if (!is_scalar(tree, place, "a whole number")) return std::nullopt;
    const auto x = tree.quoted ? std::nullopt : number<std::int64_t>(tree.scalar);
    if (!x)
      return complain(tree, place, "must be a whole number",
                      tree.quoted ? "remove the quotes" : "write it with digits only, such as 100, without point or exponent");
    if (!field_.contains(static_cast<double>(*x))) return out_of_range(tree, place);
    return x;
  }

  std::optional<double> real(const YamlTree& tree, const Place& place) {
    if (!is_scalar(tree, place, "a number")) return std::nullopt;
    const auto x = tree.quoted ? std::nullopt : number<double>(tree.scalar);
    if (!x) return complain(tree, place, "must be a number", tree.quoted ? "remove the quotes" : "write a plain number such as 0.5 or 1e-3");
    if (!std::isfinite(*x)) return complain(tree, place, "must be finite", "write a plain number such as 0.5 or 1e-3");
    if (!field_.contains(*x)) return out_of_range(tree, place);
    return x;
  }

  std::nullopt_t out_of_range(const YamlTree& tree, const Place& place) {
    return complain(tree, place, "out of range", "choose " + allowed_number());
  }
  std::string allowed_number() const {
    Field one = field_;
    if (one.kind == Kind::reals || one.kind == Kind::function) one.kind = Kind::real;
    return allowed(one);
  }

  std::optional<std::string> text(const YamlTree& tree, const Place& place) {
    if (!is_scalar(tree, place, "a text")) return std::nullopt;
    const auto& words = field_.allowed_texts;
    if (!words.empty() && std::find(words.begin(), words.end(), tree.scalar) == words.end()) {
      const std::string near = nearest(tree.scalar, words);
      return complain(tree, place, "unknown word", near.empty() ? "use one of the allowed words" : "did you mean `" + near + "`?");
    }
    return field_.is_file ? file(tree, place) : tree.scalar;
  }

  std::optional<std::string> file(const YamlTree& tree, const Place& place) {
    const auto path = std::filesystem::absolute(folder_ / tree.scalar).lexically_normal();
    if (std::filesystem::is_regular_file(path) && std::ifstream(path)) return path.string();
    const bool exists = std::filesystem::exists(path);
    return complain(tree, place, exists ? "cannot be read as a file" : "file not found",
                    exists ? "check that " + path.string() + " is a file and its permissions" : "create " + path.string() + " or correct the name");
  }

  /// Number, expression or table, in the text form of TimeFunction.
  std::optional<std::string> function(const YamlTree& tree, const Place& place) {
    std::string form = tree.scalar;
    if (tree.kind == YamlTree::Kind::map) {
      const auto table = table_text(tree, place);
      if (!table) return std::nullopt;
      form = *table;
    } else if (!is_scalar(tree, place, "a number, an expression in t or a table")) {
      return std::nullopt;
    }
    try {
      const TimeFunction f = TimeFunction::from_text(form);
      if (f.is_constant() && !field_.contains(f(0))) return out_of_range(tree, place);
      return f.text();
    } catch (const std::invalid_argument& e) {
      return complain(tree, place, e.what(), "correct the function; the only variable is t (time in seconds)");
    }
  }

  std::optional<std::string> table_text(const YamlTree& tree, const Place& place) {
    Schema schema;
    const Field& interpolation = schema.text("interpolation").one_of({"linear", "cubic"});
    const Field& point = schema.reals("table", 2);
    std::string kind = "linear", points;
    bool good = true;
    for (const auto& [key, origin, value] : tree.entries) {
      const Place here{origin, path_below(place.path, key)};
      if (key == "interpolation") {
        const auto word = read_value(value, interpolation, here, folder_, complaints_);
        good = good && word;
        if (word) kind = std::get<std::string>(*word);
      } else if (key == "table" && value.kind == YamlTree::Kind::list && !value.items.empty()) {
        for (std::size_t i = 0; i < value.items.size(); ++i) {
          const Place there{value.items[i].origin, fmt::format("{}[{}]", here.path, i)};
          const auto pair = read_value(value.items[i], point, there, folder_, complaints_);
          good = good && pair;
          if (pair) points += fmt::format("{} {}", i ? "," : "", fmt::join(texts_of(std::get<std::vector<double>>(*pair)), " "));
        }
      } else {
        return complain(tree, here, key == "table" ? "must be a list of pairs" : "unknown key", "write {table: [[0, 0], [1, 2.5]], interpolation: linear}");
      }
    }
    if (!tree.find("table")) return complain(tree, place, "a function given as a section needs the key `table`", "write {table: [[0, 0], [1, 2.5]], interpolation: linear}");
    if (!good) return std::nullopt;
    return "table " + kind + ":" + points;
  }

  static std::vector<std::string> texts_of(const std::vector<double>& xs) {
    std::vector<std::string> result;
    for (const double x : xs) result.push_back(to_text(x));
    return result;
  }

  template <class T>
  std::optional<std::vector<T>> list(const YamlTree& tree, const Place& place, std::optional<T> (ValueReader::*item)(const YamlTree&, const Place&)) {
    if (tree.kind != YamlTree::Kind::list)
      return complain(tree, place, fmt::format("must be a list, not {}", described(tree.kind)),
                      tree.kind == YamlTree::Kind::scalar ? fmt::format("put it in brackets: [{}]", tree.scalar) : "write a list in brackets: [..., ...]");
    const auto& sizes = field_.sizes;
    const std::size_t n = tree.items.size();
    bool good = sizes.empty() || std::find(sizes.begin(), sizes.end(), n) != sizes.end();
    if (!good)
      complain(tree, place, fmt::format("wrong length: {} entries", n), fmt::format("give {} entries", fmt::join(sizes, " or ")));
    std::vector<T> result;
    for (std::size_t i = 0; i < n; ++i) {
      const auto x = (this->*item)(tree.items[i], {tree.items[i].origin, fmt::format("{}[{}]", place.path, i)});
      good = good && x;
      if (x) result.push_back(*x);
    }
    if (!good) return std::nullopt;
    return result;
  }

  const Field& field_;
  const std::filesystem::path& folder_;
  std::vector<Complaint>& complaints_;
};

}  // namespace

std::optional<Value> read_value(const YamlTree& tree, const Field& field, const Place& place,
                                const std::filesystem::path& folder, std::vector<Complaint>& complaints) {
  return ValueReader(field, folder, complaints).read(tree, place);
}

}  // namespace percussion

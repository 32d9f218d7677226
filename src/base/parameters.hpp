// Typed, validated input values: what a Schema accepted, defaults filled in.
//
// Every part of the program is configured through Parameters, never through YAML directly: nodes, contributions,
// integrators and solvers read their own section in their constructor. Values remember where they were written, so a
// mistake that only the model can see (a body outside the domain) is still reported with file and line. Parameters
// are plain data: a contribution migrates to another rank as its serialised parameters.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"

namespace percussion {

class Parameters;
using ParametersList = std::vector<Parameters>;

/// The value kinds a Schema can ask for. A function of time is kept as its text (math/time_function.hpp).
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<double>, std::vector<std::string>,
                           std::shared_ptr<const Parameters>, std::shared_ptr<const ParametersList>>;

class Parameters {
 public:
  Parameters() = default;
  /// `path`: dotted path of this section in the input, for messages.
  explicit Parameters(std::string path, Origin origin = {}) : path_(std::move(path)), origin_(std::move(origin)) {}

  void set(const std::string& key, Value value, Origin origin = {});
  bool has(std::string_view key) const;

  // Each getter throws std::logic_error when the key is absent or of another kind: that is a Schema bug, not the user's.
  bool boolean(std::string_view key) const;
  std::int64_t integer(std::string_view key) const;
  double real(std::string_view key) const;  ///< integers convert
  const std::string& text(std::string_view key) const;
  const std::vector<double>& reals(std::string_view key) const;
  const std::vector<std::string>& texts(std::string_view key) const;
  const Parameters& section(std::string_view key) const;
  const ParametersList& sections(std::string_view key) const;

  /// The `type` entry of a polymorphic section.
  const std::string& type() const { return text("type"); }

  const std::string& path() const { return path_; }
  const Origin& origin() const { return origin_; }
  const Origin& origin(std::string_view key) const;
  std::string shown(std::string_view key) const;  ///< value as text, shortened if long

  /// Throws InputError about `key`, with its place and value.
  [[noreturn]] void fail(std::string_view key, std::string problem, std::string allowed, std::string fix) const;

  const std::map<std::string, Value, std::less<>>& values() const { return values_; }

  /// Same keys and values at every depth; paths and origins do not count.
  friend bool operator==(const Parameters& a, const Parameters& b);

  /// Lossless text form (values and origins), for migration and checkpoints.
  std::string serialise() const;
  static Parameters deserialise(std::string_view text);

 private:
  const Value& at(std::string_view key) const;
  std::string path_;
  Origin origin_;
  std::map<std::string, Value, std::less<>> values_;
  std::map<std::string, Origin, std::less<>> origins_;
};

/// Shortest text that reads back as the same number; `1` for a whole number.
std::string to_text(double value);
/// One line of flow-style YAML: `[1, 2]`, `{type: moreau}`.
std::string to_text(const Value& value);

}  // namespace percussion

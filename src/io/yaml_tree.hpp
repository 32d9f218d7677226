// A YAML document as plain data with line numbers.
//
// yaml-cpp parses; this copy of its tree keeps what validation needs and yaml-cpp hides: duplicate keys, quotes, and
// the place of every key. Overrides edit the tree, validation only reads it.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace percussion {

struct YamlTree {
  enum class Kind { null, scalar, list, map };

  struct Entry;

  YamlTree() = default;
  YamlTree(Kind the_kind, Origin the_origin) : kind(the_kind), origin(std::move(the_origin)) {}

  Kind kind = Kind::null;
  Origin origin;
  std::string scalar;           ///< scalar only
  bool quoted = false;          ///< scalar in quotes: a text, never a number
  std::vector<YamlTree> items;  ///< list only
  std::vector<Entry> entries;   ///< map only, in the order written

  YamlTree* find(std::string_view key);
  const YamlTree* find(std::string_view key) const { return const_cast<YamlTree*>(this)->find(key); }
  /// One line, as a user would write it; shortened if long.
  std::string shown() const;
};

struct YamlTree::Entry {
  std::string key;
  Origin origin;  ///< of the key
  YamlTree value;
};

/// Parses one document. Syntax errors and duplicate keys are added to `complaints`; of duplicates the first is kept.
YamlTree parse_yaml(const std::string& text, const std::string& file, std::vector<Complaint>& complaints);

/// The `key` or `list[i]` below `path`.
std::string path_below(const std::string& path, const std::string& key);

}  // namespace percussion

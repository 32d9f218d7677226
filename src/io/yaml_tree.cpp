#include "io/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "base/parameters.hpp"

namespace percussion {

namespace {

/// No input is nested this deep: it is an alias that contains itself.
constexpr int deepest = 64;

class Copier {
 public:
  Copier(std::string file, std::vector<Complaint>& complaints) : file_(std::move(file)), complaints_(complaints) {}

  YamlTree copy(const YAML::Node& node, const std::string& path, int depth = 0) {
    YamlTree tree;
    tree.origin = at(node);
    if (depth > deepest) {
      complaints_.push_back({tree.origin, path, "", "nested too deep", fmt::format("at most {} levels", deepest),
                             "remove the alias that refers to itself"});
      return tree;
    }
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null: break;
      case YAML::NodeType::Scalar:
        tree.kind = YamlTree::Kind::scalar;
        tree.scalar = node.Scalar();
        tree.quoted = node.Tag() == "!";
        break;
      case YAML::NodeType::Sequence:
        tree.kind = YamlTree::Kind::list;
        for (std::size_t i = 0; i < node.size(); ++i)
          tree.items.push_back(copy(node[i], fmt::format("{}[{}]", path, i), depth + 1));
        break;
      case YAML::NodeType::Map: copy_map(node, path, depth, tree); break;
    }
    return tree;
  }

 private:
  Origin at(const YAML::Node& node) const {
    const int line = node.Mark().line;
    return {file_, line >= 0 && !node.Mark().is_null() ? line + 1 : 0};
  }

  void copy_map(const YAML::Node& node, const std::string& path, int depth, YamlTree& tree) {
    tree.kind = YamlTree::Kind::map;
    for (const auto& entry : node) {
      const Origin origin = at(entry.first);
      if (!entry.first.IsScalar()) {
        complaints_.push_back({origin, path, "", "a key is not a plain word", "key: value", "write a single word before the colon"});
        continue;
      }
      const std::string key = entry.first.Scalar(), below = path_below(path, key);
      YamlTree value = copy(entry.second, below, depth + 1);
      if (value.origin.line == 0) value.origin = origin;
      if (const YamlTree* before = tree.find(key)) {
        complaints_.push_back({origin, below, value.shown(), fmt::format("key written twice, first in line {}", before->origin.line),
                               "each key once per section", "keep one of the two lines"});
        continue;
      }
      tree.entries.push_back({key, origin, std::move(value)});
    }
  }

  std::string file_;
  std::vector<Complaint>& complaints_;
};

std::string flow(const YamlTree& tree) {
  std::string text;
  switch (tree.kind) {
    case YamlTree::Kind::null: return "null";
    case YamlTree::Kind::scalar: return tree.quoted ? '"' + tree.scalar + '"' : tree.scalar;
    case YamlTree::Kind::list:
      for (const YamlTree& item : tree.items) text += (text.empty() ? "" : ", ") + flow(item);
      return '[' + text + ']';
    case YamlTree::Kind::map:
      for (const auto& entry : tree.entries) text += (text.empty() ? "" : ", ") + entry.key + ": " + flow(entry.value);
      return '{' + text + '}';
  }
  return text;
}

}  // namespace

YamlTree* YamlTree::find(std::string_view key) {
  for (Entry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

std::string YamlTree::shown() const {
  constexpr std::size_t longest = 120;
  std::string text = flow(*this);
  if (text.size() > longest) text = text.substr(0, longest) + " ...";
  return text;
}

YamlTree parse_yaml(const std::string& text, const std::string& file, std::vector<Complaint>& complaints) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() > 1)
      complaints.push_back({{file, documents[1].Mark().line + 1}, "", "", "more than one YAML document", "one document per file",
                            "remove the line `---` and what follows"});
    if (documents.empty()) return {YamlTree::Kind::null, {file, 1}};
    return Copier(file, complaints).copy(documents[0], "");
  } catch (const YAML::Exception& e) {
    const int line = e.mark.is_null() ? 0 : e.mark.line + 1;
    complaints.push_back({{file, line}, "", "", fmt::format("YAML syntax error in column {}: {}", e.mark.column + 1, e.msg),
                          "key: value lines, indented with spaces; [a, b] lists; {key: value} sections",
                          "check indentation, brackets and quotes in this line and the one before"});
    return {YamlTree::Kind::null, {file, line}};
  }
}

std::string path_below(const std::string& path, const std::string& key) { return path.empty() ? key : path + '.' + key; }

}  // namespace percussion

#include "io/overrides.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/registry.hpp"

namespace percussion {

namespace {

const Origin command_line{"command line", 0};

struct Step {
  std::string key;
  std::vector<std::size_t> indices;
};

/// `nodes[0].mass` -> {nodes, [0]}, {mass, []}; nothing if malformed.
std::optional<std::vector<Step>> parse_path(std::string_view text) {
  std::vector<Step> steps;
  while (true) {
    const std::string_view part = text.substr(0, text.find('.'));
    const std::size_t bracket = part.find('[');
    Step step{std::string(part.substr(0, bracket)), {}};
    if (step.key.empty()) return std::nullopt;
    for (std::size_t i = bracket; i < part.size();) {
      const std::size_t close = part.find(']', i);
      if (part[i] != '[' || close == std::string_view::npos) return std::nullopt;
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(part.data() + i + 1, part.data() + close, index);
      if (error != std::errc{} || end != part.data() + close) return std::nullopt;
      step.indices.push_back(index);
      i = close + 1;
    }
    steps.push_back(std::move(step));
    if (part.size() == text.size()) return steps;
    text.remove_prefix(part.size() + 1);
  }
}

/// The schema of a section below `field`, as far as it is known: a choice is by its `type`, written or default.
const Schema* schema_below(const Field* field, const YamlTree& section) {
  if (!field) return nullptr;
  if (field->nested) return field->nested.get();
  if (field->catalogue.empty()) return nullptr;
  const auto* fallback = std::get_if<std::string>(&field->fallback_value);
  const YamlTree* type = section.find("type");
  const std::string name = type ? type->scalar : fallback ? *fallback : "";
  const auto* entry = Catalogue::instance().find(field->catalogue, name);
  return entry ? &entry->schema : nullptr;
}

YamlTree scalar(const std::string& text, bool quoted = false) {
  YamlTree tree{YamlTree::Kind::scalar, command_line};
  tree.scalar = text;
  tree.quoted = quoted;
  return tree;
}

YamlTree default_list(const Field* field) {
  YamlTree list{YamlTree::Kind::list, command_line};
  if (!field) return list;
  const auto* numbers = std::get_if<std::vector<double>>(&field->fallback_value);
  if (!numbers) return list;
  for (const double x : *numbers) list.items.push_back(scalar(to_text(x)));
  return list;
}

class Editor {
 public:
  Editor(const std::string& text, std::vector<Complaint>& complaints) : text_(text), complaints_(complaints) {}

  void apply(YamlTree& root, const Schema& schema) {
    const std::size_t equals = text_.find('=');
    const auto steps = parse_path(std::string_view(text_).substr(0, equals));
    if (equals == std::string::npos || !steps)
      return complain("", "not an override", "section.key=value, list elements as nodes[0].mass=2", "write the key, =, and the value without spaces");

    YamlTree* target = &root;
    const Schema* known = &schema;
    const Field* field = nullptr;
    for (const Step& step : *steps) {
      if (field) known = schema_below(field, *target);
      field = known ? known->find(step.key) : nullptr;
      target = descend(target, step, field);
      if (!target) return;
      path_ = path_below(path_, step.key);
      for (const std::size_t index : step.indices) path_ += fmt::format("[{}]", index);
    }
    *target = value(text_.substr(equals + 1), field, !steps->back().indices.empty());
  }

 private:
  void complain(const std::string& key, std::string problem, std::string allowed, std::string fix) {
    complaints_.push_back({command_line, key, text_, std::move(problem), std::move(allowed), std::move(fix)});
  }

  YamlTree* descend(YamlTree* section, const Step& step, const Field* field) {
    if (section->kind == YamlTree::Kind::null) section->kind = YamlTree::Kind::map, section->origin = command_line;
    if (section->kind != YamlTree::Kind::map) {
      complain(path_, fmt::format("has no key `{}`: it is {}", step.key, section->shown()), "a section before the dot",
               section->kind == YamlTree::Kind::list ? "name the element: " + path_ + "[0]." + step.key : "drop the part after " + path_);
      return nullptr;
    }
    YamlTree* next = section->find(step.key);
    if (!next) {
      YamlTree fresh = step.indices.empty() ? YamlTree{YamlTree::Kind::null, command_line} : default_list(field);
      section->entries.push_back({step.key, command_line, std::move(fresh)});
      next = &section->entries.back().value;
    }
    std::string path = path_below(path_, step.key);
    for (const std::size_t index : step.indices) {
      if (next->kind == YamlTree::Kind::null) next->kind = YamlTree::Kind::list;
      if (next->kind != YamlTree::Kind::list || index > next->items.size()) {
        const bool is_list = next->kind == YamlTree::Kind::list;
        complain(fmt::format("{}[{}]", path, index), is_list ? fmt::format("the list has {} elements", next->items.size()) : "is not a list",
                 is_list ? fmt::format("{0}[0] to {0}[{1}] (the last one is new)", path, next->items.size()) : path + " without [ ]",
                 is_list ? "use an index in this range" : "drop the index");
        return nullptr;
      }
      if (index == next->items.size()) next->items.push_back({YamlTree::Kind::null, command_line});
      next = &next->items[index];
      path += fmt::format("[{}]", index);
    }
    return next;
  }

  YamlTree value(const std::string& text, const Field* field, bool indexed) {
    const bool is_text = field && (field->kind == Kind::text || (field->kind == Kind::texts && indexed));
    std::vector<Complaint> problems;
    YamlTree tree = parse_yaml(text, command_line.file, problems);
    if (is_text) return problems.empty() && tree.kind == YamlTree::Kind::scalar && tree.quoted ? tree : scalar(text, true);
    for (Complaint& problem : problems) {
      problem.origin = command_line, problem.key = path_, problem.value = text_;
      complaints_.push_back(std::move(problem));
    }
    drop_lines(tree);
    return tree;
  }

  static void drop_lines(YamlTree& tree) {
    tree.origin = command_line;
    for (YamlTree& item : tree.items) drop_lines(item);
    for (auto& entry : tree.entries) entry.origin = command_line, drop_lines(entry.value);
  }

  const std::string& text_;
  std::vector<Complaint>& complaints_;
  std::string path_;
};

}  // namespace

void apply_overrides(YamlTree& root, const std::vector<std::string>& overrides, const Schema& schema,
                     std::vector<Complaint>& complaints) {
  for (const std::string& text : overrides) Editor(text, complaints).apply(root, schema);
}

}  // namespace percussion

#include "io/validate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "base/registry.hpp"
#include "io/field_values.hpp"
#include "io/suggest.hpp"

namespace percussion {

namespace {

const Origin default_origin{"default", 0};

/// Line of the key for what the file says (a block value starts below its key); the value's own place after an override.
const Origin& place_of(const YamlTree::Entry& entry) { return entry.value.origin.line > 0 ? entry.origin : entry.value.origin; }

std::vector<std::string> keys_of(const Schema& schema, bool with_type) {
  std::vector<std::string> keys;
  if (with_type) keys.push_back("type");
  for (const Field& field : schema.fields()) keys.push_back(field.key);
  return keys;
}

/// `{end: ..., step: ...}`: the least a section must say.
std::string skeleton(const Schema& schema) {
  std::vector<std::string> keys;
  for (const Field& field : schema.fields())
    if (field.is_required) keys.push_back(field.key + ": ...");
  return keys.empty() ? "{key: value}" : fmt::format("{{{}}}", fmt::join(keys, ", "));
}

class Validator {
 public:
  Validator(const std::filesystem::path& folder, std::vector<Complaint>& complaints) : folder_(folder), complaints_(complaints) {}

  /// `type`: of a choice, already known to be registered; empty for a plain section.
  Parameters section(const YamlTree& tree, const Schema& schema, const Place& place, const std::string& type = {}) {
    Parameters result(place.path, place.origin);
    if (!type.empty()) {
      const YamlTree* written = tree.find("type");
      result.set("type", type, written ? written->origin : default_origin);
    }
    refuse_unknown_keys(tree, schema, place, type);
    for (const Field& field : schema.fields()) {
      const auto entry = std::find_if(tree.entries.begin(), tree.entries.end(), [&](const auto& e) { return e.key == field.key; });
      const std::string path = path_below(place.path, field.key);
      if (entry == tree.entries.end()) {
        absent(field, {place.origin, path}, result);
      } else if (auto value = present(entry->value, field, {place_of(*entry), path})) {
        result.set(field.key, std::move(*value), place_of(*entry));
      }
    }
    return result;
  }

  /// Complains unless the tree can be read as a section (an empty one is fine).
  bool is_section(const YamlTree& tree, const Place& place, const std::string& permitted, const std::string& fix) {
    if (tree.kind == YamlTree::Kind::map || tree.kind == YamlTree::Kind::null) return true;
    complaints_.push_back({place.origin, place.path, tree.shown(), "must be a section", permitted, fix});
    return false;
  }

 private:
  void refuse_unknown_keys(const YamlTree& tree, const Schema& schema, const Place& place, const std::string& type) {
    for (const auto& entry : tree.entries) {
      if (schema.find(entry.key) || (!type.empty() && entry.key == "type")) continue;
      const auto keys = keys_of(schema, !type.empty());
      const std::string near = nearest(entry.key, keys);
      const std::string problem = type.empty() ? "unknown key" : fmt::format("unknown key of type `{}`", type);
      complaints_.push_back({place_of(entry), path_below(place.path, entry.key), entry.value.shown(), problem,
                             fmt::format("{}", fmt::join(keys, ", ")), near.empty() ? "remove it" : fmt::format("did you mean `{}`?", near)});
    }
  }

  void absent(const Field& field, const Place& place, Parameters& result) {
    if (field.is_required) {
      const std::string fix = field.nested ? skeleton(*field.nested) : field.catalogue.empty() ? "..." : "{type: ...}";
      complaints_.push_back({place.origin, place.path, "", "missing: it is required", allowed(field), fmt::format("add `{}: {}`", field.key, fix)});
    } else if (field.kind == Kind::sections || field.kind == Kind::choices) {
      result.set(field.key, std::make_shared<const ParametersList>(), default_origin);
    } else if (field.kind == Kind::section) {
      if (!field.nested->has_required()) result.set(field.key, share(section({}, *field.nested, {default_origin, place.path})), default_origin);
    } else if (field.kind == Kind::choice) {
      if (const auto* type = std::get_if<std::string>(&field.fallback_value))
        result.set(field.key, share(section({}, default_type(field, *type).schema, {default_origin, place.path}, *type)), default_origin);
    } else if (!std::holds_alternative<std::monostate>(field.fallback_value)) {
      result.set(field.key, field.fallback_value, default_origin);
    }
  }

  std::optional<Value> present(const YamlTree& tree, const Field& field, const Place& place) {
    switch (field.kind) {
      case Kind::section:
        if (!is_section(tree, place, allowed(field), fmt::format("write `{}: {}`", field.key, skeleton(*field.nested)))) return std::nullopt;
        return share(section(tree, *field.nested, place));
      case Kind::choice: return choice(tree, field, place);
      case Kind::sections:
      case Kind::choices: return list(tree, field, place);
      default: return read_value(tree, field, place, folder_, complaints_);
    }
  }

  std::optional<Value> choice(const YamlTree& tree, const Field& field, const Place& place) {
    const auto* fallback = std::get_if<std::string>(&field.fallback_value);
    std::vector<std::string> names;
    for (const auto* entry : Catalogue::instance().entries(field.catalogue)) names.push_back(entry->name);
    const std::string permitted = names.empty() ? "this program has no " + field.catalogue : fmt::format("type: {}", fmt::join(names, ", "));
    const std::string list_hint = "see `percussion list " + field.catalogue + "`";
    if (!is_section(tree, place, permitted, tree.kind == YamlTree::Kind::scalar ? fmt::format("write {{type: {}}}", tree.scalar) : "write {type: ...}"))
      return std::nullopt;

    const YamlTree* type = tree.find("type");
    if (!type && fallback) return share(section(tree, default_type(field, *fallback).schema, place, *fallback));
    if (!type) {
      complaints_.push_back({place.origin, path_below(place.path, "type"), "", "missing: it is required", permitted, "add `type: ...`; " + list_hint});
      return std::nullopt;
    }
    const auto* known = type->kind == YamlTree::Kind::scalar ? Catalogue::instance().find(field.catalogue, type->scalar) : nullptr;
    if (!known) {
      const std::string near = nearest(type->scalar, names);
      complaints_.push_back({type->origin, path_below(place.path, "type"), type->shown(), "unknown type", permitted,
                             near.empty() ? list_hint : fmt::format("did you mean `{}`? {}", near, list_hint)});
      return std::nullopt;
    }
    return share(section(tree, known->schema, place, known->name));
  }

  std::optional<Value> list(const YamlTree& tree, const Field& field, const Place& place) {
    if (tree.kind != YamlTree::Kind::list && tree.kind != YamlTree::Kind::null) {
      complaints_.push_back({place.origin, place.path, tree.shown(), "must be a list", allowed(field), "start every element with `- ` on a line of its own"});
      return std::nullopt;
    }
    if (field.is_required && tree.items.empty()) {
      complaints_.push_back({place.origin, place.path, tree.shown(), "is empty", allowed(field), "add at least one element"});
      return std::nullopt;
    }
    ParametersList result;
    for (std::size_t i = 0; i < tree.items.size(); ++i) {
      const YamlTree& item = tree.items[i];
      const Place here{item.origin, fmt::format("{}[{}]", place.path, i)};
      std::optional<Value> value;
      if (field.kind == Kind::choices) {
        value = choice(item, field, here);
      } else if (is_section(item, here, allowed(field), "write `- " + skeleton(*field.nested) + "`")) {
        value = share(section(item, *field.nested, here));
      }
      if (value) result.push_back(*std::get<std::shared_ptr<const Parameters>>(*value));
    }
    return std::make_shared<const ParametersList>(std::move(result));
  }

  static const Catalogue::Entry& default_type(const Field& field, const std::string& type) {
    if (const auto* entry = Catalogue::instance().find(field.catalogue, type)) return *entry;
    throw std::logic_error(fmt::format("schema: default `{}` of key {} is not registered in {}", type, field.key, field.catalogue));
  }

  static std::shared_ptr<const Parameters> share(Parameters p) { return std::make_shared<const Parameters>(std::move(p)); }

  const std::filesystem::path& folder_;
  std::vector<Complaint>& complaints_;
};

}  // namespace

Parameters validate(const YamlTree& root, const Schema& schema, const std::filesystem::path& folder, std::vector<Complaint>& complaints) {
  schema.check();
  Validator validator(folder, complaints);
  if (!validator.is_section(root, {root.origin, ""}, "key: value lines", "start with `case:`")) return {};
  return validator.section(root, schema, {root.origin, ""});
}

}  // namespace percussion

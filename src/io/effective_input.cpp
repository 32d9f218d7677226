#include "io/effective_input.hpp"

#include <yaml-cpp/yaml.h>

#include "base/registry.hpp"
#include "io/atomic_file.hpp"

namespace percussion {

namespace {

class EffectiveWriter {
 public:
  void section(const Parameters& values, const Schema& schema, bool with_type = false) {
    out_ << YAML::BeginMap;
    if (with_type) out_ << YAML::Key << "type" << YAML::Value << values.type();
    for (const Field& field : schema.fields()) {
      if (!values.has(field.key)) continue;
      out_ << YAML::Key << field.key << YAML::Value;
      value(values, field);
    }
    out_ << YAML::EndMap;
  }
  std::string text() const { return std::string(out_.c_str(), out_.size()) + "\n"; }

 private:
  void value(const Parameters& values, const Field& field) {
    switch (field.kind) {
      case Kind::section: section(values.section(field.key), *field.nested); break;
      case Kind::choice: choice(values.section(field.key), field); break;
      case Kind::sections:
      case Kind::choices: list(values.sections(field.key), field); break;
      case Kind::boolean: out_ << values.boolean(field.key); break;
      case Kind::integer: out_ << values.integer(field.key); break;
      case Kind::real: out_ << to_text(values.real(field.key)); break;
      case Kind::text:
      case Kind::function: out_ << values.text(field.key); break;
      case Kind::reals:
        out_ << YAML::Flow << YAML::BeginSeq;
        for (const double x : values.reals(field.key)) out_ << to_text(x);
        out_ << YAML::EndSeq;
        break;
      case Kind::texts: out_ << YAML::Flow << values.texts(field.key); break;
    }
  }
  void choice(const Parameters& values, const Field& field) {
    const auto* entry = Catalogue::instance().find(field.catalogue, values.type());
    PERCUSSION_CHECK(entry, "a validated type is registered");
    section(values, entry->schema, true);
  }
  void list(const ParametersList& items, const Field& field) {
    if (items.empty()) {
      out_ << YAML::Flow << YAML::BeginSeq << YAML::EndSeq;
      return;
    }
    out_ << YAML::BeginSeq;
    for (const Parameters& item : items) field.nested ? section(item, *field.nested) : choice(item, field);
    out_ << YAML::EndSeq;
  }

  YAML::Emitter out_;
};

}  // namespace

std::string effective_input(const Parameters& input, const Schema& root) {
  EffectiveWriter writer;
  writer.section(input, root);
  return writer.text();
}

void write_effective_input(const std::filesystem::path& file, const Parameters& input, const Schema& root) {
  write_file_atomically(file, "# The input of this run after command-line overrides and defaults.\n" + effective_input(input, root));
}

}  // namespace percussion

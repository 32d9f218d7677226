// percussion list integrators|solvers|...|cases: one line each.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "app/case_schema.hpp"
#include "base/registry.hpp"
#include "command.hpp"
#include "stored_cases.hpp"

namespace percussion {

namespace {

constexpr const char* cases = "cases";

/// The catalogues a case file refers to, and the stored cases.
std::set<std::string> topics() {
  std::set<std::string> result{cases};
  const Schema schema = case_schema();
  for (const Field& field : schema.fields())
    if (!field.catalogue.empty()) result.insert(field.catalogue);
  return result;
}

int list(const Session& session, const std::string& topic) {
  if (!session.is_root) return exit_ok;
  std::vector<std::pair<std::string, std::string>> rows;
  if (topic == cases) {
    for (const StoredCase& stored : stored_cases()) rows.emplace_back(stored.file.string(), stored.title);
  } else {
    for (const auto* entry : Catalogue::instance().entries(topic)) rows.emplace_back(entry->name, entry->documentation);
  }
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  for (const auto& [name, documentation] : rows) fmt::print("{:<{}}  {}\n", name, width, documentation);
  return exit_ok;
}

}  // namespace

void add_list(CLI::App& app, Session& session) {
  CLI::App& command = *app.add_subcommand("list", "What this program offers, one line each");
  const auto topic = std::make_shared<std::string>();
  command.add_option("TOPIC", *topic, "what to list")->required()->check(CLI::IsMember(topics()));
  command.callback([&session, topic] { session.action = [&session, topic] { return list(session, *topic); }; });
}

}  // namespace percussion

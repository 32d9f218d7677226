#include "base/registry.hpp"

#include <stdexcept>

namespace percussion {

Catalogue& Catalogue::instance() {
  static Catalogue catalogue;
  return catalogue;
}

void Catalogue::add(const std::string& catalogue, Entry entry) {
  try {
    entry.schema.check();
  } catch (const std::logic_error& e) {
    throw std::logic_error(catalogue + " " + entry.name + ": " + e.what());
  }
  const std::string name = entry.name;
  if (!entries_[catalogue].emplace(name, std::move(entry)).second)
    throw std::logic_error("registered twice in catalogue " + catalogue + ": " + name);
}

std::vector<const Catalogue::Entry*> Catalogue::entries(const std::string& catalogue) const {
  std::vector<const Entry*> result;
  if (const auto found = entries_.find(catalogue); found != entries_.end())
    for (const auto& [name, entry] : found->second) result.push_back(&entry);
  return result;
}

const Catalogue::Entry* Catalogue::find(const std::string& catalogue, const std::string& name) const {
  const auto found = entries_.find(catalogue);
  if (found == entries_.end()) return nullptr;
  const auto entry = found->second.find(name);
  return entry == found->second.end() ? nullptr : &entry->second;
}

std::vector<std::string> Catalogue::catalogues() const {
  std::vector<std::string> names;
  for (const auto& [name, entries] : entries_) names.push_back(name);
  return names;
}

}  // namespace percussion

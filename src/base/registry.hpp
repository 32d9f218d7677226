// Self-registration: a new integrator, solver, contribution... is one file pair and no central edit.
//
//   static const Registration<Integrator, const Parameters&> registered{
//       "integrators", "moreau", "Moreau's midpoint rule, order 1", schema(), [](const Parameters& p) { return ...; }};
//
// The factories live in Registry<Interface, Args...>; names, one-line documentation and schemas also go to the
// Catalogue, which validation, `percussion list` and `percussion reference` read without knowing the interface.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/schema.hpp"

namespace percussion {

class Catalogue {
 public:
  struct Entry {
    std::string name, documentation;
    Schema schema;
  };
  static Catalogue& instance();
  /// Throws std::logic_error if the name is taken or a default does not fit its field.
  void add(const std::string& catalogue, Entry entry);
  /// Sorted by name. Unknown catalogue: empty.
  std::vector<const Entry*> entries(const std::string& catalogue) const;
  const Entry* find(const std::string& catalogue, const std::string& name) const;
  std::vector<std::string> catalogues() const;

 private:
  std::map<std::string, std::map<std::string, Entry>> entries_;
};

template <class Interface, class... Args>
class Registry {
 public:
  using Factory = std::function<std::unique_ptr<Interface>(Args...)>;
  static Registry& instance() {
    static Registry registry;
    return registry;
  }
  void add(const std::string& name, Factory factory) { factories_.emplace(name, std::move(factory)); }
  /// `name` has been validated against the Catalogue before.
  std::unique_ptr<Interface> create(const std::string& name, Args... args) const {
    return factories_.at(name)(std::forward<Args>(args)...);
  }

 private:
  std::map<std::string, Factory> factories_;
};

template <class Interface, class... Args>
struct Registration {
  Registration(const std::string& catalogue, const std::string& name, const std::string& documentation, Schema schema,
               typename Registry<Interface, Args...>::Factory factory) {
    Catalogue::instance().add(catalogue, {name, documentation, std::move(schema)});
    Registry<Interface, Args...>::instance().add(name, std::move(factory));
  }
};

}  // namespace percussion

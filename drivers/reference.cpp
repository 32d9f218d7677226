// percussion reference: the input reference as Markdown.
#include <fmt/format.h>

#include "app/case_schema.hpp"
#include "command.hpp"
#include "io/reference.hpp"

namespace percussion {

void add_reference(CLI::App& app, Session& session) {
  CLI::App& command = *app.add_subcommand("reference", "Print all keys of the input as Markdown");
  command.callback([&session] {
    session.action = [&session] {
      if (session.is_root) fmt::print("{}", input_reference(case_schema()));
      return static_cast<int>(exit_ok);
    };
  });
}

}  // namespace percussion

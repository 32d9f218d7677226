// percussion check INPUT.yaml [section.key=value ...] [--show]
#include <fmt/format.h>

#include <memory>

#include "app/case_schema.hpp"
#include "app/simulation.hpp"
#include "command.hpp"
#include "io/effective_input.hpp"
#include "io/input.hpp"

namespace percussion {

namespace {

struct Arguments : InputArguments {
  bool show = false;
};

int check(const Session& session, const Arguments& arguments) {
  const Schema schema = case_schema();
  const Parameters input = read_input(session.comm, arguments.file, arguments.overrides, schema);
  check_case_rules(input);
  check_case(session.comm, input);
  if (!session.is_root) return exit_ok;
  if (arguments.show) {
    fmt::print("{}", effective_input(input, schema));
  } else if (!session.quiet) {
    fmt::print("{}: ok\n", arguments.file);
  }
  return exit_ok;
}

}  // namespace

void add_check(CLI::App& app, Session& session) {
  CLI::App& command = *app.add_subcommand("check", "Read and validate a case without running it");
  const auto arguments = std::make_shared<Arguments>();
  add_input_arguments(command, *arguments);
  command.add_flag("--show", arguments->show, "print the effective input: overrides and defaults filled in");
  command.callback([&session, arguments] { session.action = [&session, arguments] { return check(session, *arguments); }; });
}

}  // namespace percussion

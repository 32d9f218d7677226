// percussion run INPUT.yaml [section.key=value ...] [--output FOLDER] [-- PETSc options]
#include <memory>

#include "app/case_schema.hpp"
#include "app/simulation.hpp"
#include "command.hpp"
#include "io/input.hpp"

namespace percussion {

namespace {

struct Arguments : InputArguments {
  std::string output;
};

int run(const Session& session, Arguments arguments) {
  // As an override, so that the effective input tells the folder that was used.
  if (!arguments.output.empty()) arguments.overrides.push_back("output.folder=" + arguments.output);
  const Parameters input = read_input(session.comm, arguments.file, arguments.overrides, case_schema());
  check_case_rules(input);
  RunOptions options;
  options.output = output_folder(input);
  options.quiet = session.quiet;
  return run_case(session.comm, input, options);
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  CLI::App& command = *app.add_subcommand("run", "Simulate a case; PETSc options after --");
  const auto arguments = std::make_shared<Arguments>();
  add_input_arguments(command, *arguments);
  command.add_option("-o,--output", arguments->output, "results folder (default: output.folder of the input)");
  command.callback([&session, arguments] { session.action = [&session, arguments] { return run(session, *arguments); }; });
}

}  // namespace percussion

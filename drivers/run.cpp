// percussion run INPUT.yaml [section.key=value ...] [--output FOLDER] [--restart FILE|latest] [--walltime TIME]
//                [-- PETSc options]
#include <memory>
#include <regex>

#include "app/case_schema.hpp"
#include "app/simulation.hpp"
#include "command.hpp"
#include "io/input.hpp"

namespace percussion {

namespace {

struct Arguments : InputArguments {
  std::string output, restart, walltime;
};

/// Seconds of `3600`, `MM:SS`, `HH:MM:SS` or `D-HH:MM:SS`, as SLURM writes them.
double seconds_of(const std::string& text) {
  const auto wrong = [&] {
    return InputError(Complaint{{"command line", 0}, "--walltime", text, "no time", "seconds, MM:SS, HH:MM:SS or D-HH:MM:SS, more than zero", "for instance --walltime 01:30:00"});
  };
  static const std::regex form(R"((?:(\d+)-)?(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d+)?))");
  std::smatch part;
  if (!std::regex_match(text, part, form)) throw wrong();
  const auto value = [&](int k) { return part[k].matched ? std::stod(part[k].str()) : 0.; };
  const double seconds = ((value(1) * 24 + value(2)) * 60 + value(3)) * 60 + value(4);
  if (!(seconds > 0)) throw wrong();
  return seconds;
}

int run(const Session& session, Arguments arguments) {
  // As an override, so that the effective input tells the folder that was used.
  if (!arguments.output.empty()) arguments.overrides.push_back("output.folder=" + arguments.output);
  const Parameters input = read_input(session.comm, arguments.file, arguments.overrides, case_schema());
  check_case_rules(input);
  RunOptions options;
  options.output = output_folder(input);
  options.quiet = session.quiet;
  options.restart = arguments.restart;
  if (!arguments.walltime.empty()) options.walltime = seconds_of(arguments.walltime);
  return run_case(session.comm, input, options);
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  CLI::App& command = *app.add_subcommand("run", "Simulate a case; PETSc options after --");
  const auto arguments = std::make_shared<Arguments>();
  add_input_arguments(command, *arguments);
  command.add_option("-o,--output", arguments->output, "results folder (default: output.folder of the input)");
  command.add_option("--restart", arguments->restart, "go on from a checkpoint: a file, or `latest` of the results folder");
  command.add_option("--walltime", arguments->walltime, "seconds or [D-][HH:]MM:SS after which the run must be over: it stops before with a checkpoint");
  command.callback([&session, arguments] { session.action = [&session, arguments] { return run(session, *arguments); }; });
}

}  // namespace percussion

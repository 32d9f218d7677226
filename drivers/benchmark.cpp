// percussion benchmark INPUT.yaml [section.key=value ...] [--steps N]
#include <fmt/format.h>

#include <memory>

#include "app/benchmark.hpp"
#include "app/case_schema.hpp"
#include "command.hpp"
#include "io/input.hpp"

namespace percussion {

namespace {

struct Arguments : InputArguments {
  std::int64_t steps = 100;
};

int benchmark(const Session& session, const Arguments& arguments) {
  const Parameters input = read_input(session.comm, arguments.file, arguments.overrides, case_schema());
  check_case_rules(input);
  const BenchmarkResult result = run_benchmark(session.comm, input, arguments.steps);
  if (session.is_root) fmt::print("{}", to_string(result));
  return exit_ok;
}

}  // namespace

void add_benchmark(CLI::App& app, Session& session) {
  CLI::App& command = *app.add_subcommand("benchmark", "Run a case to its end without output, then measure the speed of further steps");
  const auto arguments = std::make_shared<Arguments>();
  add_input_arguments(command, *arguments);
  command.add_option("--steps", arguments->steps, "measured steps")->check(CLI::PositiveNumber)->capture_default_str();
  command.callback([&session, arguments] { session.action = [&session, arguments] { return benchmark(session, *arguments); }; });
}

}  // namespace percussion

// percussion bench INPUT.yaml [section.key=value ...] [--steps N] [--settle INTEGRATOR] [--warm-up N] [--cold] [--json]
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "app/benchmark.hpp"
#include "app/case_schema.hpp"
#include "command.hpp"
#include "io/input.hpp"

namespace percussion {

namespace {

struct Arguments : InputArguments {
  BenchmarkPlan plan;
  std::string settle;
  bool json = false;
};

int bench(const Session& session, const Arguments& arguments) {
  const Parameters input = read_input(session.comm, arguments.file, arguments.overrides, case_schema());
  check_case_rules(input);
  BenchmarkPlan plan = arguments.plan;
  std::optional<Parameters> settle;
  if (!arguments.settle.empty()) {
    std::vector<std::string> overrides = arguments.overrides;
    overrides.push_back("integrator={type: " + arguments.settle + "}");
    settle = read_input(session.comm, arguments.file, overrides, case_schema());
    plan.settle = &*settle;
  }
  const BenchmarkResult result = run_benchmark(session.comm, input, plan);
  if (session.is_root) fmt::print("{}", arguments.json ? to_json(result) : to_string(result));
  return exit_ok;
}

}  // namespace

void add_bench(CLI::App& app, Session& session) {
  CLI::App& command = *app.add_subcommand("bench", "Run a case to its end without output, then measure the speed of further steps");
  const auto arguments = std::make_shared<Arguments>();
  add_input_arguments(command, *arguments);
  command.add_option("--steps", arguments->plan.steps, "measured steps")->check(CLI::PositiveNumber)->capture_default_str();
  command.add_option("--settle", arguments->settle, "integrator that brings the case to its end (default: that of the input)");
  command.add_option("--warm-up", arguments->plan.warm_up, "steps before the measured ones")->check(CLI::NonNegativeNumber)->capture_default_str();
  command.add_flag("--cold", arguments->plan.cold, "start every measured step without the percussions of the step before");
  command.add_flag("--json", arguments->json, "print the figures as JSON");
  command.callback([&session, arguments] { session.action = [&session, arguments] { return bench(session, *arguments); }; });
}

}  // namespace percussion

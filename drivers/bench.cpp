// percussion bench INPUT.yaml [section.key=value ...] [--steps N] [--settle KEY=VALUE ...] [--warm-up N] [--cold] [--json FILE]
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
  std::vector<std::string> settle;
  std::string json;
};

int bench(const Session& session, const Arguments& arguments) {
  const Parameters input = read_input(session.comm, arguments.file, arguments.overrides, case_schema());
  check_case_rules(input);
  BenchmarkPlan plan = arguments.plan;
  std::optional<Parameters> settle;
  if (!arguments.settle.empty()) {
    std::vector<std::string> overrides = arguments.overrides;
    overrides.insert(overrides.end(), arguments.settle.begin(), arguments.settle.end());
    settle = read_input(session.comm, arguments.file, overrides, case_schema());
    plan.settle = &*settle;
  }
  const BenchmarkResult result = run_benchmark(session.comm, input, plan);
  if (session.is_root) fmt::print("{}", to_string(result));
  all_or_none(session.comm, [&] {
    if (session.is_root && !arguments.json.empty()) write_json(arguments.json, result);
  });
  return exit_ok;
}

}  // namespace

void add_bench(CLI::App& app, Session& session) {
  CLI::App& command = *app.add_subcommand("bench", "Run a case to its end without output, then measure the speed of further steps");
  const auto arguments = std::make_shared<Arguments>();
  add_input_arguments(command, *arguments);
  command.add_option("--steps", arguments->plan.steps, "measured steps")->check(CLI::PositiveNumber)->capture_default_str();
  command.add_option("--settle", arguments->settle, "keys of the integrator or the solver that differ until the case has come to its end, e.g. integrator={type: moreau}; may be repeated");
  command.add_option("--warm-up", arguments->plan.warm_up, "steps before the measured ones")->check(CLI::NonNegativeNumber)->capture_default_str();
  command.add_flag("--cold", arguments->plan.cold, "start every measured step without the percussions of the step before");
  command.add_option("--json", arguments->json, "write the figures to this file, too (for postprocess/scaling_table.py)");
  command.callback([&session, arguments] { session.action = [&session, arguments] { return bench(session, *arguments); }; });
}

}  // namespace percussion

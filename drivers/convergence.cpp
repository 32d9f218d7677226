// percussion convergence INPUT.yaml [section.key=value ...] --integrators a,b --steps h1,h2,... --reference h
//   [--reference-integrator name] [--norm l1|l2|linf|lp --p P] [--distance graph] [--output FILE.csv]
//
// Exit code 0 only if every row ran, 3 if some run could not go on (the table says which and why).
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <memory>

#include "app/convergence.hpp"
#include "app/convergence_report.hpp"
#include "command.hpp"
#include "io/atomic_file.hpp"

namespace percussion {

namespace {

// Lists are texts here and split by ourselves: an option with several values would swallow the overrides that follow it.
struct Arguments : InputArguments {
  std::string integrators, steps, reference, reference_integrator, norm = "l1", p, distance = "grid", output;
};

[[noreturn]] void complain(const char* argument, const std::string& value, const char* problem, const char* allowed, const char* fix) {
  throw InputError(Complaint{{"command line", 0}, argument, value, problem, allowed, fix});
}

double number(const std::string& text, const char* argument, const char* allowed, const char* fix) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || std::isnan(value)) complain(argument, text, "not a number", allowed, fix);
  return value;
}

/// |e|^p of small errors must stay above the smallest number.
constexpr double largest_p = 16;

double exponent(const Arguments& a) {
  const char* const allowed = "a number from 1 to 16, or inf";
  if (a.norm != "lp") {
    if (!a.p.empty()) complain("--p", a.p, "only the norm lp has an exponent", "--norm lp --p P", "add `--norm lp` or drop --p");
    return a.norm == "l1" ? 1 : a.norm == "l2" ? 2 : INFINITY;
  }
  if (a.p.empty()) complain("--p", "", "missing: the norm lp needs it", allowed, "add `--p 3`");
  const double p = number(a.p, "--p", allowed, "correct it");
  if (!(p >= 1 && (p <= largest_p || std::isinf(p)))) complain("--p", a.p, "not an exponent of a norm", allowed, "correct it");
  return p;
}

ConvergenceStudy study_from(const Arguments& a) {
  const char *const allowed = "step sizes in s, separated by commas", *const fix = "write for example 0.01,0.005";
  ConvergenceStudy study{a.file, a.overrides, parse_methods(a.integrators, "--integrators"), {}, 0, {}, exponent(a), a.distance == "graph"};
  for (const std::string& step : split_list(a.steps, "--steps")) study.steps.push_back(number(step, "--steps", allowed, fix));
  study.reference_step = number(a.reference, "--reference", "a step size in s", "write for example 1e-4");
  if (a.reference_integrator.empty()) return study;
  const auto methods = parse_methods(a.reference_integrator, "--reference-integrator");
  if (methods.size() > 1) complain("--reference-integrator", a.reference_integrator, "more than one method", "one method", "keep one of them");
  study.reference_method = methods.front();
  return study;
}

int convergence(const Session& session, const Arguments& arguments) {
  const ConvergenceStudy study = study_from(arguments);
  // After every row, so that a long study leaves something if it is ended.
  const auto write = [&](const ConvergenceRows& rows) {
    if (arguments.output.empty()) return;
    all_or_none(session.comm, [&] {
      if (session.is_root) write_file_atomically(arguments.output, to_csv(study, rows));
    });
  };
  const ConvergenceRows rows = run_convergence(session.comm, study, write);
  if (session.is_root && !session.quiet) fmt::print("{}", to_table(study, rows));
  return any_failed(rows) ? exit_run : exit_ok;
}

}  // namespace

void add_convergence(CLI::App& app, Session& session) {
  CLI::App& command = *app.add_subcommand("convergence", "Run a case with several integrators and step sizes and compare with a reference run");
  const auto a = std::make_shared<Arguments>();
  add_input_arguments(command, *a);
  command.add_option("--integrators", a->integrators, "methods by comma, with options as name{key=value,key=value} (quote them)")->required();
  command.add_option("--steps", a->steps, "step sizes in s, by comma")->required();
  command.add_option("--reference", a->reference, "step size of the reference run; it divides all others")->required();
  command.add_option("--reference-integrator", a->reference_integrator, "method of the reference run (default: each method with itself)");
  command.add_option("--norm", a->norm, "norm over the grid points")->check(CLI::IsMember({"l1", "l2", "linf", "lp"}))->capture_default_str();
  command.add_option("--p", a->p, "exponent of the norm lp, or inf");
  command.add_option("--distance", a->distance, "error in u: at the grid points, or between the filled-in graphs")
      ->check(CLI::IsMember({"grid", "graph"}))
      ->capture_default_str();
  command.add_option("-o,--output", a->output, "the table as CSV");
  command.callback([&session, a] { session.action = [&session, a] { return convergence(session, *a); }; });
}

}  // namespace percussion

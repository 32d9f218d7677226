#include "io/run_summary.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/atomic_file.hpp"
#include "io/json_writer.hpp"

namespace percussion {

namespace {

std::optional<double> penetration_per_radius(const RunSummary& s) {
  if (!s.smallest_radius || !(*s.smallest_radius > 0)) return std::nullopt;
  return s.deepest_penetration / *s.smallest_radius;
}

void append_phases(std::string& text, const RunSummary& s) {
  if (s.phases.empty()) return;
  double total = 0;
  std::size_t width = 9;
  for (const auto& phase : s.phases) total += phase.avg, width = std::max(width, phase.name.size());
  text += fmt::format("\n  {:<{}}  {:>9}  {:>9}  {:>9}  {:>6}  {:>7}\n", "phase [s]", width, "min", "avg",
                      "max", "share", "max/avg");
  for (const auto& phase : s.phases)
    text += fmt::format("  {:<{}}  {:>9.3f}  {:>9.3f}  {:>9.3f}  {:>5.1f}%  {:>7.2f}\n", phase.name, width,
                        phase.min, phase.avg, phase.max, total > 0 ? 100 * phase.avg / total : 0,
                        phase.avg > 0 ? phase.max / phase.avg : 1);
}

}  // namespace

std::string clock_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "--:--";
  const auto total = static_cast<std::int64_t>(std::min(std::round(seconds), 1e12));
  const auto days = total / 86400, hours = total / 3600 % 24, minutes = total / 60 % 60, rest = total % 60;
  if (days > 0) return fmt::format("{}d {:02}:{:02}:{:02}", days, hours, minutes, rest);
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, rest);
  return fmt::format("{:02}:{:02}", minutes, rest);
}

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) value /= 1024, ++unit;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, units[unit]);
}

std::string to_string(const RunSummary& s) {
  std::string text;
  const auto line = [&text](const char* label, const std::string& value) {
    text += fmt::format("  {:<20}{}\n", label, value);
  };
  text +=
      fmt::format("Summary of {} ({} {}): {}\n", s.name, s.ranks, s.ranks == 1 ? "rank" : "ranks", s.status);
  const double wall = std::max(s.wall_time, s.wall_time_total);
  line("steps", wall > 0 ? fmt::format("{} ({:.4g} per second)", s.steps, s.steps / wall)
                                : fmt::format("{}", s.steps));
  line("simulated time", fmt::format("{:.6g} s", s.simulated_time));
  line("wall time", fmt::format("{:.3f} s ({})", s.wall_time, clock_text(s.wall_time)));
  if (!s.restarts.empty())
    line("restarts", fmt::format("{}, the last at step {}; {} in all", s.restarts.size(), s.restarts.back().step, clock_text(s.wall_time_total)));
  line("contacts", fmt::format("{} at the end, {} at most", s.contacts_last, s.contacts_max));
  line("worst residual", fmt::format("{:.3g}", s.worst_residual));
  line("not converged", s.unconverged_steps == 0
                            ? std::string("no step")
                            : fmt::format("{} of {} steps", s.unconverged_steps, s.steps));
  const auto relative = penetration_per_radius(s);
  line("deepest penetration",
       fmt::format("{:.3g} m", s.deepest_penetration) +
           (relative ? fmt::format(" ({:.3g} of the smallest radius)", *relative) : std::string()));
  line("iterations", fmt::format("{:.4g} per step, {} at most", s.iterations_avg, s.iterations_max));
  line("peak memory", fmt::format("{} in all, {} on the largest rank", bytes_text(s.memory_total),
                                  bytes_text(s.memory_max)));
  append_phases(text, s);
  if (!s.files.empty()) text += "\n  files\n";
  for (const auto& file : s.files) text += "    " + file + '\n';
  return text;
}

std::string to_json(const RunSummary& s) {
  JsonWriter json;
  json.begin_object();
  json.member("name", s.name);
  json.member("status", s.status);
  json.member("exit_code", s.exit_code);
  json.member("ranks", s.ranks);
  json.member("steps", s.steps);
  json.member("simulated_time", s.simulated_time);
  json.member("wall_time", s.wall_time);
  json.member("wall_time_total", s.wall_time_total);
  json.begin_array("restarts");
  for (const auto& restart : s.restarts) {
    json.begin_object();
    json.member("checkpoint", restart.checkpoint);
    json.member("step", restart.step);
    json.member("time", restart.time);
    json.member("ranks", restart.ranks);
    json.end_object();
  }
  json.end_array();
  json.member("last_checkpoint", s.last_checkpoint);
  json.member("contacts_last", s.contacts_last);
  json.member("contacts_max", s.contacts_max);
  json.member("worst_residual", s.worst_residual);
  json.member("unconverged_steps", s.unconverged_steps);
  json.member("deepest_penetration", s.deepest_penetration);
  json.member("smallest_radius", s.smallest_radius);
  json.member("penetration_per_radius", penetration_per_radius(s));
  json.member("iterations_avg", s.iterations_avg);
  json.member("iterations_max", s.iterations_max);
  json.member("memory_total", s.memory_total);
  json.member("memory_max", s.memory_max);
  json.begin_array("phases");
  for (const auto& phase : s.phases) {
    json.begin_object();
    json.member("name", phase.name);
    json.member("min", phase.min);
    json.member("avg", phase.avg);
    json.member("max", phase.max);
    json.end_object();
  }
  json.end_array();
  json.begin_array("files");
  for (const auto& file : s.files) json.element(file);
  json.end_array();
  json.end_object();
  return json.text() + '\n';
}

void write_json(const std::filesystem::path& path, const RunSummary& summary) {
  write_file_atomically(path, to_json(summary));
}

MemoryUse peak_memory(MPI_Comm comm) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const std::int64_t mine = std::int64_t{usage.ru_maxrss} * 1024;  // Linux counts in KiB
  MemoryUse result;
  MPI_Allreduce(&mine, &result.total, 1, MPI_INT64_T, MPI_SUM, comm);
  MPI_Allreduce(&mine, &result.max, 1, MPI_INT64_T, MPI_MAX, comm);
  return result;
}

}  // namespace percussion

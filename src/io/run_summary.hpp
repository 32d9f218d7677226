// What a run reports at its end, as text for people and as summary.json for programs.
//
// A plain struct of global values: the caller has reduced them over the ranks. Formatting is local.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace percussion {

struct PhaseTime {
  std::string name;
  double min = 0, avg = 0, max = 0;  ///< seconds, over ranks
};

/// A run that was continued.
struct RestartRecord {
  std::string checkpoint;  ///< file it went on from
  std::int64_t step = 0;
  double time = 0;  ///< simulated, s
  int ranks = 1;    ///< that went on
};

struct RunSummary {
  std::string name;    ///< of the case
  std::string status;  ///< `finished`, `stopped by SIGTERM`, ...
  int exit_code = 0;
  int ranks = 1;

  std::int64_t steps = 0;
  double simulated_time = 0;  ///< s
  double wall_time = 0;       ///< s, of this start of the program
  double wall_time_total = 0; ///< s, with the runs it continues
  std::vector<RestartRecord> restarts;         ///< oldest first; steps and the like count all of them
  std::optional<std::string> last_checkpoint;  ///< file

  std::int64_t contacts_last = 0, contacts_max = 0;
  double worst_residual = 0;
  std::int64_t unconverged_steps = 0;
  double deepest_penetration = 0;         ///< m, >= 0
  std::optional<double> smallest_radius;  ///< m, if there are round bodies
  double iterations_avg = 0;              ///< per step
  std::int64_t iterations_max = 0;

  std::int64_t memory_total = 0, memory_max = 0;  ///< peak bytes: of all ranks together, of the largest rank
  std::vector<PhaseTime> phases;
  std::vector<std::string> files;
};

/// Several lines, ends with a newline.
std::string to_string(const RunSummary& summary);

/// One JSON object with the members of RunSummary by their names (and penetration_per_radius); numbers that
/// are not finite become null.
std::string to_json(const RunSummary& summary);

/// Local, atomic; RunError with path and reason.
void write_json(const std::filesystem::path& path, const RunSummary& summary);

/// Peak resident memory in bytes: of all ranks together, of the largest rank. Collective.
struct MemoryUse {
  std::int64_t total = 0, max = 0;
};
MemoryUse peak_memory(MPI_Comm comm);

/// `00:12`, `1:02:03`, `2d 03:04:05`; `--:--` if not finite.
std::string clock_text(double seconds);
/// `1.5 GiB`
std::string bytes_text(std::int64_t bytes);

}  // namespace percussion

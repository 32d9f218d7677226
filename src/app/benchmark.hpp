// Measures the speed of a case in its settled state: time per phase, contact updates per second, memory per body.
#pragma once
#include <mpi.h>

#include <optional>
#include <filesystem>
#include <string>
#include <vector>

#include "base/parameters.hpp"
#include "io/run_summary.hpp"

namespace percussion {

struct BenchmarkResult {
  int ranks = 1;
  std::int64_t bodies = 0, steps = 0;
  double contacts = 0;             ///< average of the measured steps
  double sweeps = 0;               ///< per step
  double seconds_per_step = 0;     ///< wall time, slowest rank
  double updates_per_second = 0;   ///< one contact relaxed once; per rank, in the sweeps (checks of the residual are a phase of their own)
  double shaped_share = 0;         ///< of the contacts: those of other bodies than spheres, whose updates cost more
  double residual = 0;             ///< worst of the measured steps
  double penetration = 0;          ///< m, deepest of the measured steps
  std::optional<double> penetration_per_radius;  ///< of the smallest radius, if there are round bodies
  double wall_per_simulated_second = 0;
  double detection_share = 0;      ///< of the time of a step
  double imbalance = 1;            ///< slowest rank by average, in all phases but exchange
  double bytes_per_body = 0;       ///< growth of the resident memory since before the case was built, at its peak
  double peak_bytes = 0;           ///< resident memory of all ranks at its peak, program and libraries included
  std::vector<std::pair<std::string, double>> held;  ///< bytes per body held by each data structure between steps
  std::int64_t rebuilds = 0;       ///< of the candidate list in the measured steps
  std::vector<PhaseTime> phases;
};

struct BenchmarkPlan {
  std::int64_t steps = 100;
  bool cold = false;                   ///< detected contacts start at P = 0 in every measured step
  std::int64_t warm_up = 0;            ///< steps before the measured ones, with the integrator of the input
  const Parameters* settle = nullptr;  ///< input whose integrator and solver bring the case to its end; nullptr: the input itself
};

/// Collective. Runs the case to its end without output, then measures further steps.
BenchmarkResult run_benchmark(MPI_Comm comm, const Parameters& input, const BenchmarkPlan& plan);

std::string to_string(const BenchmarkResult& result);

/// Local, atomic: the members by their names, phases in seconds per step. postprocess/scaling_table.py reads it.
void write_json(const std::filesystem::path& path, const BenchmarkResult& result);

}  // namespace percussion

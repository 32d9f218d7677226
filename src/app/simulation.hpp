// The simulation loop: steps a case from start to end, writes frames, time series and checkpoints, and reports.
#pragma once
#include <mpi.h>

#include <filesystem>
#include <optional>
#include <string>

#include "base/parameters.hpp"

namespace percussion {

struct RunOptions {
  std::filesystem::path output;
  bool quiet = false;
  std::string restart;             ///< a checkpoint, or `latest` of the results folder; empty: from the start
  std::optional<double> walltime;  ///< seconds after which the program must have ended
};

/// Collective. `input` is validated. Returns the exit code: 0, or exit_stopped (app/stop_request.hpp) after a signal or
/// near the end of the wall time, with a checkpoint written. Errors are exceptions, the same on all ranks. Nothing is
/// written before the case is known to be consistent.
int run_case(MPI_Comm comm, const Parameters& input, const RunOptions& options);

/// Collective. Builds the case and checks its initial state, without writing or stepping.
void check_case(MPI_Comm comm, const Parameters& input);

}  // namespace percussion

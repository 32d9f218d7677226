// The simulation loop: steps a case from start to end, writes frames and time series, and reports.
#pragma once
#include <mpi.h>

#include <filesystem>

#include "base/parameters.hpp"

namespace percussion {

struct RunOptions {
  std::filesystem::path output;
  bool quiet = false;
};

/// Collective. `input` is validated. Returns the exit code; errors are exceptions, the same on all ranks. Nothing is
/// written before the case is known to be consistent.
int run_case(MPI_Comm comm, const Parameters& input, const RunOptions& options);

/// Collective. Builds the case and checks its initial state, without writing or stepping.
void check_case(MPI_Comm comm, const Parameters& input);

}  // namespace percussion

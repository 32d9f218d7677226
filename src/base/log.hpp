// Rank-aware log on top of spdlog: rank 0 prints, other ranks only warn and fail (with their rank).
#pragma once
#include <mpi.h>
#include <spdlog/spdlog.h>

#include <string>

namespace percussion::log {

/// Call once after MPI_Init. `file` (may be empty): a copy of everything, rank 0 only.
void start(MPI_Comm comm, spdlog::level::level_enum level, const std::string& file = {});
/// Adds a log file (rank 0) once the results folder is known.
void add_file(const std::string& file);

using spdlog::debug;
using spdlog::error;
using spdlog::info;
using spdlog::warn;

}  // namespace percussion::log

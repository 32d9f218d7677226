// Rank-aware log on top of spdlog: rank 0 prints, other ranks only warn and fail (with their rank).
//
// Console: messages below a warning on stdout, the rest on stderr; either as text or as JSON lines, one object per
// message with time, level, rank, message and the fields of an event. The log file is text in any case.
#pragma once
#include <mpi.h>
#include <spdlog/spdlog.h>

#include <string>
#include <string_view>

namespace percussion::log {

enum class Format { text, json };
/// Where an event goes beside the log file.
enum class Console { yes, no };

/// Call once after MPI_Init. `file` (may be empty): a copy of everything, rank 0 only.
void start(MPI_Comm comm, spdlog::level::level_enum level, const std::string& file = {}, Format format = Format::text);
/// Adds a log file (rank 0) once the results folder is known; an old one is continued or replaced.
void add_file(const std::string& file, bool continued = false);

Format format();
/// Whether messages of this level reach the console.
bool shows(spdlog::level::level_enum level);

/// A message with data: `members` are JSON members without braces (`"step": 12, "eta": 3.5`), seen in JSON lines only.
void event(const std::string& text, std::string_view members, Console console = Console::yes);

using spdlog::debug;
using spdlog::error;
using spdlog::info;
using spdlog::warn;

}  // namespace percussion::log

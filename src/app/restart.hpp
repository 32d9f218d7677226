// Going on from a checkpoint.
#pragma once
#include <filesystem>
#include <string>

#include "app/checkpoints.hpp"

namespace percussion {

/// Collective. The file that `--restart` means: `latest` of the folder, or a path. InputError if there is
/// none.
std::filesystem::path restart_file(MPI_Comm comm, const std::string& wanted, const CheckpointFolder& folder);

/// Collective. Gives `c`, built but not begun, the state of the file. A file that is truncated, damaged, of a
/// newer program or of another case is an InputError that names the checkpoint to take instead, if there is
/// one beside it.
RunState restart(Case& c, const Parameters& input, const std::filesystem::path& file);

}  // namespace percussion

// The input of a run: YAML file + command-line overrides, validated whole against a Schema.
//
// Either the result is complete and correct (types, ranges, defaults, existing files) or one InputError lists every
// mistake found, each with file, line, key, value, what is allowed and the fix. Nothing runs before that.
#pragma once
#include <mpi.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/schema.hpp"

namespace percussion {

/// Serial. `overrides`: see io/overrides.hpp. File names in the input are relative to its folder.
Parameters read_input(const std::filesystem::path& file, const std::vector<std::string>& overrides, const Schema& root);

/// Collective. Rank 0 reads and validates (also the files the input names); the others receive its result or its
/// InputError. So ranks cannot disagree, whatever the file system of their node shows.
Parameters read_input(MPI_Comm comm, const std::filesystem::path& file, const std::vector<std::string>& overrides, const Schema& root);

/// The same from a text; `name` stands for the file in messages.
Parameters parse_input(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                       const std::vector<std::string>& overrides, const Schema& root);

}  // namespace percussion

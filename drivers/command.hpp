// A command of the executable is one file: it declares its options on a CLI::App subcommand and sets Session::action,
// which main runs on every rank after parsing. A new command is one file and one line in `commands` below.
#pragma once
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace percussion {

struct Session {
  MPI_Comm comm = MPI_COMM_NULL;
  bool is_root = true;  ///< prints
  bool quiet = false;
  bool verbose = false;
  std::function<int()> action;  ///< collective; returns the exit code
};

void add_run(CLI::App& app, Session& session);
void add_check(CLI::App& app, Session& session);
void add_list(CLI::App& app, Session& session);
void add_reference(CLI::App& app, Session& session);
void add_bench(CLI::App& app, Session& session);
void add_convergence(CLI::App& app, Session& session);
void add_solve(CLI::App& app, Session& session);
void add_messages(CLI::App& app, Session& session);

inline constexpr void (*commands[])(CLI::App&, Session&) = {add_run, add_check, add_list, add_reference, add_bench, add_convergence, add_solve, add_messages};

/// INPUT.yaml [section.key=value ...], the positional arguments run and check share.
struct InputArguments {
  std::string file;
  std::vector<std::string> overrides;
};
inline void add_input_arguments(CLI::App& command, InputArguments& arguments) {
  command.add_option("INPUT", arguments.file, "YAML input file")->required();
  command.add_option("OVERRIDES", arguments.overrides, "section.key=value, replaces what the file says");
}

}  // namespace percussion

// percussion COMMAND ...: one executable, one file per command (command.hpp).
//
// Exit codes: 0 success, 2 a mistake in the input or the command line, 3 the run could not go on, 4 a run was stopped by a
// signal or before the end of its wall time and can be restarted, 1 anything else.
#include <petscsys.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <ostream>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "command.hpp"
#include "exit_agreement.hpp"
#include "version.hpp"

namespace percussion {

namespace {

int parse_and_run(MPI_Comm comm, int argc, char** argv) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  Session session;
  session.comm = comm;
  session.is_root = rank == 0;

  CLI::App app("Percussion: nonsmooth dynamics with contact, friction and impacts", "percussion");
  app.set_version_flag("--version", version_text);
  app.add_flag("-q,--quiet", session.quiet, "only warnings and errors");
  app.add_flag("-v,--verbose", session.verbose, "more messages");
  std::string level, format = "text";
  app.add_option("--log-level", level, "least level of messages on the console: debug, info, warn, error")->check(CLI::IsMember({"debug", "info", "warn", "error"}));
  app.add_option("--log-format", format, "text, or json: one JSON object per line")->check(CLI::IsMember({"text", "json"}));
  app.require_subcommand(1);
  app.fallthrough();  // --quiet may also follow the command
  for (const auto add : commands) add(app, session);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    std::ostream nowhere(nullptr);
    const int status = app.exit(e, session.is_root ? std::cout : nowhere, session.is_root ? std::cerr : nowhere);
    return status == 0 ? exit_ok : exit_input;
  }
  if (level.empty()) level = session.quiet ? "warn" : session.verbose ? "debug" : "info";
  log::start(comm, spdlog::level::from_str(level), {}, format == "json" ? log::Format::json : log::Format::text);
  ExitAgreement agreement(comm);
  return agreement.run(session.action);
}

}  // namespace

}  // namespace percussion

int main(int argc, char** argv) {
  // Threads of libraries would compete with the ranks for the cores; a value the user set wins.
  for (const char* variable : {"OMP_NUM_THREADS", "SCOTCH_PTHREAD_NUMBER"}) setenv(variable, "1", /*overwrite=*/0);

  // What follows `--` belongs to PETSc, the rest to us.
  char** const end = argv + argc;
  char** const separator = std::find(argv, end, std::string_view("--"));
  std::vector<char*> petsc_arguments{argv[0]};
  if (separator != end) petsc_arguments.insert(petsc_arguments.end(), separator + 1, end);
  int petsc_argc = static_cast<int>(petsc_arguments.size());
  petsc_arguments.push_back(nullptr);
  char** petsc_argv = petsc_arguments.data();
  if (PetscInitialize(&petsc_argc, &petsc_argv, nullptr, nullptr) != 0) return percussion::exit_internal;

  const int code = percussion::parse_and_run(PETSC_COMM_WORLD, static_cast<int>(separator - argv), argv);
  PetscFinalize();
  return code;
}

#include "app/restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "app/case_identity.hpp"
#include "app/case_state.hpp"

namespace percussion {

namespace {

void check_case(const CheckpointReader& file, const std::string& identity) {
  const std::string difference = first_difference(file.text("run/case"), identity);
  if (!difference.empty())
    throw InputError(
        Complaint{{file.path().string(), 0},
                  "",
                  "",
                  "the checkpoint is of another case: " + difference,
                  "the same case; time.end, solver, partition, domain, output and checkpoint may change",
                  "use the input the checkpoint was made with (it is in the file as run/input), or start "
                  "anew without --restart"});
}

RunState read_state(const CheckpointReader& file) {
  RunState state;
  state.step = file.integer("run/step"), state.unconverged = file.integer("run/unconverged_steps");
  const auto counts = file.common<std::int64_t>("run/counts");
  const auto numbers = file.common<double>("run/numbers");
  state.totals = {counts.at(0), counts.at(1),  counts.at(2),  counts.at(3),
                  counts.at(4), numbers.at(0), numbers.at(1), numbers.at(2)};
  std::istringstream lines(file.text("run/restarts"));
  RestartRecord r;
  while (lines >> r.step >> r.time >> r.ranks && std::getline(lines >> std::ws, r.checkpoint))
    state.restarts.push_back(r);
  return state;
}

/// Collective. The newest checkpoint beside `refused` and before it that a restart would accept; empty if
/// there is none.
std::filesystem::path good_one_before(MPI_Comm comm, const std::filesystem::path& refused,
                                      const std::string& identity) {
  const std::filesystem::path folder = refused.has_parent_path() ? refused.parent_path() : ".";
  const auto stored = CheckpointFolder(folder).list();
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  // Names from rank 0: other machines may see a folder late. Those with a step of their own come before by
  // it.
  std::string names;
  const auto name = refused.filename();
  const bool has_step =
      std::ranges::any_of(stored, [&](const StoredCheckpoint& c) { return c.file.filename() == name; });
  for (auto c = stored.rbegin(); rank == 0 && c != stored.rend(); ++c)
    if (has_step ? c->file.filename() < name : c->file.filename() != name)
      names += c->file.filename().string() + '\n';
  auto size = static_cast<int>(names.size());
  MPI_Bcast(&size, 1, MPI_INT, 0, comm);
  names.resize(static_cast<std::size_t>(size));
  MPI_Bcast(names.data(), size, MPI_CHAR, 0, comm);
  std::istringstream lines(names);
  for (std::string line; std::getline(lines, line);) try {
      const CheckpointReader file(comm, folder / line);
      check_case(file, identity);
      file.verify();
      return file.path();
    } catch (const InputError&) {  // no better: try the one before
    }
  return {};
}

}  // namespace

std::filesystem::path restart_file(MPI_Comm comm, const std::string& wanted, const CheckpointFolder& folder) {
  if (wanted != "latest") return wanted;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::int64_t step = -1;
  if (const auto latest = folder.latest(); rank == 0 && latest) step = latest->step;
  MPI_Bcast(&step, 1, MPI_INT64_T, 0, comm);
  if (step < 0)
    throw InputError(Complaint{{"command line", 0},
                               "--restart",
                               wanted,
                               fmt::format("there is no checkpoint in {}", folder.path().string()),
                               "a folder of results with checkpoints, or a file",
                               "give the folder with --output, or start without --restart"});
  return folder.file(step);
}

RunState restart(Case& c, const Parameters& input, const std::filesystem::path& path) {
  const std::string identity = case_identity(input);
  try {
    const CheckpointReader file(c.system.comm(), path);
    check_case(file, identity);
    RunState state = read_state(file);
    restore(c, file);
    state.restarts.push_back({path.string(), state.step, c.system.t, c.system.distribution.ranks()});
    return state;
  } catch (const InputError& error) {
    const auto good = good_one_before(c.system.comm(), path, identity);
    throw InputError(std::string(error.what()) +
                     (good.empty() ? "\n    there is no good checkpoint before it"
                                   : "\n    the last good checkpoint before it: " + good.string()));
  }
}

}  // namespace percussion

#include "app/checkpoints.hpp"

#include <fmt/format.h>

#include "app/case_identity.hpp"
#include "app/case_schema.hpp"
#include "app/case_state.hpp"
#include "base/timer.hpp"
#include "io/effective_input.hpp"
#include "percussion_config.hpp"

namespace percussion {

Checkpoints::Checkpoints(CheckpointFolder folder, const Parameters& input, std::int64_t keep)
    : folder_(std::move(folder)),
      identity_(case_identity(input)),
      input_(effective_input(input, case_schema())),
      keep_(keep) {}

void Checkpoints::write(const Case& c, const RunState& state) {
  const PhaseScope phase(Phase::output);
  CheckpointWriter file;
  file.text("run/program", fmt::format("percussion {} ({})", config::version, config::git_revision));
  file.text("run/case", identity_);
  file.text("run/input", input_);
  file.integer("run/step", state.step);
  file.integer("run/unconverged_steps", state.unconverged);
  const RunTotals& t = state.totals;
  const std::int64_t counts[] = {t.steps, t.iterations, t.iterations_max, t.contacts_last, t.contacts_max};
  const double numbers[] = {t.worst_residual, t.penetration, t.wall};
  file.common("run/counts", std::span<const std::int64_t>(counts));
  file.common("run/numbers", std::span<const double>(numbers));
  std::string restarts;
  for (const RestartRecord& r : state.restarts)
    restarts += fmt::format("{} {} {} {}\n", r.step, r.time, r.ranks, r.checkpoint);
  file.text("run/restarts", restarts);

  const CaseSnapshot state_of_case = snapshot(c);
  store(c, state_of_case, file);
  const bool is_root = c.system.distribution.rank() == 0;
  all_or_none(c.system.comm(), [&] {
    if (is_root) folder_.create();
  });
  const auto path = folder_.file(state.step);
  file.write(c.system.comm(), path);
  last_ = path;
  if (is_root) folder_.prune(keep_);
}

}  // namespace percussion

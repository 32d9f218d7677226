// Leaving a System and coming back to it: what a checkpoint keeps of it.
#include <algorithm>

#include "assembly/system.hpp"
#include "base/timer.hpp"
#include "contact/ball.hpp"
#include "partition/outbox.hpp"

namespace percussion {

SystemMemory System::memory() const {
  return {t,
          planes_time_rebuilt_,
          candidates.skin(),
          rebuilds_,
          ghosts_after_rebalance_,
          candidates.build_positions(),
          candidates.export_memory()};
}

void System::resume(const SystemMemory& memory) {
  const PhaseScope phase(Phase::detection);
  t = memory.t, planes_time_ = planes_time_rebuilt_ = memory.planes_time;
  place_walls(walls, planes_time_, planes_time_, planes);
  look_at_nodes();
  bodies_ = nodes.owned();
  MPI_Allreduce(MPI_IN_PLACE, &bodies_, 1, MPI_INT64_T, MPI_SUM, comm());

  // Ghosts and candidates belong to the places of the last rebuild; the state comes back afterwards.
  const std::vector<double> q = nodes.q();
  for (std::int32_t i = 0; i < nodes.owned(); ++i)
    if (is_detectable(nodes[i]))
      std::copy_n(memory.places.begin() + 3 * i, is_planar(nodes[i].kind) ? 2 : 3, nodes.q(i).begin());
  distribution.build_ghosts(nodes, 0.5 * memory.skin, contributions.ghost_requests(), periodic);
  contributions.bind(nodes, distribution);
  candidates.set_planes(planes);
  candidates.import_memory(memory.percussions);
  all_or_none(comm(), [&] { candidates.rebuild(nodes, nodes.q(), memory.skin); });
  std::copy(q.begin(), q.end(), nodes.q().begin());
  distribution.update_ghosts(nodes);
  ++generation_;
  rebuilds_ = memory.rebuilds, ghosts_after_rebalance_ = memory.ghosts_after_rebalance;
}

void System::resume_elsewhere(const SystemMemory& memory, double h) {
  t = memory.t, rebuilds_ = memory.rebuilds;
  distribution.adopt_nodes(nodes);
  std::vector<std::int64_t> ids;
  for (const RememberedPercussion& p : memory.percussions) ids.push_back(designated_node(p));
  const auto owners = distribution.owner_of(ids);
  Outbox outbox;
  for (std::size_t k = 0; k < owners.size(); ++k)
    if (owners[k] >= 0) outbox.to(owners[k]).put(memory.percussions[k]);
  std::vector<RememberedPercussion> arrived;
  for (const Message& message : outbox.exchange(comm()))
    for (Unpacker unpacker(message.data); !unpacker.empty();)
      arrived.push_back(unpacker.get<RememberedPercussion>());
  candidates.import_memory(arrived);
  start(h);
}

}  // namespace percussion

#include "app/case_state.hpp"

#include <fmt/format.h>

#include <numeric>

#include "partition/node_points.hpp"
#include "partition/outbox.hpp"

namespace percussion {

namespace {

[[noreturn]] void other_bodies(const CheckpointReader& file, const std::string& problem) {
  throw InputError(Complaint{{file.path().string(), 0},
                             "",
                             "",
                             problem,
                             "a checkpoint of this case",
                             "use the input the checkpoint was made with"});
}

struct StoredNodes {
  NodeStore nodes;
  std::vector<double> places;
};

StoredNodes read_nodes(const CheckpointReader& file) {
  const auto records = file.read<NodeData>("nodes/records", file.slice("nodes/records"));
  std::int64_t n_q = 0, n_u = 0;
  for (const NodeData& node : records) n_q += nq(node.kind, node.dofs), n_u += nu(node.kind, node.dofs);
  const auto q = file.read_next<double>("nodes/q", n_q), u = file.read_next<double>("nodes/u", n_u);
  StoredNodes result;
  result.places = file.read_next<double>("nodes/places", 3 * static_cast<std::int64_t>(records.size()));
  result.nodes.reserve(static_cast<std::int32_t>(records.size()));
  std::size_t q_first = 0, u_first = 0;
  for (const NodeData& node : records) {
    const auto q_size = static_cast<std::size_t>(nq(node.kind, node.dofs)),
               u_size = static_cast<std::size_t>(nu(node.kind, node.dofs));
    result.nodes.add(node, std::span(q).subspan(q_first, q_size), std::span(u).subspan(u_first, u_size),
                     false);
    q_first += q_size, u_first += u_size;
  }
  return result;
}

/// Collective. The nodes of the file replace those of the input; contributions go to the ranks of their first
/// nodes. `some_left`: bodies of the input may be missing.
void adopt(System& system, const CheckpointReader& file, NodeStore&& stored, bool some_left) {
  system.distribution.adopt_nodes(system.nodes);
  OwnerDirectory owners;
  owners.rebuild(system.comm(), owned_ids(stored));
  auto destination = owners.query(system.comm(), owned_ids(system.nodes));
  all_or_none(system.comm(), [&] {
    for (std::int32_t i = 0; i < system.nodes.owned(); ++i)
      if (destination[i] < 0 && some_left) destination[i] = system.distribution.rank();
      else if (destination[i] < 0)
        other_bodies(file, fmt::format("body {} of the input is not in the checkpoint", system.nodes[i].id));
  });
  std::vector<Payload> payloads;
  system.contributions.release(payloads);
  system.distribution.migrate(system.nodes, destination, payloads);
  system.contributions.absorb(payloads);
  system.nodes = std::move(stored);
}

/// Collective. Records to the ranks that own their nodes now.
StepMemory routed(const Distribution& distribution, const StepMemory& memory) {
  std::vector<std::int64_t> ids;
  for (const MemoryKey& key : memory.keys) ids.push_back(key.node);
  const auto owners = distribution.owner_of(ids);
  Outbox outbox;
  std::size_t first = 0;
  for (std::size_t k = 0; k < owners.size(); ++k) {
    const auto count = static_cast<std::size_t>(memory.keys[k].count);
    if (owners[k] >= 0) {
      Packer& packer = outbox.to(owners[k]);
      packer.put(memory.keys[k]);
      packer.put_array(std::span(memory.values).subspan(first, count));
    }
    first += count;
  }
  StepMemory result;
  result.complete = false, result.numbers = memory.numbers;
  for (const Message& message : outbox.exchange(distribution.comm()))
    for (Unpacker unpacker(message.data); !unpacker.empty();) {
      const auto key = unpacker.get<MemoryKey>();
      result.add(key.kind, key.node, key.a, key.b, unpacker.get_array<double>());
    }
  return result;
}

StepMemory read_memory(const CheckpointReader& file) {
  StepMemory memory;
  memory.numbers = file.common<double>("memory/numbers");
  memory.keys = file.read<MemoryKey>("memory/keys", file.slice("memory/keys"));
  std::int64_t count = 0;
  for (const MemoryKey& key : memory.keys) count += key.count;
  memory.values = file.read_next<double>("memory/values", count);
  return memory;
}

}  // namespace

CaseSnapshot snapshot(const Case& c) {
  CaseSnapshot result{c.system.memory(), {}};
  c.integrator().save(c.system, result.memory);
  return result;
}

void store(const Case& c, const CaseSnapshot& snapshot, CheckpointWriter& file) {
  const NodeStore& nodes = c.system.nodes;
  const SystemMemory& system = snapshot.system;
  file.real("system/time", system.t);
  file.real("system/planes_time", system.planes_time);
  file.real("system/skin", system.skin);
  file.integer("system/rebuilds", system.rebuilds);
  file.integer("system/ghosts_after_rebalance", system.ghosts_after_rebalance);
  file.common("memory/numbers", std::span<const double>(snapshot.memory.numbers));
  c.population().store(file);

  const auto owned = static_cast<std::size_t>(nodes.owned());
  file.distributed("nodes/records", std::span(owned > 0 ? &nodes[0] : nullptr, owned));
  file.distributed("nodes/q", std::span(nodes.q()).first(static_cast<std::size_t>(nodes.nq_owned())));
  file.distributed("nodes/u", std::span(nodes.u()).first(static_cast<std::size_t>(nodes.nu_owned())));
  file.distributed("nodes/places", std::span<const double>(system.places));
  file.distributed("contacts/percussions", std::span<const RememberedPercussion>(system.percussions));
  file.distributed("memory/keys", std::span<const MemoryKey>(snapshot.memory.keys));
  file.distributed("memory/values", std::span<const double>(snapshot.memory.values));
}

void restore(Case& c, const CheckpointReader& file) {
  System& system = c.system;
  StoredNodes stored = read_nodes(file);
  c.restore_population(file);
  if (const std::int64_t bodies = file.rows("nodes/records"); bodies != c.bodies())
    other_bodies(file, fmt::format("the checkpoint has {} bodies, the input {}", bodies, c.bodies()));
  SystemMemory memory{
      file.real("system/time"),
      file.real("system/planes_time"),
      file.real("system/skin"),
      file.integer("system/rebuilds"),
      file.integer("system/ghosts_after_rebalance"),
      std::move(stored.places),
      file.read<RememberedPercussion>("contacts/percussions", file.slice("contacts/percussions"))};
  StepMemory step_memory = read_memory(file);
  adopt(system, file, std::move(stored.nodes), c.population().left().bodies > 0);
  if (file.same_ranks()) {
    system.resume(memory);
  } else {
    system.resume_elsewhere(memory, c.h);
    step_memory = routed(system.distribution, step_memory);
  }
  c.integrator().load(system, step_memory);
}

}  // namespace percussion

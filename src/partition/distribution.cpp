#include "partition/distribution.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "partition/ghost_search.hpp"
#include "partition/node_points.hpp"
#include "partition/outbox.hpp"

namespace percussion {
namespace {

void put_node(Packer& packer, const NodeStore& nodes, std::int32_t i) {
  packer.put(nodes[i]);
  packer.put_array(nodes.q(i));
  packer.put_array(nodes.u(i));
}

/// A node on its way into a store.
struct TravellingNode {
  int from = 0;
  NodeData data;
  std::vector<double> q, u;
};

TravellingNode get_node(Unpacker& unpacker, int from) {
  TravellingNode node{from, unpacker.get<NodeData>(), {}, {}};
  node.q = unpacker.get_array<double>();
  node.u = unpacker.get_array<double>();
  return node;
}

IdMap index_of(const NodeStore& nodes) {
  IdMap map;
  map.reserve(static_cast<std::size_t>(nodes.size()));
  for (std::int32_t i = 0; i < nodes.size(); ++i) map.assign(nodes[i].id, i);
  return map;
}

/// The nodes order[0], order[1], ... as owned nodes of a new store.
NodeStore pick(const NodeStore& nodes, std::span<const std::int32_t> order) {
  NodeStore picked;
  picked.reserve(static_cast<std::int32_t>(order.size()));
  for (const auto i : order) picked.add(nodes[i], nodes.q(i), nodes.u(i), false);
  return picked;
}

/// Collective. The owned nodes that other ranks asked for by id.
std::vector<NodeCopy> requested_copies(const Distribution& distribution, std::span<const GhostRequest> requests) {
  std::vector<std::int64_t> ids;
  for (const auto& request : requests)
    if (distribution.local(request.id) < 0) ids.push_back(request.id);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());

  const auto owners = distribution.owner_of(ids);
  Outbox outbox;
  all_or_none(distribution.comm(), [&] {
    for (std::size_t k = 0; k < ids.size(); ++k) {
      if (owners[k] < 0) throw RunError("node " + std::to_string(ids[k]) + " is referred to but does not exist");
      outbox.to(owners[k]).put(ids[k]);
    }
  });
  std::vector<NodeCopy> copies;
  for (const auto& message : outbox.exchange(distribution.comm()))
    for (Unpacker unpacker(message.data); !unpacker.empty();)
      copies.push_back({message.rank, distribution.local(unpacker.get<std::int64_t>())});
  return copies;
}

}  // namespace

Distribution::Distribution(MPI_Comm comm) : halo_(comm) { MPI_Comm_size(halo_.comm(), &ranks_); }

const Halo& Distribution::halo() const {
  PERCUSSION_CHECK(has_ghosts_, "build_ghosts comes before any use of the halo");
  return halo_;
}

void Distribution::drop_ghosts(NodeStore& nodes) {
  nodes.drop_ghosts();
  local_ = index_of(nodes);
  q_channel_.reset();
  u_channel_.reset();
  has_ghosts_ = false;
}

void Distribution::adopt_nodes(NodeStore& nodes) {
  drop_ghosts(nodes);
  directory_.rebuild(comm(), owned_ids(nodes));
}

void Distribution::build_ghosts(NodeStore& nodes, double margin, std::span<const GhostRequest> extra, const PeriodicBox& periodic) {
  drop_ghosts(nodes);
  auto copies = find_contact_ghosts(comm(), nodes, margin, periodic);
  const auto requested = requested_copies(*this, extra);
  copies.insert(copies.end(), requested.begin(), requested.end());
  std::sort(copies.begin(), copies.end());
  copies.erase(std::unique(copies.begin(), copies.end()), copies.end());

  Outbox outbox;
  for (const auto& copy : copies) put_node(outbox.to(copy.rank), nodes, copy.node);
  std::vector<TravellingNode> ghosts;
  for (const auto& message : outbox.exchange(comm()))
    for (Unpacker unpacker(message.data); !unpacker.empty();) ghosts.push_back(get_node(unpacker, message.rank));
  // The order of GhostOrder::grouped.
  std::sort(ghosts.begin(), ghosts.end(), [](const TravellingNode& a, const TravellingNode& b) {
    return std::pair(a.from, a.data.id) < std::pair(b.from, b.data.id);
  });

  const auto owned = owned_ids(nodes);
  std::vector<Ghost> entities;
  entities.reserve(ghosts.size());
  for (const auto& ghost : ghosts) {
    nodes.add(ghost.data, ghost.q, ghost.u, true);
    entities.push_back({ghost.data.id, ghost.from});
  }
  halo_.build(owned, entities);
  local_ = index_of(nodes);
  q_channel_.emplace(halo_, nodes.q_offset());
  u_channel_.emplace(halo_, nodes.u_offset());
  has_ghosts_ = true;
}

void Distribution::update_ghosts(NodeStore& nodes) {
  update_ghosts_start(nodes);
  update_ghosts_finish(nodes);
}

void Distribution::update_ghosts_start(const NodeStore& nodes) {
  PERCUSSION_CHECK(has_ghosts_, "build_ghosts comes before update_ghosts");
  q_channel_->broadcast_start(nodes.q());
  u_channel_->broadcast_start(nodes.u());
}

void Distribution::update_ghosts_finish(NodeStore& nodes) {
  PERCUSSION_CHECK(has_ghosts_, "build_ghosts comes before update_ghosts");
  q_channel_->broadcast_finish(nodes.q());
  u_channel_->broadcast_finish(nodes.u());
}

void Distribution::migrate(NodeStore& nodes, std::span<const std::int32_t> destination,
                           std::vector<Payload>& payloads) {
  drop_ghosts(nodes);
  all_or_none(comm(), [&] {
    if (destination.size() != static_cast<std::size_t>(nodes.owned()))
      throw RunError("migration: there must be one destination per owned node");
    for (std::int32_t i = 0; i < nodes.owned(); ++i)
      if (destination[i] < 0 || destination[i] >= ranks_)
        throw RunError("migration: node " + std::to_string(nodes[i].id) + " is sent to rank " +
                       std::to_string(destination[i]) + " of " + std::to_string(ranks_));
    for (const auto& payload : payloads)
      if (local_.find(payload.node_id) < 0)
        throw RunError("migration: payload of node " + std::to_string(payload.node_id) + ", which is not owned here");
  });

  // A message holds the nodes, then the payloads.
  std::vector<std::int32_t> staying;
  std::map<int, std::vector<std::int32_t>> leaving;
  for (std::int32_t i = 0; i < nodes.owned(); ++i)
    if (destination[i] == rank())
      staying.push_back(i);
    else
      leaving[destination[i]].push_back(i);
  Outbox outbox;
  for (const auto& [to, list] : leaving) {
    auto& packer = outbox.to(to);
    packer.put(static_cast<std::uint64_t>(list.size()));
    for (const auto i : list) put_node(packer, nodes, i);
  }
  std::vector<Payload> kept;
  for (auto& payload : payloads) {
    const int to = destination[local_.find(payload.node_id)];
    if (to == rank()) {
      kept.push_back(std::move(payload));
      continue;
    }
    auto& packer = outbox.to(to);
    packer.put(payload.node_id);
    packer.put(payload.kind);
    packer.put_array(payload.data);
  }

  NodeStore moved = pick(nodes, staying);
  std::vector<std::int64_t> arrived;
  for (const auto& message : outbox.exchange(comm())) {
    Unpacker unpacker(message.data);
    for (auto count = unpacker.get<std::uint64_t>(); count > 0; --count) {
      const auto node = get_node(unpacker, message.rank);
      moved.add(node.data, node.q, node.u, false);
      arrived.push_back(node.data.id);
    }
    while (!unpacker.empty()) {
      const auto id = unpacker.get<std::int64_t>();
      const auto kind = unpacker.get<std::int32_t>();
      kept.push_back({id, kind, unpacker.get_array<std::byte>()});
    }
  }
  nodes = std::move(moved);
  payloads = std::move(kept);
  local_ = index_of(nodes);
  directory_.update(comm(), arrived);
}

void Distribution::reorder(NodeStore& nodes, std::span<const std::int32_t> order) {
  std::vector<std::uint8_t> seen(static_cast<std::size_t>(nodes.owned()), 0);
  PERCUSSION_CHECK(order.size() == seen.size(), "an order names each owned node once");
  for (const auto i : order)
    PERCUSSION_CHECK(i >= 0 && i < nodes.owned() && !std::exchange(seen[i], 1), "an order names each owned node once");
  nodes = pick(nodes, order);
  drop_ghosts(nodes);
}

std::vector<std::int32_t> Distribution::owner_of(std::span<const std::int64_t> ids) const {
  return directory_.query(comm(), ids);
}

}  // namespace percussion

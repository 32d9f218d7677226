#include "partition/contribution_store.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "partition/pack.hpp"

namespace percussion {
namespace {

using Entry = ContributionStore::Entry;

std::vector<std::byte> pack(const Entry& entry) {
  Packer packer;
  packer.put(entry.id);
  packer.put_array(entry.node_ids);
  packer.put_string(entry.parameters.serialise());
  return packer.take();
}

Entry unpack(std::span<const std::byte> data) {
  Unpacker unpacker(data);
  Entry entry;
  entry.id = unpacker.get<std::int64_t>();
  entry.node_ids = unpacker.get_array<std::int64_t>();
  entry.parameters = Parameters::deserialise(unpacker.get_string());
  return entry;
}

std::string name_of(const Entry& entry) {
  const auto& origin = entry.parameters.origin();
  return "contribution " + std::to_string(entry.id) + " (" + entry.parameters.type() +
         (origin.file.empty() ? "" : ", " + to_string(origin)) + ")";
}

bool by_id(const Entry& a, const Entry& b) { return a.id < b.id; }

}  // namespace

void ContributionStore::add(std::int64_t id, Parameters parameters, std::vector<std::int64_t> node_ids) {
  PERCUSSION_CHECK(!node_ids.empty(), "a contribution has at least one node");
  Entry entry{id, std::move(parameters), std::move(node_ids), nullptr};
  const auto place = std::lower_bound(entries_.begin(), entries_.end(), entry, by_id);
  PERCUSSION_CHECK(place == entries_.end() || place->id != id, "two contributions with one id");
  entries_.insert(place, std::move(entry));
}

std::vector<GhostRequest> ContributionStore::ghost_requests() const {
  std::vector<GhostRequest> requests;
  for (const auto& entry : entries_)
    for (const auto id : entry.node_ids) requests.push_back({id});
  return requests;
}

void ContributionStore::bind(const NodeStore& nodes, const Distribution& distribution) {
  all_or_none(distribution.comm(), [&] {
    local_nodes_.clear();
    first_node_.assign(1, 0);
    for (auto& entry : entries_) {
      std::vector<NodeRef> refs;
      for (const auto id : entry.node_ids) {
        const auto i = distribution.local(id);
        if (i < 0) throw RunError(name_of(entry) + ": node " + std::to_string(id) + " is not on its rank");
        local_nodes_.push_back(i);
        refs.push_back(nodes.ref(i));
      }
      if (!nodes.is_owned(local_nodes_[first_node_.back()]))
        throw RunError(name_of(entry) + " is not on the rank of its first node " +
                       std::to_string(entry.node_ids.front()));
      first_node_.push_back(static_cast<std::int32_t>(local_nodes_.size()));
      if (!entry.contribution)
        entry.contribution =
            ContributionRegistry::instance().create(entry.parameters.type(), entry.parameters, refs);
    }
  });
}

std::span<const std::int32_t> ContributionStore::local_nodes(std::int32_t k) const {
  PERCUSSION_CHECK(first_node_.size() == entries_.size() + 1, "bind comes before local_nodes");
  return {local_nodes_.data() + first_node_[k], local_nodes_.data() + first_node_[k + 1]};
}

void ContributionStore::release(std::vector<Payload>& payloads) {
  for (const auto& entry : entries_) payloads.push_back({entry.node_ids.front(), payload_kind, pack(entry)});
  released_ = std::exchange(entries_, {});
  local_nodes_.clear(), first_node_.clear();
}

void ContributionStore::absorb(std::vector<Payload>& payloads) {
  for (const auto& payload : payloads) {
    if (payload.kind != payload_kind) continue;
    auto entry = unpack(payload.data);
    const auto known = std::lower_bound(released_.begin(), released_.end(), entry, by_id);
    if (known != released_.end() && known->id == entry.id) entry.contribution = std::move(known->contribution);
    entries_.push_back(std::move(entry));
  }
  std::erase_if(payloads, [](const Payload& payload) { return payload.kind == payload_kind; });
  std::sort(entries_.begin(), entries_.end(), by_id);
  released_.clear();
}

}  // namespace percussion

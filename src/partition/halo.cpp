#include "partition/halo.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "partition/halo_channel.hpp"
#include "partition/pack.hpp"
#include "partition/sparse_exchange.hpp"

namespace percussion {
namespace {

void check_ghosts(std::span<const Ghost> ghosts, int me, int ranks) {
  std::vector<std::int64_t> ids;
  ids.reserve(ghosts.size());
  for (const auto& ghost : ghosts) {
    if (ghost.owner < 0 || ghost.owner >= ranks || ghost.owner == me)
      throw RunError("halo: rank " + std::to_string(me) + " lists ghost " + std::to_string(ghost.id) +
                     " with owner " + std::to_string(ghost.owner));
    ids.push_back(ghost.id);
  }
  std::sort(ids.begin(), ids.end());
  if (const auto twice = std::adjacent_find(ids.begin(), ids.end()); twice != ids.end())
    throw RunError("halo: rank " + std::to_string(me) + " lists ghost " + std::to_string(*twice) + " twice");
}

// Owned ids in ascending order with their local index.
class OwnedIndex {
 public:
  explicit OwnedIndex(std::span<const std::int64_t> ids) : ids_(ids), order_(ids.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [&](auto a, auto b) { return ids[a] < ids[b]; });
  }
  void check_unique(int me) const {
    const auto twice =
        std::adjacent_find(order_.begin(), order_.end(), [&](auto a, auto b) { return ids_[a] == ids_[b]; });
    if (twice != order_.end())
      throw RunError("halo: rank " + std::to_string(me) + " lists owned id " + std::to_string(ids_[*twice]) +
                     " twice");
  }
  std::int32_t find(std::int64_t id, int me, int asking) const {
    const auto at = std::lower_bound(order_.begin(), order_.end(), id, [&](auto i, auto v) { return ids_[i] < v; });
    if (at == order_.end() || ids_[*at] != id)
      throw RunError("halo: rank " + std::to_string(asking) + " ghosts entity " + std::to_string(id) +
                     " of rank " + std::to_string(me) + ", which does not own it");
    return *at;
  }

 private:
  std::span<const std::int64_t> ids_;
  std::vector<std::int32_t> order_;
};

}  // namespace

Halo::Halo(MPI_Comm comm) : shared_(std::make_shared<Shared>(comm)) {}

void Halo::set_ghosts(std::span<const Ghost> ghosts, GhostOrder order) {
  ghosts_.assign(ghosts.begin(), ghosts.end());
  const auto by_owner_and_id = [](const Ghost& a, const Ghost& b) {
    return a.owner != b.owner ? a.owner < b.owner : a.id < b.id;
  };
  if (order == GhostOrder::grouped) std::sort(ghosts_.begin(), ghosts_.end(), by_owner_and_id);
  recv_indices_.resize(ghosts_.size());
  std::iota(recv_indices_.begin(), recv_indices_.end(), n_owned_);
  std::stable_sort(recv_indices_.begin(), recv_indices_.end(), [&](auto a, auto b) {
    return ghosts_[a - n_owned_].owner < ghosts_[b - n_owned_].owner;
  });
}

void Halo::build(std::span<const std::int64_t> owned_ids, std::span<const Ghost> ghosts, GhostOrder order) {
  const int me = rank();
  const OwnedIndex owned(owned_ids);
  all_or_none(comm(), [&] {
    if (owned_ids.size() + ghosts.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw RunError("halo: more than 2^31 entities on rank " + std::to_string(me));
    owned.check_unique(me);
    check_ghosts(ghosts, me, shared_->comm.size());
  });
  n_owned_ = static_cast<std::int32_t>(owned_ids.size());
  set_ghosts(ghosts, order);

  std::map<int, HaloNeighbour> by_rank;
  std::vector<Message> requests;
  for (std::int32_t begin = 0, end = 0; begin < n_ghosts(); begin = end) {
    const int owner = ghosts_[recv_indices_[begin] - n_owned_].owner;
    std::vector<std::int64_t> ids;
    for (end = begin; end < n_ghosts() && ghosts_[recv_indices_[end] - n_owned_].owner == owner; ++end)
      ids.push_back(ghosts_[recv_indices_[end] - n_owned_].id);
    by_rank[owner] = {owner, 0, 0, begin, end};
    Packer packer;
    packer.put_array(ids);
    requests.push_back({owner, packer.take()});
  }

  const auto incoming = sparse_exchange(comm(), std::move(requests));
  send_indices_.clear();
  all_or_none(comm(), [&] {
    for (const auto& message : incoming) {
      auto& neighbour = by_rank[message.rank];
      neighbour.rank = message.rank;
      neighbour.send_begin = static_cast<std::int32_t>(send_indices_.size());
      for (const auto id : Unpacker(message.data).get_array<std::int64_t>())
        send_indices_.push_back(owned.find(id, me, message.rank));
      neighbour.send_end = static_cast<std::int32_t>(send_indices_.size());
    }
  });
  neighbours_.clear();
  for (const auto& [_, neighbour] : by_rank) neighbours_.push_back(neighbour);
}

std::vector<std::int32_t> Halo::copies(std::span<const std::uint8_t> used) const {
  PERCUSSION_CHECK(used.size() == static_cast<std::size_t>(size()), "one flag per owned and ghost entity");
  std::vector<std::int32_t> count(used.size());
  std::transform(used.begin(), used.end(), count.begin(), [](auto flag) { return flag ? 1 : 0; });
  HaloChannel<std::int32_t> channel(*this, 1);
  channel.reduce_add(count);
  channel.broadcast(count);
  return count;
}

}  // namespace percussion

// Plain values to the ranks they belong to.
#pragma once
#include <map>
#include <vector>

#include "partition/outbox.hpp"

namespace percussion {

/// Collective. owner(item) is its new rank. What arrives is in the order of the ranks it comes from.
template <Packable T, class Owner>
std::vector<T> send_items(MPI_Comm comm, const std::vector<T>& items, Owner&& owner) {
  std::map<int, std::vector<T>> lists;
  for (const T& item : items) lists[owner(item)].push_back(item);
  Outbox outbox;
  for (const auto& [rank, list] : lists) outbox.to(rank).put_array(list);
  std::vector<T> arrived;
  for (const Message& message : outbox.exchange(comm)) {
    const auto list = Unpacker(message.data).get_array<T>();
    arrived.insert(arrived.end(), list.begin(), list.end());
  }
  return arrived;
}

}  // namespace percussion

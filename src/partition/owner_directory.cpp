#include "partition/owner_directory.hpp"

#include <map>
#include <string>

#include "base/error.hpp"
#include "partition/outbox.hpp"

namespace percussion {
namespace {

// Upper bits: the lower ones choose the slot inside a directory rank's map.
int directory_rank(std::int64_t id, int ranks) {
  return static_cast<int>((mix_bits(static_cast<std::uint64_t>(id)) >> 32) % static_cast<std::uint64_t>(ranks));
}

std::vector<Message> send_to_directory(MPI_Comm comm, std::span<const std::int64_t> ids) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  Outbox outbox;
  for (const auto id : ids) outbox.to(directory_rank(id, ranks)).put(id);
  return outbox.exchange(comm);
}

template <class Visit>
void for_each_id(const Message& message, Visit visit) {
  for (Unpacker unpacker(message.data); !unpacker.empty();) visit(unpacker.get<std::int64_t>());
}

}  // namespace

void OwnerDirectory::rebuild(MPI_Comm comm, std::span<const std::int64_t> owned) {
  all_or_none(comm, [&] {
    for (const auto id : owned)
      if (id < 0) throw RunError("a node has the id " + std::to_string(id) + "; ids must not be negative");
  });
  owner_.clear();
  const auto incoming = send_to_directory(comm, owned);
  all_or_none(comm, [&] {
    for (const auto& message : incoming)
      for_each_id(message, [&](std::int64_t id) {
        if (!owner_.insert(id, message.rank))
          throw RunError("node " + std::to_string(id) + " is owned by rank " + std::to_string(owner_.find(id)) +
                         " and again by rank " + std::to_string(message.rank));
      });
  });
}

void OwnerDirectory::update(MPI_Comm comm, std::span<const std::int64_t> arrived) {
  for (const auto& message : send_to_directory(comm, arrived))
    for_each_id(message, [&](std::int64_t id) { owner_.assign(id, message.rank); });
}

std::vector<std::int32_t> OwnerDirectory::query(MPI_Comm comm, std::span<const std::int64_t> ids) const {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  Outbox answers;
  for (const auto& message : send_to_directory(comm, ids))
    for_each_id(message, [&](std::int64_t id) { answers.to(message.rank).put(owner_.find(id)); });

  // Answers come in the order in which each directory rank was asked.
  const auto incoming = answers.exchange(comm);
  std::map<int, Unpacker> answer_of;
  for (const auto& message : incoming) answer_of.emplace(message.rank, Unpacker(message.data));
  std::vector<std::int32_t> owners;
  owners.reserve(ids.size());
  for (const auto id : ids) owners.push_back(answer_of.at(directory_rank(id, ranks)).get<std::int32_t>());
  return owners;
}

}  // namespace percussion

// Outbox: collects what goes to each rank in one packer per destination, then sends all by one sparse exchange.
#pragma once
#include <mpi.h>

#include <map>
#include <utility>
#include <vector>

#include "partition/pack.hpp"
#include "partition/sparse_exchange.hpp"

namespace percussion {

class Outbox {
 public:
  Packer& to(int rank) { return packers_[rank]; }

  /// Collective. Returns the messages received, sorted by source; leaves the outbox empty.
  std::vector<Message> exchange(MPI_Comm comm) {
    std::vector<Message> messages;
    messages.reserve(packers_.size());
    for (auto& [rank, packer] : packers_) messages.push_back({rank, packer.take()});
    packers_.clear();
    return sparse_exchange(comm, std::move(messages));
  }

 private:
  std::map<int, Packer> packers_;
};

}  // namespace percussion

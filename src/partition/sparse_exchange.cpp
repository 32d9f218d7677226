#include "partition/sparse_exchange.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace percussion {
namespace {

// The parity of the call lives on the communicator itself, so it is the same on all its ranks.
int next_tag(MPI_Comm comm) {
  static const int key = [] {
    int k = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &k, nullptr);
    return k;
  }();
  void* value = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm, key, &value, &found);
  const std::intptr_t parity = found ? reinterpret_cast<std::intptr_t>(value) : 0;
  MPI_Comm_set_attr(comm, key, reinterpret_cast<void*>(1 - parity));
  return sparse_exchange_tag + static_cast<int>(parity);
}

std::string problem_of(const std::vector<Message>& outgoing, int ranks) {
  for (const auto& message : outgoing) {
    if (message.rank < 0 || message.rank >= ranks)
      return "sparse_exchange: destination rank " + std::to_string(message.rank) + " does not exist (" +
             std::to_string(ranks) + " ranks)";
    if (message.data.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      return "sparse_exchange: message of " + std::to_string(message.data.size()) + " bytes to rank " +
             std::to_string(message.rank) + " exceeds the MPI limit of 2^31 - 1 bytes; split it or use more ranks";
  }
  return {};
}

}  // namespace

std::vector<Message> sparse_exchange(MPI_Comm comm, std::vector<Message> outgoing) {
  int me = 0, ranks = 1;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  const int tag = next_tag(comm);
  const std::string problem = problem_of(outgoing, ranks);

  std::vector<Message> incoming;
  std::vector<MPI_Request> sends;
  if (problem.empty()) {
    for (auto& message : outgoing) {
      if (message.rank == me) {
        incoming.push_back(std::move(message));
        continue;
      }
      MPI_Issend(message.data.data(), static_cast<int>(message.data.size()), MPI_BYTE, message.rank, tag, comm,
                 &sends.emplace_back());
    }
  }

  // The consensus carries the error flag, so agreeing on failure costs nothing extra. An allreduce synchronises as a
  // barrier does: its result depends on every rank.
  const int failed_here = problem.empty() ? 0 : 1;
  int failed_anywhere = 0;
  MPI_Request consensus = MPI_REQUEST_NULL;
  bool entered = false;
  for (int done = 0; !done;) {
    int arrived = 0;
    MPI_Message handle;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, tag, comm, &arrived, &handle, &status);
    if (arrived) {
      int bytes = 0;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      Message message{status.MPI_SOURCE, std::vector<std::byte>(static_cast<std::size_t>(bytes))};
      MPI_Mrecv(message.data.data(), bytes, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
      incoming.push_back(std::move(message));
      continue;
    }
    if (entered) {
      MPI_Test(&consensus, &done, MPI_STATUS_IGNORE);
    } else {
      int all_received = 0;
      MPI_Testall(static_cast<int>(sends.size()), sends.data(), &all_received, MPI_STATUSES_IGNORE);
      if (all_received) {
        MPI_Iallreduce(&failed_here, &failed_anywhere, 1, MPI_INT, MPI_MAX, comm, &consensus);
        entered = true;
      }
    }
  }

  if (failed_anywhere)
    all_or_none(comm, [&] {
      if (!problem.empty()) throw RunError(problem);
    });
  std::stable_sort(incoming.begin(), incoming.end(),
                   [](const Message& a, const Message& b) { return a.rank < b.rank; });
  return incoming;
}

}  // namespace percussion

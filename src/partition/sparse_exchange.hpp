// Messages to a few ranks when the receivers do not know who will write to them.
//
// Nonblocking consensus (Hoefler, Siebert, Lumsdaine 2010): synchronous sends, and a nonblocking collective that each
// rank enters once its own sends have been received; when the collective completes nothing is in flight any more.
// Cost per rank: its own messages + O(log ranks); no array over the ranks.
//
// Collective on `comm`. Reserves the two tags sparse_exchange_tag and sparse_exchange_tag + 1 on `comm`, used in
// turn, so a fast rank's next call cannot be mistaken for this one.
#pragma once
#include <mpi.h>

#include <cstddef>
#include <vector>

namespace percussion {

inline constexpr int sparse_exchange_tag = 31000;

/// `rank` is the destination in what is sent, the source in what is received.
struct Message {
  int rank = 0;
  std::vector<std::byte> data;
};

/// Returns what the others sent to this rank, sorted by source; several messages from one source keep the order in
/// which they were sent. Messages to oneself do not pass through MPI. Empty messages are delivered too.
/// A destination outside `comm` or a message of 2^31 bytes or more on any rank: RunError on all ranks, nothing sent
/// by the rank at fault.
std::vector<Message> sparse_exchange(MPI_Comm comm, std::vector<Message> outgoing);

}  // namespace percussion

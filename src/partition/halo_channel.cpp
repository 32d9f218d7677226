#include "partition/halo_channel.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/error.hpp"

namespace percussion {
namespace {

// Each channel has two tags of its own, below those of sparse_exchange.
int first_tag(int channel) { return 2 * (channel % 8192); }

template <class Runs>
std::size_t total_length(const Runs& runs) {
  std::size_t sum = 0;
  for (const auto& run : runs) sum += run.length;
  return sum;
}

}  // namespace

template <class T>
void HaloChannel<T>::Side::gather(std::span<const T> values) {
  T* to = buffer.data();
  for (const auto& run : runs) to = std::copy_n(values.data() + run.begin, run.length, to);
}

template <class T>
HaloChannel<T>::HaloChannel(const Halo& halo, int stride) {
  PERCUSSION_CHECK(stride >= 0, "stride of a halo channel");
  const auto width = static_cast<std::size_t>(stride);
  size_ = width * static_cast<std::size_t>(halo.size());
  set_up(halo, [&](std::int32_t i) { return Run{width * static_cast<std::size_t>(i), width}; });
}

template <class T>
HaloChannel<T>::HaloChannel(const Halo& halo, std::span<const std::int32_t> offsets) {
  const auto n = static_cast<std::size_t>(halo.size());
  all_or_none(halo.comm(), [&] {
    if (offsets.size() != n + 1 || offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()))
      throw RunError("halo channel: offsets must rise from 0, one per entity and one more");
  });
  std::vector<std::int32_t> length(n);
  for (std::size_t i = 0; i < n; ++i) length[i] = offsets[i + 1] - offsets[i];
  auto owners_length = length;
  halo_broadcast<std::int32_t>(halo, owners_length);
  all_or_none(halo.comm(), [&] {
    const auto [mine, theirs] = std::mismatch(length.begin(), length.end(), owners_length.begin());
    if (mine == length.end()) return;
    const auto& ghost = halo.ghosts()[(mine - length.begin()) - halo.n_owned()];
    throw RunError("halo channel: entity " + std::to_string(ghost.id) + " has " + std::to_string(*theirs) +
                   " values on its owner and " + std::to_string(*mine) + " on a ghost");
  });
  size_ = static_cast<std::size_t>(offsets.back());
  set_up(halo, [&](std::int32_t i) {
    return Run{static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(length[i])};
  });
}

template <class T>
template <class BlockOf>
void HaloChannel<T>::set_up(const Halo& halo, BlockOf block_of) {
  shared_ = halo.shared_;
  const int tag = first_tag(shared_->channels++);
  const MPI_Comm comm = shared_->comm.get();

  struct Piece {
    int rank;
    std::size_t begin, length;  // in the buffer
  };
  const auto lay_out = [&](Side& side, std::span<const std::int32_t> indices, auto range_of) {
    std::vector<Piece> pieces;
    std::size_t filled = 0;
    for (const auto& neighbour : halo.neighbours()) {
      const std::size_t begin = filled;
      const auto [first, last] = range_of(neighbour);
      for (auto k = first; k < last; ++k) {
        const Run block = block_of(indices[k]);
        if (block.length == 0) continue;
        filled += block.length;
        if (!side.runs.empty() && side.runs.back().begin + side.runs.back().length == block.begin)
          side.runs.back().length += block.length;
        else
          side.runs.push_back(block);
      }
      PERCUSSION_CHECK(filled - begin <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
                       "halo message above the MPI count limit");
      if (filled > begin) pieces.push_back({neighbour.rank, begin, filled - begin});
    }
    side.buffer.resize(total_length(side.runs));
    return pieces;
  };
  const auto out = lay_out(owned_, halo.send_indices(),
                           [](const HaloNeighbour& n) { return std::pair(n.send_begin, n.send_end); });
  const auto in = lay_out(ghost_, halo.recv_indices(),
                          [](const HaloNeighbour& n) { return std::pair(n.recv_begin, n.recv_end); });

  const auto connect = [&](Direction& direction, Side& from, const auto& sends, Side& to, const auto& receives,
                           int message_tag) {
    const auto type = mpi_type<T>();
    for (const auto& p : receives)
      MPI_Recv_init(to.buffer.data() + p.begin, static_cast<int>(p.length), type, p.rank, message_tag, comm,
                    &direction.requests.emplace_back());
    direction.receives = static_cast<int>(receives.size());
    for (const auto& p : sends)
      MPI_Send_init(from.buffer.data() + p.begin, static_cast<int>(p.length), type, p.rank, message_tag, comm,
                    &direction.requests.emplace_back());
  };
  connect(broadcast_, owned_, out, ghost_, in, tag);
  connect(reduce_, ghost_, in, owned_, out, tag + 1);
}

template <class T>
HaloChannel<T>::~HaloChannel() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized) return;
  for (auto* direction : {&broadcast_, &reduce_})
    for (auto& request : direction->requests) MPI_Request_free(&request);
}

template <class T>
void HaloChannel<T>::start(Direction& direction, Side& from, std::span<const T> values, State next) {
  PERCUSSION_CHECK(state_ == State::idle, "halo channel: finish the operation in flight first");
  PERCUSSION_CHECK(values.size() == size_, "halo channel: array does not match the halo");
  const auto all = static_cast<int>(direction.requests.size());
  MPI_Startall(direction.receives, direction.requests.data());
  from.gather(values);
  MPI_Startall(all - direction.receives, direction.requests.data() + direction.receives);
  state_ = next;
}

template <class T>
void HaloChannel<T>::finish(Direction& direction, std::span<T> values, State expected) {
  PERCUSSION_CHECK(state_ == expected, "halo channel: finish without its start");
  PERCUSSION_CHECK(values.size() == size_, "halo channel: array does not match the halo");
  MPI_Waitall(static_cast<int>(direction.requests.size()), direction.requests.data(), MPI_STATUSES_IGNORE);
  state_ = State::idle;
}

template <class T>
void HaloChannel<T>::broadcast_start(std::span<const T> values) {
  start(broadcast_, owned_, values, State::broadcasting);
}

template <class T>
void HaloChannel<T>::broadcast_finish(std::span<T> values) {
  finish(broadcast_, values, State::broadcasting);
  const T* from = ghost_.buffer.data();
  for (const auto& run : ghost_.runs) {
    std::copy_n(from, run.length, values.data() + run.begin);
    from += run.length;
  }
}

template <class T>
void HaloChannel<T>::reduce_add_start(std::span<const T> values) {
  start(reduce_, ghost_, values, State::reducing);
}

template <class T>
void HaloChannel<T>::reduce_add_finish(std::span<T> values) {
  finish(reduce_, values, State::reducing);
  const T* from = owned_.buffer.data();
  for (const auto& run : owned_.runs)
    for (std::size_t k = 0; k < run.length; ++k) values[run.begin + k] += *from++;
}

template <class T>
void HaloChannel<T>::broadcast(std::span<T> values) {
  broadcast_start(values);
  broadcast_finish(values);
}

template <class T>
void HaloChannel<T>::reduce_add(std::span<T> values) {
  reduce_add_start(values);
  reduce_add_finish(values);
}

template class HaloChannel<double>;
template class HaloChannel<std::int32_t>;
template class HaloChannel<std::int64_t>;

}  // namespace percussion

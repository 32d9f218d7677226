// HaloChannel: moves the values of one field between owners and ghosts of a Halo.
//
// Each entity has a block of values in one flat local array: `stride` values per entity, or block i at
// [offsets[i], offsets[i+1]) with owner and ghosts agreeing on its length. Buffers and persistent MPI requests are
// made once; a call does not allocate. One operation at a time per channel; different channels may be in flight
// together (make and start them in the same order on all ranks).
//
//   broadcast   ghost blocks <- owner's block
//   reduce_add  owner's block += every ghost's block, in ascending order of rank (so the sum is reproducible);
//               the ghosts keep their values
//
// Between start() and finish() the array may be read and written: start() has copied what it sends, finish() writes
// (broadcast: ghost blocks only; reduce_add: owned blocks only).
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "partition/halo.hpp"

namespace percussion {

/// T: double, std::int32_t or std::int64_t.
template <class T>
class HaloChannel {
 public:
  /// Same call order on all ranks; no communication.
  HaloChannel(const Halo& halo, int stride);
  /// Collective: checks that owner and ghosts agree on every block length, RunError on all ranks otherwise.
  HaloChannel(const Halo& halo, std::span<const std::int32_t> offsets);
  ~HaloChannel();
  HaloChannel(HaloChannel&&) noexcept = default;
  HaloChannel& operator=(HaloChannel&&) = delete;

  void broadcast(std::span<T> values);
  void broadcast_start(std::span<const T> values);
  void broadcast_finish(std::span<T> values);

  void reduce_add(std::span<T> values);
  void reduce_add_start(std::span<const T> values);
  void reduce_add_finish(std::span<T> values);

 private:
  enum class State { idle, broadcasting, reducing };
  struct Run {  ///< a piece of the local array that is contiguous in the buffer too
    std::size_t begin, length;
  };
  /// The owners' side of the halo or the ghosts' side.
  struct Side {
    std::vector<Run> runs;
    std::vector<T> buffer;
    void gather(std::span<const T> values);
  };
  /// Receives first, then sends.
  struct Direction {
    std::vector<MPI_Request> requests;
    int receives = 0;
  };

  template <class BlockOf>
  void set_up(const Halo& halo, BlockOf block_of);
  void start(Direction& direction, Side& from, std::span<const T> values, State next);
  void finish(Direction& direction, std::span<T> values, State expected);

  std::shared_ptr<Halo::Shared> shared_;
  std::size_t size_ = 0;  ///< of the local array
  Side owned_, ghost_;
  Direction broadcast_, reduce_;
  State state_ = State::idle;
};

extern template class HaloChannel<double>;
extern template class HaloChannel<std::int32_t>;
extern template class HaloChannel<std::int64_t>;

/// One-shot forms for set-up code: they make a channel for a single use.
template <class T>
void halo_broadcast(const Halo& halo, std::span<T> values, int stride = 1) {
  HaloChannel<T>(halo, stride).broadcast(values);
}
template <class T>
void halo_reduce_add(const Halo& halo, std::span<T> values, int stride = 1) {
  HaloChannel<T>(halo, stride).reduce_add(values);
}

}  // namespace percussion

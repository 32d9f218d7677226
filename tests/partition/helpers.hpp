// Shared by the partition tests: who am I, and numbers that every rank can compute for every other rank.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <initializer_list>

namespace percussion::test {

inline int my_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline int n_ranks() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// A pseudo-random number that depends on its arguments only (splitmix64 over them).
inline std::uint64_t hash(std::initializer_list<std::int64_t> keys) {
  std::uint64_t state = 0x9e3779b97f4a7c15ULL;
  for (const auto key : keys) {
    state += static_cast<std::uint64_t>(key) + 0x9e3779b97f4a7c15ULL;
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9ULL;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebULL;
    state ^= state >> 31;
  }
  return state;
}

/// In [0, 1).
inline double uniform(std::initializer_list<std::int64_t> keys) {
  return static_cast<double>(hash(keys) >> 11) * 0x1p-53;
}

}  // namespace percussion::test

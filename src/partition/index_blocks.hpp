// n things in contiguous shares, one per rank, as even as can be: the layout of slices of a file and of
// directories.
#pragma once
#include <mpi.h>

#include <cstdint>

namespace percussion {

struct IndexBlocks {
  std::int64_t n = 0;
  int rank = 0, ranks = 1;

  IndexBlocks(MPI_Comm comm, std::int64_t things) : n(things) {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
  }

  std::int64_t first(int r) const { return n * r / ranks; }
  std::int64_t first() const { return first(rank); }
  std::int64_t last() const { return first(rank + 1); }  ///< one past
  std::int64_t size() const { return last() - first(); }

  /// Rank of thing i, 0 <= i < n.
  int owner(std::int64_t i) const {
    int r = static_cast<int>(i * ranks / n);
    while (i >= first(r + 1)) ++r;
    while (i < first(r)) --r;
    return r;
  }
};

}  // namespace percussion

// How evenly the work is spread over the ranks, and when to spread it anew.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

namespace percussion {

struct Load {
  double max = 0;
  double average = 0;
  double ratio = 1;  ///< max / average: 1 is even, the number of ranks is all on one; 1 if there is no work
};

/// Collective. `weight` >= 0: the measured cost of this rank (seconds, contacts, ...).
Load load_balance(MPI_Comm comm, double weight);

/// `threshold` >= 1 (RunError otherwise). The same answer on all ranks when `ratio` comes from load_balance.
bool needs_redistribution(double ratio, double threshold);

/// Collective. Measured costs (finite, >= 0) as the integers >= 1 a partitioner wants, relative to the largest of all
/// ranks (2^30): sums of integers do not depend on the order of summation, so neither does what is decided by them.
std::vector<std::int64_t> integer_weights(MPI_Comm comm, std::span<const double> costs);

}  // namespace percussion

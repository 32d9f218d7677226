#include "partition/balance.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"

namespace percussion {

Load load_balance(MPI_Comm comm, double weight) {
  all_or_none(comm, [&] {
    if (!(weight >= 0) || !std::isfinite(weight))
      throw RunError("load balance: the weight of a rank is " + std::to_string(weight));
  });
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  Load load;
  MPI_Allreduce(&weight, &load.max, 1, MPI_DOUBLE, MPI_MAX, comm);
  MPI_Allreduce(&weight, &load.average, 1, MPI_DOUBLE, MPI_SUM, comm);
  load.average /= ranks;
  if (load.average > 0) load.ratio = load.max / load.average;
  return load;
}

bool needs_redistribution(double ratio, double threshold) {
  if (!(threshold >= 1))
    throw RunError("load balance: a threshold of " + std::to_string(threshold) + " can never be kept; use 1.1 to 2");
  return ratio > threshold;
}

std::vector<std::int64_t> integer_weights(MPI_Comm comm, std::span<const double> costs) {
  double largest = 0;
  for (const double cost : costs) largest = std::max(largest, cost);
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, comm);
  std::vector<std::int64_t> result(costs.size(), 1);
  if (largest > 0)
    std::transform(costs.begin(), costs.end(), result.begin(), [&](double cost) {
      return std::max<std::int64_t>(1, std::llround(cost / largest * 0x1p30));
    });
  return result;
}

}  // namespace percussion

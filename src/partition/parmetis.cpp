#include "partition/parmetis.hpp"

#include <parmetis.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#if defined(PERCUSSION_PARMETIS_PTSCOTCH)
extern "C" void SCOTCH_randomReset(void);  // of scotch.h, which its parmetis.h does not need
#endif

namespace percussion::detail {
namespace {

#if defined(PERCUSSION_PARMETIS_REAL)
using Index = idx_t;
using Real = real_t;
#elif defined(PERCUSSION_PARMETIS_PTSCOTCH)
using Index = SCOTCH_Num;
using Real = float;
#else
#error "FindParMETIS.cmake must say which ParMETIS interface this is"
#endif

// Both libraries add up weights in Index; half of its range leaves room for their own bookkeeping.
constexpr std::int64_t weight_limit = std::numeric_limits<Index>::max() / 2;

std::int64_t sum(MPI_Comm comm, std::int64_t value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, comm);
  return value;
}

// Never empty, so that data() is a valid pointer even without entries.
std::vector<Index> to_index(const std::vector<std::int64_t>& values) {
  std::vector<Index> result(std::max<std::size_t>(values.size(), 1), 0);
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

// Scaled down, if the total is too much for Index; equal weights stay equal, so edges stay symmetric.
std::vector<Index> to_weights(MPI_Comm comm, const std::vector<std::int64_t>& weights, std::size_t n) {
  std::vector<Index> result(std::max<std::size_t>(n, 1), 1);
  double total = 0;
  for (const auto w : weights) total += static_cast<double>(w);
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_DOUBLE, MPI_SUM, comm);
  const double scale = total > static_cast<double>(weight_limit) ? static_cast<double>(weight_limit) / total : 1.;
  std::transform(weights.begin(), weights.end(), result.begin(), [&](std::int64_t w) {
    return scale < 1 ? std::max<Index>(1, static_cast<Index>(static_cast<double>(w) * scale)) : static_cast<Index>(w);
  });
  return result;
}

}  // namespace

LibraryAnswer parmetis_kway(MPI_Comm comm, const DistributedGraph& graph, int parts) {
  LibraryAnswer answer;
  const auto n = graph.n_local();
  const auto edges = sum(comm, static_cast<std::int64_t>(graph.adjncy.size()));
  if (std::max(edges, graph.vtxdist.back()) > weight_limit) {
    answer.problem = "the graph is too large for the " + std::to_string(8 * sizeof(Index)) + "-bit index of " +
                     partitioner_name();
    return answer;
  }
  auto vwgt = to_weights(comm, graph.vwgt, n);
  auto adjwgt = to_weights(comm, graph.adjwgt, graph.adjncy.size());

  // Leaving out empty ranks does not change the global numbers: they only repeat an entry of vtxdist.
  int me = 0;
  MPI_Comm_rank(comm, &me);
  MPI_Comm busy = MPI_COMM_NULL;
  MPI_Comm_split(comm, n > 0 ? 0 : MPI_UNDEFINED, me, &busy);
  int failed = 0;
  if (busy != MPI_COMM_NULL) {
    auto vtxdist = to_index(graph.vtxdist);
    vtxdist.erase(std::unique(vtxdist.begin(), vtxdist.end()), vtxdist.end());
    auto xadj = to_index(graph.xadj);
    auto adjncy = to_index(graph.adjncy);
    std::vector<Index> part(n, -1);
    std::vector<Real> targets(static_cast<std::size_t>(parts), Real(1) / static_cast<Real>(parts));
    Real tolerance = 1.05f;
    Index both_weights = 3, from_zero = 0, constraints = 1, n_parts = parts, unused_cut = 0;
    Index options[3] = {1, 0, 17};  // own settings, no output, fixed seed
#if defined(PERCUSSION_PARMETIS_PTSCOTCH)
    SCOTCH_randomReset();  // it ignores the seed: the answer would depend on how often the run has asked before
#endif
    const int status = ParMETIS_V3_PartKway(vtxdist.data(), xadj.data(), adjncy.data(), vwgt.data(), adjwgt.data(),
                                            &both_weights, &from_zero, &constraints, &n_parts, targets.data(),
                                            &tolerance, options, &unused_cut, part.data(), &busy);
    failed = status == METIS_OK ? 0 : 1;
    answer.part.assign(part.begin(), part.end());
    MPI_Comm_free(&busy);
  }
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, comm);
  if (failed) answer.problem = std::string(partitioner_name()) + " returned an error";
  return answer;
}

}  // namespace percussion::detail

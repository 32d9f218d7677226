#include "partition/graph_partition.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "partition/halo.hpp"
#include "partition/halo_channel.hpp"
#include "partition/parmetis.hpp"
#include "percussion_config.hpp"

namespace percussion {
namespace {

// Twice the tolerance the library is asked for.
constexpr double acceptable_imbalance = 1.10;

std::int64_t weight_of(const std::vector<std::int64_t>& weights, std::size_t i) {
  return weights.empty() ? 1 : weights[i];
}

void check_graph(const DistributedGraph& graph, int parts, int me, int ranks) {
  const auto require = [&](bool condition, const char* text) {
    if (!condition) throw RunError("graph partition, rank " + std::to_string(me) + ": " + text);
  };
  require(parts >= 1, "at least one part is needed");
  const auto& dist = graph.vtxdist;
  require(dist.size() == static_cast<std::size_t>(ranks) + 1 && dist.front() == 0 &&
              std::is_sorted(dist.begin(), dist.end()),
          "vtxdist must rise from 0 and have one entry more than there are ranks");
  const auto n = static_cast<std::size_t>(dist[me + 1] - dist[me]);
  require(graph.xadj.size() == n + 1 && graph.xadj.front() == 0 &&
              std::is_sorted(graph.xadj.begin(), graph.xadj.end()) &&
              graph.xadj.back() == static_cast<std::int64_t>(graph.adjncy.size()),
          "xadj does not match vtxdist and adjncy");
  require(graph.vwgt.empty() || graph.vwgt.size() == n, "one vertex weight per vertex, or none");
  require(graph.adjwgt.empty() || graph.adjwgt.size() == graph.adjncy.size(), "one edge weight per edge, or none");
  require(graph.xyz.empty() || graph.xyz.size() == n, "one point per vertex, or none");
  const auto positive = [](std::int64_t w) { return w >= 1; };
  require(std::all_of(graph.vwgt.begin(), graph.vwgt.end(), positive) &&
              std::all_of(graph.adjwgt.begin(), graph.adjwgt.end(), positive),
          "weights must be at least 1");
  for (std::size_t i = 0; i < n; ++i)
    for (auto k = graph.xadj[i]; k < graph.xadj[i + 1]; ++k) {
      const auto v = graph.adjncy[k];
      require(v >= 0 && v < dist.back(), "an edge leads to a vertex that does not exist");
      require(v != dist[me] + static_cast<std::int64_t>(i), "a vertex is its own neighbour");
    }
}

struct PartTotals {
  std::vector<std::int64_t> weight, count;  // per part
  std::int64_t heaviest_vertex = 0;
  std::int64_t out_of_range = 0;
};

PartTotals totals_of(MPI_Comm comm, const DistributedGraph& graph, std::span<const std::int32_t> part, int parts) {
  const auto n = graph.n_local();
  const auto p_end = static_cast<std::size_t>(parts);
  PartTotals totals{std::vector<std::int64_t>(p_end), std::vector<std::int64_t>(p_end), 0, 0};
  if (part.size() != n) totals.out_of_range = 1;
  for (std::size_t i = 0; i < std::min(n, part.size()); ++i) {
    const auto w = weight_of(graph.vwgt, i);
    totals.heaviest_vertex = std::max(totals.heaviest_vertex, w);
    if (part[i] < 0 || part[i] >= parts) {
      ++totals.out_of_range;
      continue;
    }
    totals.weight[part[i]] += w;
    totals.count[part[i]] += 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, totals.weight.data(), parts, MPI_INT64_T, MPI_SUM, comm);
  MPI_Allreduce(MPI_IN_PLACE, totals.count.data(), parts, MPI_INT64_T, MPI_SUM, comm);
  MPI_Allreduce(MPI_IN_PLACE, &totals.heaviest_vertex, 1, MPI_INT64_T, MPI_MAX, comm);
  MPI_Allreduce(MPI_IN_PLACE, &totals.out_of_range, 1, MPI_INT64_T, MPI_SUM, comm);
  return totals;
}

double average_weight(const PartTotals& totals) {
  const double sum = std::accumulate(totals.weight.begin(), totals.weight.end(), 0.);
  return sum / static_cast<double>(totals.weight.size());
}

double heaviest_part(const PartTotals& totals) {
  return static_cast<double>(*std::max_element(totals.weight.begin(), totals.weight.end()));
}

// Empty: usable. The graph has more vertices than parts, so no part need be empty.
std::string judge(const PartTotals& totals) {
  const std::string who = partitioner_name();
  if (totals.out_of_range > 0) return who + " left vertices without a valid part";
  if (std::find(totals.count.begin(), totals.count.end(), 0) != totals.count.end()) return who + " left a part empty";
  // No partition can be asked to do better than one vertex.
  if (heaviest_part(totals) >
      acceptable_imbalance * average_weight(totals) + static_cast<double>(totals.heaviest_vertex))
    return who + " gave a part " + std::to_string(heaviest_part(totals) / average_weight(totals)) +
           " times the average weight";
  return {};
}

void fall_back(MPI_Comm comm, const DistributedGraph& graph, int parts, int me, GraphPartition& result) {
  const auto n = graph.n_local();
  int has_xyz = graph.xyz.size() == n ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &has_xyz, 1, MPI_INT, MPI_MIN, comm);
  std::vector<std::int64_t> ids(n);
  std::iota(ids.begin(), ids.end(), graph.vtxdist[me]);
  std::vector<Point3> points = graph.xyz;
  if (!has_xyz) {
    points.resize(n);
    std::transform(ids.begin(), ids.end(), points.begin(),
                   [](std::int64_t id) { return Point3{static_cast<double>(id), 0., 0.}; });
  }
  const std::vector<double> weights(graph.vwgt.begin(), graph.vwgt.end());
  result.part = recursive_bisection(comm, points, weights, parts, ids);
  result.method = has_xyz ? PartitionMethod::geometric : PartitionMethod::index_blocks;
}

}  // namespace

GraphPartition detail::partition_with(const Library& library, MPI_Comm comm, const DistributedGraph& graph,
                                      int parts) {
  int me = 0, ranks = 1;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  all_or_none(comm, [&] { check_graph(graph, parts, me, ranks); });

  auto edges = static_cast<std::int64_t>(graph.adjncy.size());
  MPI_Allreduce(MPI_IN_PLACE, &edges, 1, MPI_INT64_T, MPI_SUM, comm);
  GraphPartition result;
  if (parts == 1 || graph.vtxdist.back() <= parts) {
    result.part.assign(graph.n_local(), 0);
    if (parts > 1) std::iota(result.part.begin(), result.part.end(), static_cast<std::int32_t>(graph.vtxdist[me]));
  } else {
    if (edges == 0) {
      result.note = "the graph has no edges";
    } else {
      auto answer = library(comm, graph, parts);
      result.method = PartitionMethod::library;
      result.note = std::move(answer.problem);
      if (result.note.empty()) result.note = judge(totals_of(comm, graph, answer.part, parts));
      result.part = std::move(answer.part);
    }
    if (!result.note.empty()) fall_back(comm, graph, parts, me, result);
  }
  result.imbalance = part_imbalance(comm, graph, result.part, parts);
  result.edge_cut = edge_cut(comm, graph, result.part);
  return result;
}

GraphPartition partition_graph(MPI_Comm comm, const DistributedGraph& graph, int parts) {
  return detail::partition_with(detail::parmetis_kway, comm, graph, parts);
}

double part_imbalance(MPI_Comm comm, const DistributedGraph& graph, std::span<const std::int32_t> part, int parts) {
  const auto totals = totals_of(comm, graph, part, parts);
  const double average = average_weight(totals);
  return average > 0 ? heaviest_part(totals) / average : 1.;
}

std::int64_t edge_cut(MPI_Comm comm, const DistributedGraph& graph, std::span<const std::int32_t> part) {
  Halo halo(comm);
  const auto first = graph.vtxdist[halo.rank()];
  const auto n = static_cast<std::int64_t>(graph.n_local());
  const auto is_owned = [&](std::int64_t v) { return v >= first && v < first + n; };

  std::vector<std::int64_t> owned(graph.n_local()), outside;
  std::iota(owned.begin(), owned.end(), first);
  std::copy_if(graph.adjncy.begin(), graph.adjncy.end(), std::back_inserter(outside),
               [&](std::int64_t v) { return !is_owned(v); });
  std::sort(outside.begin(), outside.end());
  outside.erase(std::unique(outside.begin(), outside.end()), outside.end());
  std::vector<Ghost> ghosts;
  for (const auto v : outside) {
    const auto after = std::upper_bound(graph.vtxdist.begin(), graph.vtxdist.end(), v);
    ghosts.push_back({v, static_cast<int>(after - graph.vtxdist.begin()) - 1});
  }
  // Ascending vertex numbers are grouped by owner already: outside[k] stays ghost k.
  halo.build(owned, ghosts);
  std::vector<std::int32_t> part_of(part.begin(), part.end());
  part_of.resize(static_cast<std::size_t>(halo.size()), -1);
  halo_broadcast<std::int32_t>(halo, part_of);

  const auto local_of = [&](std::int64_t v) {
    return is_owned(v) ? v - first : n + (std::lower_bound(outside.begin(), outside.end(), v) - outside.begin());
  };
  std::int64_t twice = 0;
  for (std::size_t i = 0; i < owned.size(); ++i)
    for (auto k = graph.xadj[i]; k < graph.xadj[i + 1]; ++k)
      if (part_of[local_of(graph.adjncy[k])] != part_of[i]) twice += weight_of(graph.adjwgt, k);
  MPI_Allreduce(MPI_IN_PLACE, &twice, 1, MPI_INT64_T, MPI_SUM, comm);
  return twice / 2;
}

const char* partitioner_name() { return config::parmetis.data(); }

}  // namespace percussion

#include "partition/graph_builder.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.hpp"
#include "partition/pack.hpp"
#include "partition/sparse_exchange.hpp"

namespace percussion {

DistributedGraph build_graph(MPI_Comm comm, std::int64_t n_local, std::span<const GraphEdge> edges) {
  int me = 0, ranks = 1;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  DistributedGraph graph;
  graph.vtxdist.assign(static_cast<std::size_t>(ranks) + 1, 0);
  MPI_Allgather(&n_local, 1, MPI_INT64_T, graph.vtxdist.data() + 1, 1, MPI_INT64_T, comm);
  for (int r = 0; r < ranks; ++r) graph.vtxdist[r + 1] += graph.vtxdist[r];
  all_or_none(comm, [&] {
    for (const auto& e : edges)
      if (std::min(e.a, e.b) < 0 || std::max(e.a, e.b) >= graph.vtxdist.back() || e.weight < 1)
        throw RunError("graph: bad edge " + std::to_string(e.a) + " - " + std::to_string(e.b) + " of weight " +
                       std::to_string(e.weight));
  });

  // Each end's owner gets the edge with its own vertex first.
  const auto owner = [&](std::int64_t v) {
    return static_cast<int>(std::upper_bound(graph.vtxdist.begin(), graph.vtxdist.end(), v) - graph.vtxdist.begin()) -
           1;
  };
  std::map<int, std::vector<GraphEdge>> halves;
  for (const auto& e : edges) {
    if (e.a == e.b) continue;
    halves[owner(e.a)].push_back(e);
    halves[owner(e.b)].push_back({e.b, e.a, e.weight});
  }
  std::vector<Message> outgoing;
  for (const auto& [rank, list] : halves) {
    Packer packer;
    packer.put_array(list);
    outgoing.push_back({rank, packer.take()});
  }
  std::vector<GraphEdge> mine;
  for (const auto& message : sparse_exchange(comm, std::move(outgoing))) {
    const auto list = Unpacker(message.data).get_array<GraphEdge>();
    mine.insert(mine.end(), list.begin(), list.end());
  }

  std::sort(mine.begin(), mine.end(),
            [](const GraphEdge& x, const GraphEdge& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
  graph.xadj.assign(static_cast<std::size_t>(n_local) + 1, 0);
  for (std::size_t k = 0; k < mine.size(); ++k) {
    if (k > 0 && mine[k].a == mine[k - 1].a && mine[k].b == mine[k - 1].b) {
      graph.adjwgt.back() += mine[k].weight;
      continue;
    }
    graph.adjncy.push_back(mine[k].b);
    graph.adjwgt.push_back(mine[k].weight);
    ++graph.xadj[mine[k].a - graph.vtxdist[me] + 1];
  }
  for (std::int64_t i = 0; i < n_local; ++i) graph.xadj[i + 1] += graph.xadj[i];
  return graph;
}

}  // namespace percussion

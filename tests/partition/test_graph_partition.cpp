#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "partition/graph_builder.hpp"
#include "partition/graph_partition.hpp"
#include "partition/helpers.hpp"
#include "partition/relabel.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

constexpr int side = 12;
constexpr std::int64_t n_cells = side * side * side;

std::array<int, 3> cell_of(std::int64_t v) {
  return {static_cast<int>(v % side), static_cast<int>(v / side % side), static_cast<int>(v / (side * side))};
}

std::int64_t edge_weight(std::int64_t a, std::int64_t b) { return 1 + (a + b) % 3; }

// Every edge of the grid once: a, then b = a + step.
template <class Visit>
void for_each_edge(Visit visit) {
  const std::array<std::int64_t, 3> step{1, side, side * side};
  for (std::int64_t a = 0; a < n_cells; ++a)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (cell_of(a)[axis] + 1 < side) visit(a, a + step[axis]);
}

// How many consecutive vertices each rank holds.
using Shares = std::vector<std::int64_t>;
Shares even_shares(std::int64_t n) {
  Shares shares;
  for (int r = 0; r < n_ranks(); ++r) shares.push_back(n * (r + 1) / n_ranks() - n * r / n_ranks());
  return shares;
}
Shares all_on(int rank, std::int64_t n) {
  Shares shares(static_cast<std::size_t>(n_ranks()), 0);
  shares[static_cast<std::size_t>(rank)] = n;
  return shares;
}

// The grid graph; the edges are listed on ranks that need not own any of their ends.
DistributedGraph grid_graph(const Shares& shares, bool weighted_edges = false) {
  std::vector<GraphEdge> edges;
  for_each_edge([&](std::int64_t a, std::int64_t b) {
    if (hash({a, b}) % static_cast<std::uint64_t>(n_ranks()) == static_cast<std::uint64_t>(my_rank()))
      edges.push_back({b, a, weighted_edges ? edge_weight(a, b) : 1});
  });
  auto graph = build_graph(MPI_COMM_WORLD, shares[static_cast<std::size_t>(my_rank())], edges);
  for (std::size_t i = 0; i < graph.n_local(); ++i) {
    const auto cell = cell_of(graph.vtxdist[static_cast<std::size_t>(my_rank())] + static_cast<std::int64_t>(i));
    graph.xyz.push_back({1. * cell[0], 1. * cell[1], 1. * cell[2]});
  }
  return graph;
}

std::vector<std::int32_t> gather(const DistributedGraph& graph, const std::vector<std::int32_t>& part) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(graph.vtxdist.back()), 0);
  std::copy(part.begin(), part.end(), all.begin() + graph.vtxdist[static_cast<std::size_t>(my_rank())]);
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

std::int64_t serial_cut(const std::vector<std::int32_t>& part, bool weighted_edges) {
  std::int64_t cut = 0;
  for_each_edge([&](std::int64_t a, std::int64_t b) {
    if (part[static_cast<std::size_t>(a)] != part[static_cast<std::size_t>(b)])
      cut += weighted_edges ? edge_weight(a, b) : 1;
  });
  return cut;
}

std::vector<std::int32_t> random_part(const DistributedGraph& graph, int parts) {
  std::vector<std::int32_t> part;
  for (std::size_t i = 0; i < graph.n_local(); ++i)
    part.push_back(static_cast<std::int32_t>(
        hash({graph.vtxdist[static_cast<std::size_t>(my_rank())] + static_cast<std::int64_t>(i), 77}) %
        static_cast<std::uint64_t>(parts)));
  return part;
}

bool is_valid(const std::vector<std::int32_t>& part, int parts) {
  std::vector<int> used(static_cast<std::size_t>(parts), 0);
  for (const auto p : part) {
    if (p < 0 || p >= parts) return false;
    used[static_cast<std::size_t>(p)] = 1;
  }
  return std::all_of(used.begin(), used.end(), [](int u) { return u == 1; });
}

void check_good_partition(const DistributedGraph& graph, int parts) {
  const auto result = partition_graph(MPI_COMM_WORLD, graph, parts);
  BOOST_TEST((result.method == PartitionMethod::library), "fell back: " << result.note);
  BOOST_TEST(result.note.empty());
  BOOST_TEST(is_valid(gather(graph, result.part), parts));
  // The library is asked for 1.05; partition_graph accepts 1.10 and one vertex.
  BOOST_TEST(result.imbalance <= 1.1);
  BOOST_TEST(result.imbalance >= 1.);
  BOOST_TEST(result.edge_cut > 0);
  // Random labels cut (1 - 1/parts) of all edges; planes through the grid below a tenth of that.
  BOOST_TEST(3 * result.edge_cut < edge_cut(MPI_COMM_WORLD, graph, random_part(graph, parts)));
  // Bisection of a grid is about the best there is; the margin is what a multilevel heuristic may lose.
  const auto bisected = recursive_bisection(MPI_COMM_WORLD, graph.xyz, {}, parts);
  BOOST_TEST(2 * result.edge_cut <= 3 * edge_cut(MPI_COMM_WORLD, graph, bisected));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(graph_partition)

BOOST_AUTO_TEST_CASE(built_graph_is_the_symmetric_grid_with_added_up_weights) {
  // Each edge listed by all ranks, in a direction that depends on the rank, and some loops.
  std::vector<GraphEdge> edges{{3, 3, 9}};
  for_each_edge([&](std::int64_t a, std::int64_t b) {
    if (my_rank() % 2 == 0) edges.push_back({a, b, edge_weight(a, b)});
    else edges.push_back({b, a, edge_weight(a, b)});
  });
  const auto graph = build_graph(MPI_COMM_WORLD, even_shares(n_cells)[static_cast<std::size_t>(my_rank())], edges);
  std::vector<std::map<std::int64_t, std::int64_t>> expected(n_cells);
  for_each_edge([&](std::int64_t a, std::int64_t b) {
    expected[static_cast<std::size_t>(a)][b] = expected[static_cast<std::size_t>(b)][a] = n_ranks() * edge_weight(a, b);
  });
  const auto first = graph.vtxdist[static_cast<std::size_t>(my_rank())];
  BOOST_TEST(graph.vtxdist.back() == n_cells);
  bool good = true;
  for (std::size_t i = 0; i < graph.n_local(); ++i) {
    std::map<std::int64_t, std::int64_t> row;
    for (auto k = static_cast<std::size_t>(graph.xadj[i]); k < static_cast<std::size_t>(graph.xadj[i + 1]); ++k)
      good = good && row.emplace(graph.adjncy[k], graph.adjwgt[k]).second;
    good = good && row == expected[static_cast<std::size_t>(first) + i];
  }
  BOOST_TEST(good);

  const std::vector<GraphEdge> bad{{0, my_rank() == 0 ? n_cells : 1, 1}};
  BOOST_CHECK_THROW(build_graph(MPI_COMM_WORLD, graph.vtxdist[1], bad), RunError);
}

BOOST_AUTO_TEST_CASE(edge_cut_and_imbalance_are_those_of_the_serial_graph) {
  for (const bool weighted : {false, true}) {
    auto graph = grid_graph(even_shares(n_cells), weighted);
    const auto part = random_part(graph, 5);
    BOOST_TEST(edge_cut(MPI_COMM_WORLD, graph, part) == serial_cut(gather(graph, part), weighted));
    std::vector<double> sums(5, 0.);
    double total = 0;
    const auto all = gather(graph, part);
    const auto weight = [&](std::int64_t v) { return weighted ? 1 + v % 7 : 1; };
    for (std::int64_t v = 0; v < n_cells; ++v) {
      sums[static_cast<std::size_t>(all[static_cast<std::size_t>(v)])] += static_cast<double>(weight(v));
      total += static_cast<double>(weight(v));
    }
    for (std::size_t i = 0; weighted && i < graph.n_local(); ++i)
      graph.vwgt.push_back(weight(graph.vtxdist[static_cast<std::size_t>(my_rank())] + static_cast<std::int64_t>(i)));
    // Both are quotients of the same integers.
    BOOST_TEST(std::abs(part_imbalance(MPI_COMM_WORLD, graph, part, 5) -
                        *std::max_element(sums.begin(), sums.end()) * 5 / total) < 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(grid_is_partitioned_well) {
  const auto graph = grid_graph(even_shares(n_cells));
  for (const int parts : {2, 3, 4, 8}) check_good_partition(graph, parts);
}

BOOST_AUTO_TEST_CASE(empty_ranks_take_part) {
  check_good_partition(grid_graph(all_on(0, n_cells)), 4);
  check_good_partition(grid_graph(all_on(n_ranks() - 1, n_cells)), 4);
  if (n_ranks() == 4) check_good_partition(grid_graph({n_cells / 2, 0, n_cells - n_cells / 2, 0}), 4);
}

BOOST_AUTO_TEST_CASE(vertex_weights_are_balanced_even_when_their_sum_exceeds_32_bits) {
  auto graph = grid_graph(even_shares(n_cells));
  for (const auto& x : graph.xyz) graph.vwgt.push_back(x[0] < 3 ? 90'000'000 : 10'000'000);  // total 5e10
  const auto result = partition_graph(MPI_COMM_WORLD, graph, 4);
  BOOST_TEST((result.method == PartitionMethod::library), "fell back: " << result.note);
  BOOST_TEST(result.imbalance <= 1.1);
}

BOOST_AUTO_TEST_CASE(isolated_vertices_are_shared_out_too) {
  // The grid's edges on the first half only: grains in flight beside a heap.
  std::vector<GraphEdge> edges;
  for_each_edge([&](std::int64_t a, std::int64_t b) {
    if (b < n_cells / 2 && my_rank() == 0) edges.push_back({a, b, 1});
  });
  auto graph = build_graph(MPI_COMM_WORLD, even_shares(n_cells)[static_cast<std::size_t>(my_rank())], edges);
  const auto result = partition_graph(MPI_COMM_WORLD, graph, 4);
  BOOST_TEST(is_valid(gather(graph, result.part), 4));
  // The bound of the check inside partition_graph, whichever method answered: 1.10 and one of 432 vertices.
  BOOST_TEST(result.imbalance <= 1.10 + 1. / 432);
}

BOOST_AUTO_TEST_CASE(few_vertices_for_many_parts_leave_no_part_empty) {
  // Stars and chains hardly larger than the number of parts: libraries tend to leave parts empty here.
  for (const int parts : {2, 3, 4, 7})
    for (std::int64_t n = parts + 1; n <= 3 * parts; ++n)
      for (const bool star : {true, false}) {
        std::vector<GraphEdge> edges;
        for (std::int64_t v = 1; my_rank() == 0 && v < n; ++v) edges.push_back({star ? 0 : v - 1, v, 1});
        const auto graph = build_graph(MPI_COMM_WORLD, even_shares(n)[static_cast<std::size_t>(my_rank())], edges);
        const auto result = partition_graph(MPI_COMM_WORLD, graph, parts);
        BOOST_TEST(is_valid(gather(graph, result.part), parts), n << " vertices, " << parts << " parts");
        BOOST_TEST(result.note.empty() == (result.method == PartitionMethod::library));
      }
}

BOOST_AUTO_TEST_CASE(without_edges_the_points_or_the_numbers_decide) {
  auto graph = build_graph(MPI_COMM_WORLD, even_shares(100)[static_cast<std::size_t>(my_rank())], {});
  const auto blocks = partition_graph(MPI_COMM_WORLD, graph, 4);
  BOOST_TEST((blocks.method == PartitionMethod::index_blocks));
  BOOST_TEST(!blocks.note.empty());
  const auto all = gather(graph, blocks.part);
  BOOST_TEST(std::is_sorted(all.begin(), all.end()));
  BOOST_TEST(blocks.imbalance == 1.);

  for (std::size_t i = 0; i < graph.n_local(); ++i) {
    const auto v = graph.vtxdist[static_cast<std::size_t>(my_rank())] + static_cast<std::int64_t>(i);
    graph.xyz.push_back({uniform({v, 1}), uniform({v, 2}), 0});
  }
  const auto geometric = partition_graph(MPI_COMM_WORLD, graph, 4);
  BOOST_TEST((geometric.method == PartitionMethod::geometric));
  BOOST_TEST((geometric.part == recursive_bisection(MPI_COMM_WORLD, graph.xyz, {}, 4)));
  BOOST_TEST(geometric.edge_cut == 0);
}

BOOST_AUTO_TEST_CASE(wrong_answers_of_the_library_are_noticed_and_mended) {
  const auto graph = grid_graph(even_shares(n_cells));
  constexpr int parts = 4;
  const auto mended = [&](auto spoil, const std::string& reason) {
    const auto result = detail::partition_with(
        [&](MPI_Comm, const DistributedGraph& g, int n) {
          detail::LibraryAnswer answer{random_part(g, n), {}};
          spoil(answer);
          return answer;
        },
        MPI_COMM_WORLD, graph, parts);
    BOOST_TEST((result.note.find(reason) != std::string::npos), result.note);
    BOOST_TEST((result.method == (reason.empty() ? PartitionMethod::library : PartitionMethod::geometric)));
    if (!reason.empty()) BOOST_TEST((result.part == recursive_bisection(MPI_COMM_WORLD, graph.xyz, {}, parts)));
  };
  const bool guilty = my_rank() == n_ranks() - 1;
  mended([](auto&) {}, "");  // random labels are balanced: badly cut, but usable
  mended([](auto& answer) { answer.problem = "out of memory"; }, "out of memory");
  mended([&](auto& answer) { if (guilty) answer.part.back() = parts; }, "without a valid part");
  mended([&](auto& answer) { if (guilty) answer.part.back() = -1; }, "without a valid part");
  mended([&](auto& answer) { if (guilty) answer.part.pop_back(); }, "without a valid part");
  mended([](auto& answer) { std::replace(answer.part.begin(), answer.part.end(), 2, 3); }, "empty");
  mended(
      [](auto& answer) {
        for (std::size_t i = 0; i < answer.part.size(); i += 3) answer.part[i] = 0;  // half of the weight in one part
      },
      "times the average weight");
}

BOOST_AUTO_TEST_CASE(trivial_partitions) {
  const auto graph = grid_graph(even_shares(n_cells));
  const auto one = partition_graph(MPI_COMM_WORLD, graph, 1);
  BOOST_TEST((one.part == std::vector<std::int32_t>(graph.n_local(), 0)));
  BOOST_TEST(one.edge_cut == 0);
  // A chain of three bodies for five parts: each alone.
  const std::vector<GraphEdge> chain{{0, 1, 1}, {1, 2, 1}};
  const auto small = build_graph(MPI_COMM_WORLD, all_on(n_ranks() - 1, 3)[static_cast<std::size_t>(my_rank())],
                                 my_rank() == 0 ? std::span(chain) : std::span<const GraphEdge>());
  const auto alone = partition_graph(MPI_COMM_WORLD, small, 5);
  BOOST_TEST((gather(small, alone.part) == std::vector<std::int32_t>{0, 1, 2}));
  BOOST_TEST(alone.edge_cut == 2);
  const auto nothing = partition_graph(MPI_COMM_WORLD, build_graph(MPI_COMM_WORLD, 0, {}), 3);
  BOOST_TEST(nothing.part.empty());
  BOOST_TEST(nothing.imbalance == 1.);
}

BOOST_AUTO_TEST_CASE(malformed_graphs_are_errors_on_all_ranks) {
  const auto good = grid_graph(even_shares(n_cells));
  const bool guilty = my_rank() == n_ranks() - 1;
  const auto refuse = [&](auto damage) {
    auto graph = good;
    if (guilty) damage(graph);
    BOOST_CHECK_THROW(partition_graph(MPI_COMM_WORLD, graph, 2), RunError);
  };
  refuse([](DistributedGraph& g) { g.adjncy.back() = n_cells; });
  refuse([](DistributedGraph& g) { g.adjncy.back() = n_cells - 1; });  // a loop
  refuse([](DistributedGraph& g) { g.xadj.pop_back(); });
  refuse([](DistributedGraph& g) { g.vwgt.assign(g.n_local(), 0); });
  refuse([](DistributedGraph& g) { g.adjwgt.assign(3, 1); });
  refuse([](DistributedGraph& g) { g.vtxdist.pop_back(); });
  BOOST_CHECK_THROW(partition_graph(MPI_COMM_WORLD, good, 0), RunError);
}

BOOST_AUTO_TEST_CASE(the_library_has_a_name) {
  const std::string name = partitioner_name();
  BOOST_TEST((name.find("ParMETIS") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(relabelled_parts_stay_where_they_are) {
  // Rank r holds 100 entities of part (r + 1) % ranks and one of every other part.
  const int ranks = n_ranks(), shifted = (my_rank() + 1) % ranks;
  std::vector<std::int32_t> part(100, shifted);
  for (int p = 0; p < ranks; ++p) part.push_back(p);
  relabel_parts(MPI_COMM_WORLD, part);
  BOOST_TEST(std::all_of(part.begin(), part.begin() + 100, [](auto p) { return p == my_rank(); }));
  for (int p = 0; p < ranks; ++p) BOOST_TEST(part[static_cast<std::size_t>(100 + p)] == (p + ranks - 1) % ranks);
}

BOOST_AUTO_TEST_CASE(relabelling_is_one_permutation_on_all_ranks) {
  // Everything on rank 0: three of its four pieces must go, and no two to the same rank.
  std::vector<std::int32_t> part;
  const auto ranks = static_cast<std::uint64_t>(n_ranks());
  for (int i = 0; my_rank() == 0 && i < 100; ++i) part.push_back(static_cast<std::int32_t>(hash({i}) % ranks));
  const auto before = part;
  const std::vector<std::int64_t> weights(part.size(), 3);
  relabel_parts(MPI_COMM_WORLD, part, weights);
  std::map<std::int32_t, std::int32_t> renamed, back;
  for (std::size_t i = 0; i < part.size(); ++i) {
    BOOST_TEST(renamed.emplace(before[i], part[i]).first->second == part[i]);
    BOOST_TEST(back.emplace(part[i], before[i]).first->second == before[i]);
  }
  if (my_rank() == 0) {
    std::map<std::int32_t, int> size_of;
    for (const auto p : part) ++size_of[p];
    for (const auto& [p, n] : size_of) BOOST_TEST(n <= size_of[0], "the largest piece stays");
  }
  const std::vector<std::int32_t> good{0}, bad{n_ranks()};
  auto mine = my_rank() == 0 ? bad : good;
  BOOST_CHECK_THROW(relabel_parts(MPI_COMM_WORLD, mine), RunError);
}

BOOST_AUTO_TEST_SUITE_END()

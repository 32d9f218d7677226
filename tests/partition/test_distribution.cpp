// Ghosts and migration of nodes against brute force over the whole cloud.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "partition/cloud.hpp"
#include "partition/distribution.hpp"
#include "partition/geometric.hpp"
#include "partition/node_points.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

using Owner = std::function<int(std::size_t)>;

struct Visibility {
  std::int64_t crossing = 0;  // pairs in reach between two ranks, in all
  std::int64_t missed = 0;    // of which one partner is not seen
};

// Collective. Every pair in reach must be complete on the ranks of both partners.
Visibility visibility(const Cloud& cloud, const Owner& owner, const Distribution& distribution, double margin) {
  Visibility seen;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (owner(i) != my_rank()) continue;
    for (std::size_t j = 0; j < cloud.size(); ++j) {
      if (owner(j) == my_rank() || !cloud.in_reach(i, j, margin)) continue;
      ++seen.crossing;
      if (distribution.local(cloud.id(j)) < 0) ++seen.missed;
    }
  }
  return {sum_over_ranks(seen.crossing), sum_over_ranks(seen.missed)};
}

int wrong_nodes(const Cloud& cloud, const NodeStore& nodes, const Distribution& distribution, const Owner& owner) {
  int wrong = 0;
  for (std::int32_t i = 0; i < nodes.size(); ++i) {
    const bool mine = owner(Cloud::index_of(nodes[i].id)) == my_rank();
    if (!same_as_body(cloud, nodes, i) || mine != nodes.is_owned(i) || distribution.local(nodes[i].id) != i) ++wrong;
  }
  for (std::int32_t g = 0; g < distribution.halo().n_ghosts(); ++g) {
    const auto& ghost = distribution.halo().ghosts()[g];
    if (ghost.id != nodes[nodes.owned() + g].id || ghost.owner != owner(Cloud::index_of(ghost.id))) ++wrong;
  }
  if (distribution.halo().size() != nodes.size() || distribution.halo().n_owned() != nodes.owned()) ++wrong;
  return wrong;
}

// Contact ghosts that no search by reach could need: further from the box of this rank's nodes than the reach of the
// ghost and the largest reach here; or nodes that are never detected.
int useless_ghosts(const NodeStore& nodes, double margin) {
  Point3 lo{1e300, 1e300, 1e300}, hi{-1e300, -1e300, -1e300};
  double largest = 0;
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    if (nodes[i].radius == 0) continue;
    const auto x = point_of(nodes, i);
    for (int d = 0; d < 3; ++d) lo[d] = std::min(lo[d], x[d]), hi[d] = std::max(hi[d], x[d]);
    largest = std::max(largest, nodes[i].radius);
  }
  int useless = 0;
  for (std::int32_t i = nodes.owned(); i < nodes.size(); ++i) {
    const auto x = point_of(nodes, i);
    double distance2 = 0;
    for (int d = 0; d < 3; ++d) distance2 += std::pow(std::max({lo[d] - x[d], x[d] - hi[d], 0.}), 2);
    // 1e-12: rounding of the two sums of radii.
    const double limit = (nodes[i].radius + largest + 2 * margin) * (1 + 1e-12);
    if (nodes[i].radius == 0 || distance2 > limit * limit) ++useless;
  }
  return useless;
}

std::int64_t check_ghosts(const Cloud& cloud, const Owner& owner, double margin) {
  auto nodes = store_of(cloud, owner);
  Distribution distribution(MPI_COMM_WORLD);
  distribution.adopt_nodes(nodes);
  distribution.build_ghosts(nodes, margin);
  const auto seen = visibility(cloud, owner, distribution, margin);
  BOOST_TEST(seen.missed == 0);
  BOOST_TEST(wrong_nodes(cloud, nodes, distribution, owner) == 0);
  BOOST_TEST(useless_ghosts(nodes, margin) == 0);
  return seen.crossing;
}

Owner slabs(const Cloud& cloud, double half_box) {
  return [&cloud, half_box](std::size_t k) {
    const double share = (cloud.bodies[k].x(0) + half_box) / (2 * half_box);
    return std::clamp(static_cast<int>(share * n_ranks()), 0, n_ranks() - 1);
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distribution)

BOOST_AUTO_TEST_CASE(every_pair_in_reach_is_seen_by_both_owners) {
  const auto cloud = make_cloud(900, 2, 0.1, 0.15);
  for (const double margin : {0., 0.04}) {
    const auto crossing = check_ghosts(cloud, slabs(cloud, 2), margin);
    BOOST_TEST((crossing > 0) == (n_ranks() > 1));
    check_ghosts(cloud, [](std::size_t k) { return random_rank(k, 5); }, margin);
    check_ghosts(cloud, [](std::size_t) { return n_ranks() - 1; }, margin);
    // Only the first and the last rank have nodes, and they are mixed.
    check_ghosts(cloud, [](std::size_t k) { return k % 3 == 0 ? 0 : n_ranks() - 1; }, margin);
  }
}

BOOST_AUTO_TEST_CASE(bodies_of_very_different_size) {
  // Radii over two decades and one body that reaches all others: several grids at work.
  auto cloud = make_cloud(900, 2, 0.01, 0.3);
  for (std::size_t k = 0; k < cloud.size(); ++k)
    if (cloud.bodies[k].data.radius > 0.1 && k % 4 != 0) cloud.bodies[k].data.radius *= 0.1;
  cloud.bodies[0].data.radius = 1.5;
  for (const double margin : {0., 0.01}) {
    const auto crossing = check_ghosts(cloud, slabs(cloud, 2), margin);
    BOOST_TEST((crossing > 0) == (n_ranks() > 1));
    check_ghosts(cloud, [](std::size_t k) { return random_rank(k, 6); }, margin);
  }
}

BOOST_AUTO_TEST_CASE(a_large_body_does_not_coarsen_the_search_among_small_ones) {
  // The drum is far away, so the ghost layer of the grains must stay as thin as without it.
  auto cloud = make_cloud(1200, 2, 0.02, 0.02);
  const auto owner = slabs(cloud, 2);
  const auto ghosts = [&] {
    auto nodes = store_of(cloud, owner);
    Distribution distribution(MPI_COMM_WORLD);
    distribution.adopt_nodes(nodes);
    distribution.build_ghosts(nodes, 0.);
    return sum_over_ranks(distribution.halo().n_ghosts());
  };
  cloud.bodies[0].q[0] = 100;
  const auto without = ghosts();
  cloud.bodies[0].data.radius = 10;
  // Up to a quarter: the drum shifts the cell width of the grains within its factor of 4, so the boxes differ. With
  // one coarse grid for all nearly every body would be copied.
  BOOST_TEST(std::abs(ghosts() - without) <= 0.25 * without + 5);
}

BOOST_AUTO_TEST_CASE(far_away_bodies_and_bad_positions) {
  auto cloud = make_cloud(60, 1, 0.1, 0.2);
  const Owner owner = [](std::size_t k) { return random_rank(k, 7); };
  // Beyond the integers that number cells, and touching: 0.1 is below the spacing of numbers there.
  for (const std::size_t k : {0, 1, 2, 6}) cloud.bodies[k].q[0] = 1e18;
  check_ghosts(cloud, owner, 0.);

  cloud.bodies[12].q[1] = std::numeric_limits<double>::quiet_NaN();
  auto nodes = store_of(cloud, owner);
  Distribution distribution(MPI_COMM_WORLD);
  distribution.adopt_nodes(nodes);
  BOOST_CHECK_THROW(distribution.build_ghosts(nodes, 0.), RunError);
  BOOST_TEST(!distribution.has_ghosts());
}

BOOST_AUTO_TEST_CASE(requested_nodes_become_ghosts) {
  const auto cloud = make_cloud(200, 10, 0.1, 0.1);
  const Owner owner = [](std::size_t k) { return random_rank(k, 8); };
  auto nodes = store_of(cloud, owner);
  Distribution distribution(MPI_COMM_WORLD);
  distribution.adopt_nodes(nodes);

  // Own nodes, others' nodes, repetitions; different on each rank.
  std::vector<GhostRequest> requests;
  for (std::size_t k = my_rank(); k < cloud.size(); k += 3) requests.insert(requests.end(), 2, {cloud.id(k)});
  distribution.build_ghosts(nodes, 0., requests);
  BOOST_TEST(wrong_nodes(cloud, nodes, distribution, owner) == 0);
  int missing = 0;
  for (const auto& request : requests) missing += distribution.local(request.id) < 0;
  BOOST_TEST(missing == 0);

  // One rank's mistake is everybody's error, and can be mended.
  if (my_rank() == n_ranks() - 1) requests.push_back({Cloud::id_of(10'000)});
  BOOST_CHECK_THROW(distribution.build_ghosts(nodes, 0., requests), RunError);
  distribution.build_ghosts(nodes, 0.);
  BOOST_TEST(wrong_nodes(cloud, nodes, distribution, owner) == 0);
  BOOST_TEST(visibility(cloud, owner, distribution, 0.).missed == 0);
}

BOOST_AUTO_TEST_CASE(ghosts_follow_their_owners) {
  const auto cloud = make_cloud(400, 1, 0.1, 0.2);
  const Owner owner = [](std::size_t k) { return random_rank(k, 9); };
  auto nodes = store_of(cloud, owner);
  Distribution distribution(MPI_COMM_WORLD);
  distribution.adopt_nodes(nodes);
  distribution.build_ghosts(nodes, 0.);

  const auto value = [](std::int64_t id, std::size_t d, int step) { return static_cast<double>(id * 1000 + step) + 0.01 * d; };
  const auto write = [&](int step) {
    for (std::int32_t i = 0; i < nodes.owned(); ++i) {
      for (std::size_t d = 0; d < nodes.q(i).size(); ++d) nodes.q(i)[d] = value(nodes[i].id, d, step);
      for (std::size_t d = 0; d < nodes.u(i).size(); ++d) nodes.u(i)[d] = -value(nodes[i].id, d, step);
    }
  };
  const auto wrong = [&](std::int32_t first, std::int32_t last, int step) {
    int count = 0;
    for (std::int32_t i = first; i < last; ++i) {
      for (std::size_t d = 0; d < nodes.q(i).size(); ++d) count += nodes.q(i)[d] != value(nodes[i].id, d, step);
      for (std::size_t d = 0; d < nodes.u(i).size(); ++d) count += nodes.u(i)[d] != -value(nodes[i].id, d, step);
    }
    return count;
  };
  for (int step = 0; step < 3; ++step) {
    write(step);
    distribution.update_ghosts(nodes);
    BOOST_TEST(wrong(0, nodes.size(), step) == 0);
  }
  // What the owner writes after the start is not seen.
  write(10);
  distribution.update_ghosts_start(nodes);
  write(11);
  distribution.update_ghosts_finish(nodes);
  BOOST_TEST(wrong(0, nodes.owned(), 11) == 0);
  BOOST_TEST(wrong(nodes.owned(), nodes.size(), 10) == 0);
  BOOST_TEST((sum_over_ranks(nodes.size() - nodes.owned()) > 0) == (n_ranks() > 1));
}

BOOST_AUTO_TEST_CASE(reordered_nodes_keep_their_values) {
  const auto cloud = make_cloud(500, 2, 0.1, 0.2);
  const Owner owner = slabs(cloud, 2);
  auto nodes = store_of(cloud, owner);
  Distribution distribution(MPI_COMM_WORLD);
  distribution.adopt_nodes(nodes);
  distribution.build_ghosts(nodes, 0.);

  const auto points = owned_points(nodes);
  const auto box = extent_of(distribution.comm(), points);
  const auto order = morton_order(points, box);
  distribution.reorder(nodes, order);
  BOOST_TEST(!distribution.has_ghosts());
  BOOST_TEST(nodes.size() == nodes.owned());
  int descents = 0;
  for (std::int32_t i = 1; i < nodes.owned(); ++i)
    descents += morton_key(point_of(nodes, i), box) < morton_key(point_of(nodes, i - 1), box);
  BOOST_TEST(descents == 0);
  distribution.build_ghosts(nodes, 0.);
  BOOST_TEST(wrong_nodes(cloud, nodes, distribution, owner) == 0);
  BOOST_TEST(visibility(cloud, owner, distribution, 0.).missed == 0);

  if (nodes.owned() > 1) {
    const std::vector<std::int32_t> repeated(nodes.owned(), 0);
    BOOST_CHECK_THROW(distribution.reorder(nodes, repeated), std::exception);
  }
}

BOOST_AUTO_TEST_SUITE_END()

// Nodes renumbered along the Morton curve.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "contact/cloud.hpp"
#include "contact/spatial_order.hpp"
#include "math/morton.hpp"

using namespace percussion;
using namespace percussion::test;

BOOST_AUTO_TEST_SUITE(space_filling_order)

BOOST_AUTO_TEST_CASE(morton_code_interleaves_bits) {
  for (int trial = 0; trial < 100; ++trial) {
    const CounterRandom random(1, trial);
    std::uint64_t cell[3], expected = 0;
    for (int a = 0; a < 3; ++a) cell[a] = random.bits(a)[0] >> 43;
    for (int bit = 0; bit < 21; ++bit)
      for (int a = 0; a < 3; ++a) expected |= (cell[a] >> bit & 1) << (3 * bit + a);
    BOOST_TEST(morton_code(cell[0], cell[1], cell[2]) == expected);
  }
}

BOOST_AUTO_TEST_CASE(permutation_of_owned_nodes_independent_of_numbering) {
  Cloud cloud = random_cloud(1000, 2, 0.1, 1, 10);
  cloud[17].x = cloud[400].x;  // the same place: the ids decide
  const Cloud other = shuffled(cloud, 3);
  NodeStore store = store_of(cloud), renumbered = store_of(other);
  add_body(store, sphere_body(5000, {0, 0, 0}, 1), true);  // a ghost
  const auto order = spatial_order(store, store.q());
  auto sorted = order;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int32_t> all(1000);
  std::iota(all.begin(), all.end(), 0);
  BOOST_TEST(sorted == all, boost::test_tools::per_element());

  const auto again = spatial_order(renumbered, renumbered.q());
  for (int k = 0; k < 1000; ++k) BOOST_TEST(store[order[k]].id == renumbered[again[k]].id);
}

BOOST_AUTO_TEST_CASE(neighbours_in_the_order_are_near_in_space) {
  const Cloud cloud = packed_cloud(16, 0.1, 4);
  const NodeStore store = store_of(cloud);
  const auto order = spatial_order(store, store.q());
  double mean = 0;
  for (std::size_t k = 1; k < order.size(); ++k)
    mean += (gap_between(cloud[order[k - 1]], cloud[order[k]]) + 1) / static_cast<double>(order.size());
  // The steps of the Morton curve on a full grid of 16^3 have a mean length of 1.7; at random it is 0.66 * 16.
  BOOST_TEST(mean < 2.5);
}

BOOST_AUTO_TEST_CASE(nodes_without_a_place_come_last) {
  Cloud cloud = random_cloud(50, 5, 1, 1, 10);
  cloud[3].node.kind = NodeKind::generalized, cloud[3].node.dofs = 2;
  cloud[4].x[0] = std::nan("");
  const NodeStore store = store_of(cloud);
  const auto order = spatial_order(store, store.q());
  BOOST_TEST(std::min(order[48], order[49]) == 3);
  BOOST_TEST(std::max(order[48], order[49]) == 4);
}

BOOST_AUTO_TEST_SUITE_END()

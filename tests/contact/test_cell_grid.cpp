// The grids find each overlapping pair once, and their memory does not depend on the size of the box.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <numeric>

#include "contact/cloud.hpp"
#include "contact/grid_hierarchy.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

std::vector<Ball> balls_of(const Cloud& cloud) {
  std::vector<Ball> balls;
  for (const CloudBody& b : cloud) balls.push_back({{b.x[0], b.x[1], b.x[2]}, b.node.radius});
  return balls;
}

Pairs all_pairs(std::span<const Ball> balls) {
  Pairs pairs;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(balls.size()); ++i)
    for (std::int32_t j = i + 1; j < static_cast<std::int32_t>(balls.size()); ++j)
      if (overlap(balls[i], balls[j])) pairs.emplace_back(i, j);
  return pairs;
}

/// Pairs in the numbering of the input, sorted; double finds stay double.
template <class Grid>
Pairs pairs_of(const Grid& grid, std::span<const std::int32_t> index) {
  Pairs pairs;
  grid.for_each_pair([&](std::int32_t i, std::int32_t j) { pairs.push_back(std::minmax(index[i], index[j])); });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cell_grid)

// Edge 2 .. 2e5 at 800 balls: one cell, a full grid, and all three axes folded many times over.
BOOST_DATA_TEST_CASE(each_pair_once, boost::unit_test::data::make({2., 15., 40., 300., 2e5}), edge) {
  Cloud cloud = random_cloud(800, 1, 1, 1, edge);
  for (std::size_t i = 1; i < cloud.size(); i += 2) {  // partners, so that sparse clouds have pairs too
    const CounterRandom random(2, i);
    for (int k = 0; k < 3; ++k) cloud[i].x[k] = cloud[i - 1].x[k] + 1.2 * random.normal(k);
  }
  const auto balls = balls_of(cloud);
  const CellGrid grid(balls, 2.);
  const Pairs expected = all_pairs(balls);
  BOOST_TEST(expected.size() > 100u);
  BOOST_TEST((pairs_of(grid, grid.index()) == expected));
  BOOST_TEST(grid.cells() <= 4 * cloud.size());

  // A ball queried against the grid overlaps itself and its partners.
  Pairs near;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(balls.size()); ++i)
    grid.for_each_near(balls[i], [&](std::int32_t slot) {
      if (grid.index()[slot] > i) near.emplace_back(i, grid.index()[slot]);
    });
  std::sort(near.begin(), near.end());
  BOOST_TEST((near == expected));
}

// Long and thin, flat: only some axes are folded.
BOOST_DATA_TEST_CASE(each_pair_once_in_flat_clouds, boost::unit_test::data::make({0, 1, 2}), thin) {
  for (const double length : {100., 1e5}) {
    Cloud cloud = random_cloud(800, 3, 1, 1, length);
    for (CloudBody& body : cloud) {
      body.x[thin] *= 3 / length;
      if (length > 1e4) body.x[(thin + 1) % 3] *= 3 / length, body.x[(thin + 2) % 3] *= 0.01;
    }
    const auto balls = balls_of(cloud);
    const CellGrid grid(balls, 2.);
    BOOST_TEST((pairs_of(grid, grid.index()) == all_pairs(balls)));
    BOOST_TEST(grid.cells() <= 4 * cloud.size());
  }
}

BOOST_AUTO_TEST_CASE(slots_are_a_permutation) {
  const auto balls = balls_of(random_cloud(1000, 4, 0.05, 1, 10));
  const GridHierarchy grid(balls);
  std::vector<std::int32_t> sorted(grid.order().begin(), grid.order().end()), all(balls.size());
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0);
  BOOST_TEST((sorted == all));
  for (std::size_t slot = 0; slot < balls.size(); ++slot)
    BOOST_TEST(grid.balls()[slot].x[0] == balls[grid.order()[slot]].x[0]);
}

BOOST_DATA_TEST_CASE(hierarchy_finds_each_pair_once, boost::unit_test::data::make({1.5, 3., 20., 1000.}), ratio) {
  const auto balls = balls_of(random_cloud(1500, 5, 1 / ratio, 1, 8));
  const GridHierarchy grid(balls);
  BOOST_TEST(grid.levels() == 1 + static_cast<int>(std::log2(ratio)));
  BOOST_TEST((pairs_of(grid, grid.order()) == all_pairs(balls)));
}

// Sparse lattices of every spacing, so also those that meet the length of the folded axes badly: no cell is crowded.
BOOST_AUTO_TEST_CASE(folding_spreads_regular_lattices) {
  const auto fullest_cell = [](double spacing) {
    std::vector<Ball> balls;
    for (int i = 0; i < 8000; ++i)
      balls.push_back({{spacing * (i % 20), spacing * (i / 20 % 20), spacing * (i / 400)}, 0.45});
    const CellGrid grid(balls, 1.);
    BOOST_TEST(grid.cells() <= 4 * balls.size());
    return grid.fullest_cell();
  };
  for (int cells = 2; cells <= 40; ++cells) {
    if (cells % 31 == 0) continue;  // 31 folded cells along an edge: the one spacing that puts all balls into one cell
    BOOST_TEST_CONTEXT("spacing of " << cells << " cells") {
      // Ball i of an edge is in cell i * cells (19 * 0.01 < 1): the 20 of them are in different cells modulo 31.
      BOOST_TEST(fullest_cell(cells + 0.01) == 1);
      // On the borders of cells the first ball is in cell 0 and, cells being a little larger than asked for, the others
      // in i * cells - 1: one of these may be folded onto the first, so at most 2 along each axis.
      BOOST_TEST(fullest_cell(cells) <= 8);
    }
  }
}

// A cloud, and one body far away in every direction: the others keep about the cells they had.
BOOST_AUTO_TEST_CASE(a_body_far_away_does_not_crowd_the_cells) {
  Cloud cloud = packed_cloud(20, 0.1, 6);
  const auto together = balls_of(cloud);
  cloud[0].x = {1e9, -1e9, 1e9};
  const auto apart = balls_of(cloud);
  BOOST_TEST(CellGrid(apart, 1.1).fullest_cell() <= CellGrid(together, 1.1).fullest_cell() + 1);
}

BOOST_AUTO_TEST_SUITE_END()

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "partition/geometric.hpp"
#include "partition/helpers.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

// The points 0 .. n-1 of a cloud, all known to every rank; each rank works on those that `owner` gives it.
struct Cloud {
  std::vector<Point3> points;
  std::vector<double> weights;

  std::size_t size() const { return points.size(); }
  std::vector<std::int32_t> bisect(MPI_Comm comm, int parts, const std::function<bool(std::size_t)>& is_mine) const {
    std::vector<Point3> p;
    std::vector<double> w;
    std::vector<std::int64_t> ids;
    for (std::size_t i = 0; i < size(); ++i) {
      if (!is_mine(i)) continue;
      p.push_back(points[i]);
      w.push_back(weights[i]);
      ids.push_back(static_cast<std::int64_t>(i));
    }
    const auto part = recursive_bisection(comm, p, w, parts, ids);
    std::vector<std::int32_t> result(size(), 0);
    for (std::size_t k = 0; k < part.size(); ++k) result[static_cast<std::size_t>(ids[k])] = part[k];
    if (comm != MPI_COMM_SELF)
      MPI_Allreduce(MPI_IN_PLACE, result.data(), static_cast<int>(size()), MPI_INT32_T, MPI_SUM, comm);
    return result;
  }
  std::vector<std::int32_t> serial(int parts) const {
    return bisect(MPI_COMM_SELF, parts, [](std::size_t) { return true; });
  }
  std::vector<std::int32_t> scattered(int parts) const {
    return bisect(MPI_COMM_WORLD, parts, [](std::size_t i) {
      return hash({static_cast<std::int64_t>(i), 8}) % static_cast<std::uint64_t>(n_ranks()) ==
             static_cast<std::uint64_t>(my_rank());
    });
  }
  std::vector<double> part_weights(const std::vector<std::int32_t>& part, int parts) const {
    std::vector<double> sums(static_cast<std::size_t>(parts), 0.);
    for (std::size_t i = 0; i < size(); ++i) sums.at(static_cast<std::size_t>(part[i])) += weights[i];
    return sums;
  }
};

Cloud random_cloud(int n) {
  Cloud cloud;
  for (int i = 0; i < n; ++i) {
    const double x = uniform({i, 0});
    cloud.points.push_back({3 * x * x - 1, uniform({i, 1}), 2 * uniform({i, 2})});  // denser at small x
    cloud.weights.push_back(0.2 + 2 * uniform({i, 3}) * (x < 0.3 ? 4 : 1));
  }
  return cloud;
}

Cloud lattice(int nx, int ny, int nz) {
  Cloud cloud;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        cloud.points.push_back({0.1 * x, 0.1 * y, 0.1 * z});
        cloud.weights.push_back(1);
      }
  return cloud;
}

int used_parts(std::vector<std::int32_t> part) {
  std::sort(part.begin(), part.end());
  return static_cast<int>(std::unique(part.begin(), part.end()) - part.begin());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(geometric)

BOOST_AUTO_TEST_CASE(parts_are_balanced_to_the_weight_of_a_point) {
  const auto cloud = random_cloud(4000);
  const double total = std::accumulate(cloud.weights.begin(), cloud.weights.end(), 0.);
  const double heaviest = *std::max_element(cloud.weights.begin(), cloud.weights.end());
  for (const int parts : {1, 2, 3, 4, 5, 7, 16}) {
    const auto sums = cloud.part_weights(cloud.scattered(parts), parts);
    // A cut misses its target by at most half a point, and hands at most 2/3 of the error of the cut before it on
    // to a side: at most 1/2 (1 + 2/3 + 4/9 + ...) = 3/2 points in all.
    for (const double sum : sums) BOOST_TEST(std::abs(sum - total / parts) <= 1.5 * heaviest);
    // A few percent, as weights of 2e-2 % of a third allow.
    if (parts == 3) BOOST_TEST(*std::max_element(sums.begin(), sums.end()) <= 1.01 * total / 3);
  }
}

BOOST_AUTO_TEST_CASE(result_does_not_depend_on_the_distribution) {
  for (const auto& cloud : {random_cloud(1500), lattice(9, 9, 9)})
    for (const int parts : {3, 4, 6}) {
      const auto reference = cloud.serial(parts);
      BOOST_TEST((cloud.scattered(parts) == reference));
      // All on the last rank, the others empty.
      const auto one = cloud.bisect(MPI_COMM_WORLD, parts, [](std::size_t) { return my_rank() == n_ranks() - 1; });
      BOOST_TEST((one == reference));
    }
}

BOOST_AUTO_TEST_CASE(a_first_cut_is_the_weighted_median_of_the_longest_axis) {
  const auto cloud = random_cloud(1000);  // x extends over 3, y over 1, z over 2
  const auto part = cloud.scattered(2);
  double left = -1e300, right = 1e300;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (part[i] == 0) left = std::max(left, cloud.points[i][0]);
    else right = std::min(right, cloud.points[i][0]);
  }
  BOOST_TEST(left < right);
}

BOOST_AUTO_TEST_CASE(a_heavy_point_goes_to_the_side_that_is_left_nearer_to_its_share) {
  // Half of the total is 6.5: a cut before the heavy point misses it by 3.5, a cut behind it by 5.5.
  Cloud cloud;
  for (int i = 0; i < 5; ++i) cloud.points.push_back({1. * i, 0, 0});
  cloud.weights = {1, 1, 1, 9, 1};
  BOOST_TEST((cloud.scattered(2) == std::vector<std::int32_t>{0, 0, 0, 1, 1}));
  cloud.weights = {1, 9, 1, 1, 1};
  BOOST_TEST((cloud.scattered(2) == std::vector<std::int32_t>{0, 0, 1, 1, 1}));
}

BOOST_AUTO_TEST_CASE(a_lattice_is_cut_into_cubes) {
  const auto cloud = lattice(8, 8, 8);
  const auto part = cloud.scattered(8);
  for (int p = 0; p < 8; ++p) {
    std::vector<Point3> mine;
    for (std::size_t i = 0; i < cloud.size(); ++i)
      if (part[i] == p) mine.push_back(cloud.points[i]);
    BOOST_TEST(mine.size() == 64U);
    const auto box = extent_of(MPI_COMM_SELF, mine);
    // Four lattice planes of distance 0.1 per axis; round-off of products and differences below 1.
    for (std::size_t a = 0; a < 3; ++a) BOOST_TEST(std::abs(box.hi[a] - box.lo[a] - 0.3) < 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(no_part_is_empty_when_there_are_points_enough) {
  for (const int parts : {2, 3, 4, 7})
    for (int n = parts; n < 2 * parts + 2; ++n) {
      auto cloud = random_cloud(n);
      cloud.weights[static_cast<std::size_t>(n) / 2] = 1e6;  // one grain outweighs all others
      BOOST_TEST(used_parts(cloud.scattered(parts)) == parts, n << " points, " << parts << " parts");
    }
}

BOOST_AUTO_TEST_CASE(coinciding_points_are_divided_by_id) {
  Cloud cloud;
  cloud.points.assign(120, {1., 2., 3.});
  cloud.weights.assign(120, 2.5);
  const auto part = cloud.scattered(5);
  BOOST_TEST((part == cloud.serial(5)));
  for (const double sum : cloud.part_weights(part, 5)) BOOST_TEST(sum == 60.);
}

BOOST_AUTO_TEST_CASE(degenerate_input) {
  BOOST_TEST(recursive_bisection(MPI_COMM_WORLD, {}, {}, 4).empty());
  // Zero weights everywhere: as if equal.
  auto cloud = lattice(4, 2, 1);
  cloud.weights.assign(8, 0.);
  BOOST_TEST(used_parts(cloud.scattered(4)) == 4);
  // Fewer points than parts.
  const auto part = random_cloud(3).scattered(7);
  BOOST_TEST(std::all_of(part.begin(), part.end(), [](auto p) { return p >= 0 && p < 7; }));

  const bool guilty = my_rank() == n_ranks() - 1;
  const std::vector<Point3> bad{{0, guilty ? std::numeric_limits<double>::quiet_NaN() : 0., 0}}, good{{0, 0, 0}};
  const std::vector<double> negative{guilty ? -1. : 1.};
  BOOST_CHECK_THROW(recursive_bisection(MPI_COMM_WORLD, bad, {}, 2), RunError);
  BOOST_CHECK_THROW(recursive_bisection(MPI_COMM_WORLD, good, negative, 2), RunError);
  BOOST_CHECK_THROW(recursive_bisection(MPI_COMM_WORLD, good, {}, 0), RunError);
}

BOOST_AUTO_TEST_CASE(extent_covers_all_ranks) {
  const double r = my_rank();
  const std::vector<Point3> mine{{r, -r, 5.}};
  const auto box = extent_of(MPI_COMM_WORLD, mine);
  const double last = n_ranks() - 1;
  BOOST_TEST((box.lo == Point3{0, -last, 5}));
  BOOST_TEST((box.hi == Point3{last, 0, 5}));
}

BOOST_AUTO_TEST_CASE(morton_key_interleaves_the_bits_of_the_cell) {
  const Extent box{{-1, 0, 10}, {1, 3, 14}};
  for (int n = 0; n < 200; ++n) {
    std::array<std::uint64_t, 3> cell;
    Point3 point;
    for (std::size_t a = 0; a < 3; ++a) {
      cell[a] = hash({n, static_cast<std::int64_t>(a)}) >> 43;  // 21 bits
      // The middle of the cell, so round-off cannot move it to the next one.
      point[a] = box.lo[a] + (box.hi[a] - box.lo[a]) * (static_cast<double>(cell[a]) + 0.5) * 0x1p-21;
    }
    std::uint64_t expected = 0;
    for (unsigned bit = 0; bit < 63; ++bit) expected |= (cell[bit % 3] >> (bit / 3) & 1U) << bit;
    BOOST_TEST(morton_key(point, box) == expected);
  }
  BOOST_TEST(morton_key({-5, -5, 0}, box) == 0U);
  BOOST_TEST(morton_key({9, 9, 99}, box) == (std::uint64_t{1} << 63) - 1);
  // Planar problems: the far corner has the bits 011 011 ... 011.
  const Extent flat{{0, 0, 0}, {1, 1, 0}};
  std::uint64_t corner = 0;
  for (int k = 0; k < 21; ++k) corner = 8 * corner + 3;
  BOOST_TEST(morton_key({1, 1, 0}, flat) == corner);
}

BOOST_AUTO_TEST_CASE(morton_order_visits_octants_one_after_the_other) {
  const auto cloud = lattice(4, 4, 4);
  const auto order = morton_order(cloud.points, extent_of(MPI_COMM_SELF, cloud.points));
  std::vector<std::int32_t> sorted(order);
  std::sort(sorted.begin(), sorted.end());
  for (std::int32_t i = 0; i < 64; ++i) BOOST_TEST(sorted[static_cast<std::size_t>(i)] == i);
  for (std::size_t k = 0; k < 64; ++k) {
    const auto i = order[k];
    const auto octant = static_cast<std::size_t>((i % 4) / 2 + 2 * ((i / 4) % 4 / 2) + 4 * (i / 16 / 2));
    BOOST_TEST(octant == k / 8);
  }
}

BOOST_AUTO_TEST_SUITE_END()

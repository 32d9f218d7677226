// The candidate list holds exactly the pairs that a look at all pairs finds.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <ostream>
#include <set>

#include "base/error.hpp"
#include "contact/cloud.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

Plane plane(double nx, double ny, double nz, double offset) {
  Plane p;
  p.n[0] = nx, p.n[1] = ny, p.n[2] = nz, p.offset = offset;
  return p;
}

std::size_t check_against_brute_force(const Cloud& cloud, double skin, std::vector<Plane> planes = {}) {
  const NodeStore store = store_of(cloud);
  CandidateList list;
  list.set_planes(planes);
  list.rebuild(store, store.q(), skin);
  const auto expected = brute_force(cloud, planes, skin);
  BOOST_TEST((identities(list, store) == expected),
             "list of " << list.size() << ", brute force finds " << expected.size());
  return expected.size();
}

struct CloudCase {
  int n;
  double r_min, r_max, edge, skin;
};
std::ostream& operator<<(std::ostream& out, const CloudCase& c) {
  return out << c.n << " bodies, radii " << c.r_min << ".." << c.r_max << ", edge " << c.edge << ", skin " << c.skin;
}

const CloudCase cases[] = {
    {2000, 1, 1, 20, 0.1},          // one size, dense
    {2000, 1, 1, 20, 0},            // no skin
    {2000, 1, 1, 2000, 30},         // sparse: many more cells than bodies, folded
    {2000, 1e-3, 1e-3, 20, 1.5},    // the skin much larger than the bodies
    {2000, 0.4, 1, 18, 0.1},        // two levels
    {3000, 0.05, 1, 12, 0.02},      // ratio 20, many pairs
    {3000, 0.05, 1, 200, 4},        // ratio 20, folded
    {3000, 1e-4, 1, 10, 1e-3},      // ratio 10,000
    {2000, 1e-13, 1, 10, 0},        // more than 32 levels of size
    {300, 5, 5, 1, 0.1},            // everything touches everything
    {2, 1, 1, 1, 0},
    {1, 1, 1, 1, 0},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(candidate_list)

BOOST_DATA_TEST_CASE(random_clouds_match_brute_force, boost::unit_test::data::make(cases), c) {
  const std::size_t found = check_against_brute_force(random_cloud(c.n, 1, c.r_min, c.r_max, c.edge), c.skin);
  BOOST_TEST((found > 0 || c.n == 1));
}

BOOST_AUTO_TEST_CASE(few_large_among_many_small) {
  Cloud cloud = random_cloud(3000, 2, 0.05, 0.06, 5);
  for (int i = 0; i < 3; ++i) cloud[1000 * i].node.radius = 1.2;
  BOOST_TEST(check_against_brute_force(cloud, 0.01) > 100u);
}

BOOST_AUTO_TEST_CASE(bodies_far_away_are_harmless) {
  Cloud cloud = random_cloud(2000, 3, 0.5, 1, 20);
  cloud[5].x = {1e6, -1e5, 3e7};
  cloud[6].x = {1e6 + 1.1, -1e5, 3e7};  // touches the one before
  cloud[7].x = {-1e12, 0, 0};
  cloud[8].x = {1e100, 1e100, -1e100};
  BOOST_TEST(check_against_brute_force(cloud, 0.05) > 100u);
}

BOOST_AUTO_TEST_CASE(far_from_the_origin) {
  Cloud cloud = random_cloud(1000, 4, 1, 1, 15);
  for (CloudBody& body : cloud) body.x[0] += 1e8, body.x[1] -= 3e7;
  check_against_brute_force(cloud, 0.1);
}

// Every contact at exactly gap = skin = 0, every body on a cell border: nothing may be lost to roundoff.
BOOST_AUTO_TEST_CASE(touching_lattice) {
  Cloud cloud;
  const int n = 12;
  for (int i = 0; i < n * n * n; ++i) {
    const double h = 0.1;
    cloud.push_back(sphere_body(i, {h * (i % n), h * (i / n % n), h * (i / n / n)}, 0.5 * h));
  }
  const NodeStore store = store_of(cloud);
  CandidateList list;
  list.rebuild(store, store.q(), 0.);
  BOOST_TEST(list.size() == 3 * n * n * (n - 1));
}

BOOST_AUTO_TEST_CASE(planar_and_mixed_nodes) {
  Cloud cloud = random_cloud(1500, 5, 0.3, 1, 20);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (i % 3 == 0) cloud[i] = planar_disc(cloud[i].node.id, cloud[i].x[0], cloud[i].x[1], cloud[i].node.radius);
    if (i % 3 == 1) cloud[i].node.kind = NodeKind::point_3d, cloud[i].node.dofs = 3;
    if (i % 5 == 1) cloud[i].node.kind = NodeKind::point_2d, cloud[i].node.dofs = 2, cloud[i].x[2] = 0;
  }
  BOOST_TEST(check_against_brute_force(cloud, 0.1, {plane(0, 1, 0, -9), plane(0.6, -0.8, 0, -9)}) > 500u);
}

BOOST_AUTO_TEST_CASE(nodes_without_shape_are_ignored) {
  Cloud cloud = random_cloud(500, 6, 1, 1, 8);
  for (std::size_t i = 0; i < cloud.size(); i += 4) cloud[i].node.shape = -1;
  for (std::size_t i = 1; i < cloud.size(); i += 4) cloud[i].node.radius = 0;
  BOOST_TEST(check_against_brute_force(cloud, 0.1, {plane(1, 0, 0, -3)}) > 100u);
}

BOOST_AUTO_TEST_CASE(walls) {
  const std::vector<Plane> planes{plane(0, 0, 1, -9), plane(0, 0, -1, -9), plane(0.6, 0, 0.8, -10)};
  const Cloud cloud = random_cloud(1000, 7, 0.1, 1, 20);
  check_against_brute_force(cloud, 0.2, planes);
  const auto all = brute_force(cloud, planes, 0.2);
  const auto at_wall = [](const IdPair& p) { return p.second < 0; };
  BOOST_TEST(std::count_if(all.begin(), all.end(), at_wall) > 50);
}

BOOST_AUTO_TEST_CASE(given_positions_count_not_those_of_the_store) {
  const Cloud cloud = random_cloud(1000, 8, 1, 1, 15), moved = random_cloud(1000, 9, 1, 1, 15);
  const NodeStore store = store_of(cloud), other = store_of(moved);
  CandidateList list;
  list.rebuild(store, other.q(), 0.1);
  BOOST_TEST((identities(list, store) == brute_force(moved, {}, 0.1)));
}

BOOST_AUTO_TEST_CASE(empty_store) {
  CandidateList list;
  const NodeStore store;
  list.rebuild(store, store.q(), 0.1);
  BOOST_TEST(list.size() == 0);
  BOOST_TEST(list.max_displacement(store, store.q()) == 0.);
}

BOOST_AUTO_TEST_CASE(a_is_the_smaller_id_and_its_candidates_are_neighbours) {
  const Cloud cloud = packed_cloud(12, 0.02, 1);
  const NodeStore store = store_of(cloud);
  CandidateList list;
  list.set_planes(std::vector{plane(0, 0, 1, -0.5)});
  list.rebuild(store, store.q(), 0.1);
  std::set<std::int32_t> finished;
  double far = 0, jump = 0;
  for (std::int32_t k = 0; k < list.size(); ++k) {
    const Candidate& c = list.candidates()[k];
    if (!c.is_wall()) BOOST_TEST(store[c.a].id < store[c.b].id);
    if (k == 0 || list.candidates()[k - 1].a == c.a) continue;
    const Candidate& before = list.candidates()[k - 1];
    BOOST_TEST(finished.insert(before.a).second);
    BOOST_TEST(finished.count(c.a) == 0u);
    jump = gap_between(cloud[before.a], cloud[c.a]) + 1;
    far += jump / list.size();
  }
  // One cell to the next in a row of 12: mostly 1 apart, at the ends of rows up to 12. At random: 0.66 * 12.
  BOOST_TEST(far < 3.);
}

BOOST_AUTO_TEST_CASE(positions_that_are_not_finite_are_an_error) {
  Cloud cloud = random_cloud(100, 10, 1, 1, 8);
  NodeStore store = store_of(cloud);
  CandidateList list;
  list.rebuild(store, store.q(), 0.1);
  const auto before = identities(list, store);
  store.q(50)[1] = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(list.max_displacement(store, store.q()) == std::numeric_limits<double>::infinity());
  BOOST_CHECK_THROW(list.rebuild(store, store.q(), 0.1), RunError);
  BOOST_TEST((identities(list, store) == before));
}

BOOST_AUTO_TEST_CASE(memory_per_candidate) {
  const Cloud cloud = packed_cloud(20, 0.02, 2);
  const NodeStore store = store_of(cloud);
  CandidateList list;
  list.rebuild(store, store.q(), 0.1);
  // 32 for the candidate and its reserve of 1/16; 32 for each node, of which there are three candidates or a few less.
  BOOST_TEST(list.memory() < 46u * list.size());
}

BOOST_AUTO_TEST_SUITE_END()

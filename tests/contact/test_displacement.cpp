// As long as 2 max_displacement <= skin the list misses no contact, also with moving walls.
#include <boost/test/unit_test.hpp>
#include <limits>

#include "contact/cloud.hpp"

using namespace percussion;
using namespace percussion::test;

BOOST_AUTO_TEST_SUITE(displacement)

BOOST_AUTO_TEST_CASE(random_walk_misses_no_contact) {
  constexpr int n = 600, steps = 300;
  constexpr double skin = 0.3;
  Cloud cloud = random_cloud(n, 1, 0.1, 0.8, 9);
  NodeStore store = store_of(cloud);
  std::vector<Plane> at_zero(2), planes;
  at_zero[0].offset = -4;
  at_zero[0].velocity[2] = 1;  // rises towards the bodies
  at_zero[1] = {.n = {1, 0, 0}, .offset = -4, .velocity = {0, 5, 0}};
  CandidateList list;
  int rebuilds = 0;
  std::size_t contacts = 0, missed = 0, listed_late = 0;
  for (int step = 0; step < steps; ++step) {
    planes_at(at_zero, 0.01 * step, planes);
    list.set_planes(planes);
    if (step == 0 || 2 * list.max_displacement(store, store.q()) > list.skin()) {
      list.rebuild(store, store.q(), skin);
      ++rebuilds;
    }
    const auto listed = identities(list, store);
    const double reach = skin - 2 * list.max_displacement(store, store.q());
    const auto has = [&](const IdPair& pair) { return std::binary_search(listed.begin(), listed.end(), pair); };
    for (const IdPair& pair : brute_force(cloud, planes, 0.)) ++contacts, missed += !has(pair);
    // Roundoff of a gap is far below 1e-12.
    for (const IdPair& pair : brute_force(cloud, planes, reach - 1e-12)) listed_late += !has(pair);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k) {
        cloud[i].x[k] += 0.01 * CounterRandom(2, i).normal(3 * step + k);
        store.q(i)[k] = cloud[i].x[k];
      }
  }
  BOOST_TEST(missed == 0u);
  BOOST_TEST(listed_late == 0u);
  BOOST_TEST(contacts > 1000u);
  BOOST_TEST(rebuilds > 5);
  BOOST_TEST(rebuilds < steps / 4);
}

BOOST_AUTO_TEST_CASE(closed_form) {
  Cloud cloud = random_cloud(100, 3, 1, 1, 10);
  cloud[0] = planar_disc(cloud[0].node.id, 1, 2, 1);
  cloud[1].node.shape = -1;
  NodeStore store = store_of(cloud);
  CandidateList list;
  std::vector<Plane> planes(1);
  list.set_planes(planes);
  list.rebuild(store, store.q(), 0.1);
  BOOST_TEST(list.max_displacement(store, store.q()) == 0.);
  store.q(0)[2] += 100;  // an angle
  store.q(1)[0] += 100;  // no shape
  store.q(7)[3] += 100;  // a quaternion
  BOOST_TEST(list.max_displacement(store, store.q()) == 0.);
  for (const double d : {3., 4., 12.}) store.q(9)[d == 3 ? 0 : d == 4 ? 1 : 2] += d;
  BOOST_TEST(list.max_displacement(store, store.q()) == 13., boost::test_tools::tolerance(1e-14));
  planes[0].offset += 20;
  list.set_planes(planes);
  BOOST_TEST(list.max_displacement(store, store.q()) == 20., boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(another_store_asks_for_a_rebuild) {
  const Cloud cloud = random_cloud(100, 4, 1, 1, 10);
  const NodeStore store = store_of(cloud), renumbered = store_of(shuffled(cloud, 5));
  CandidateList list;
  list.rebuild(store, store.q(), 0.1);
  constexpr double inf = std::numeric_limits<double>::infinity();
  BOOST_TEST(list.max_displacement(renumbered, renumbered.q()) == inf);
  const NodeStore smaller = store_of(Cloud(cloud.begin(), cloud.end() - 1));
  BOOST_TEST(list.max_displacement(smaller, smaller.q()) == inf);
}

BOOST_AUTO_TEST_SUITE_END()

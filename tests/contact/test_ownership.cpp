// Cut into ranks with ghosts, the lists of all ranks together hold every contact once.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <set>

#include "contact/cloud.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

enum class Cut { slabs, scattered };

int rank_of(const CloudBody& body, Cut cut, int ranks, double edge) {
  if (cut == Cut::scattered) return static_cast<int>(CounterRandom(99, body.node.id).bits(0)[0] % ranks);
  return std::clamp(static_cast<int>((body.x[0] / edge + 0.5) * ranks), 0, ranks - 1);
}

/// Owned: the bodies of the rank; ghosts: those of others within the skin of an owned one, and some that are not.
NodeStore store_of_rank(const Cloud& cloud, int rank, const std::vector<int>& owner, double skin) {
  NodeStore store;
  for (std::size_t i = 0; i < cloud.size(); ++i)
    if (owner[i] == rank) add_body(store, cloud[i], false);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (owner[i] == rank) continue;
    bool near = i % 10 == 0;
    for (std::size_t j = 0; j < cloud.size() && !near; ++j)
      near = owner[j] == rank && gap_between(cloud[i], cloud[j]) <= skin;
    if (near) add_body(store, cloud[i], true);
  }
  return store;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ownership)

BOOST_DATA_TEST_CASE(union_over_ranks_is_the_brute_force_set,
                     boost::unit_test::data::make({1, 2, 4, 7}) * boost::unit_test::data::make({0, 1}), ranks, cut) {
  constexpr double edge = 10, skin = 0.1;
  const Cloud cloud = random_cloud(1200, 1, 0.1, 1, edge);
  std::vector<int> owner;
  for (const CloudBody& body : cloud) owner.push_back(rank_of(body, Cut(cut), ranks, edge));
  const std::vector<Plane> planes{{.n = {1, 0, 0}, .offset = -4}, {.n = {0, 0, -1}, .offset = -4}};
  std::vector<IdPair> found;
  std::size_t shared = 0, shared_kept_by_larger = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const NodeStore store = store_of_rank(cloud, rank, owner, skin);
    CandidateList list;
    list.set_planes(planes);
    list.rebuild(store, store.q(), skin);
    const auto mine = identities(list, store);
    found.insert(found.end(), mine.begin(), mine.end());
    for (const Candidate& c : list.candidates()) {
      BOOST_TEST((store.is_owned(c.a) || (!c.is_wall() && store.is_owned(c.b))));
      if (c.is_wall() || (store.is_owned(c.a) && store.is_owned(c.b))) continue;
      ++shared;
      shared_kept_by_larger += store.is_owned(c.b);
    }
  }
  std::sort(found.begin(), found.end());
  BOOST_TEST((found == brute_force(cloud, planes, skin)));
  if (ranks == 1) return;
  // Bodies at random with density rho: pi/4 rho^2 <R^4> pairs in reach R cross a unit of a cut, about 130 one cut
  // through this cube. Enough for the statistics below.
  BOOST_TEST(shared > 100u);
  // The parity of ids shares the work evenly: half of them, 5 sigma of a fair coin.
  const double n = static_cast<double>(shared);
  BOOST_TEST(std::abs(static_cast<double>(shared_kept_by_larger) - 0.5 * n) < 2.5 * std::sqrt(n));
}

BOOST_AUTO_TEST_CASE(designated_node_is_symmetric) {
  BOOST_TEST(designated_node(4, 8) == 4);
  BOOST_TEST(designated_node(4, 9) == 9);
  BOOST_TEST(designated_node(0, 1) == 1);
  for (std::int64_t a = 0; a < 20; ++a)
    for (std::int64_t b = 0; b < a; ++b) BOOST_TEST(designated_node(a, b) == designated_node(b, a));
  BOOST_TEST(designated_node(RememberedPercussion{5, ~2, {}}) == 5);
  BOOST_TEST(designated_node(RememberedPercussion{5, 6, {}}) == 6);
}

// Nodes change their ranks; every nonzero percussion goes to the new owner of its designated node and arrives.
BOOST_AUTO_TEST_CASE(memory_migrates_with_the_nodes) {
  constexpr double edge = 12, skin = 0.1;
  constexpr int ranks = 3;
  const Cloud cloud = random_cloud(600, 2, 0.3, 1, edge);
  const std::vector<Plane> planes{{.n = {0, 0, 1}, .offset = -5}};
  const auto percussion_of = [](const IdPair& p, double* P) {
    for (int k = 0; k < 3; ++k) P[k] = CounterRandom(p.first, p.second).normal(k);
  };
  std::vector<int> before, after;
  for (const CloudBody& body : cloud) {
    before.push_back(rank_of(body, Cut::slabs, ranks, edge));
    after.push_back(rank_of(body, Cut::scattered, ranks, edge));
  }
  std::vector<std::vector<RememberedPercussion>> mail(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    const NodeStore store = store_of_rank(cloud, rank, before, skin);
    CandidateList list;
    list.set_planes(planes);
    list.rebuild(store, store.q(), skin);
    std::set<std::int64_t> owned;
    for (std::int32_t i = 0; i < store.owned(); ++i) owned.insert(store[i].id);
    for (Candidate& c : list.candidates())
      percussion_of({store[c.a].id, c.is_wall() ? std::int64_t{c.b} : store[c.b].id}, c.P);
    for (const RememberedPercussion& p : list.export_memory()) {
      BOOST_TEST(owned.count(designated_node(p)) == 1u);
      for (std::size_t i = 0; i < cloud.size(); ++i)
        if (cloud[i].node.id == designated_node(p)) mail[after[i]].push_back(p);
    }
  }
  int wrong = 0;
  std::size_t total = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const NodeStore store = store_of_rank(cloud, rank, after, skin);
    CandidateList list;
    list.set_planes(planes);
    list.import_memory(mail[rank]);
    list.rebuild(store, store.q(), skin);
    total += list.size();
    for (const Candidate& c : list.candidates()) {
      double P[3];
      percussion_of({store[c.a].id, c.is_wall() ? std::int64_t{c.b} : store[c.b].id}, P);
      wrong += !std::equal(P, P + 3, c.P);
    }
  }
  BOOST_TEST(wrong == 0);
  BOOST_TEST(total == brute_force(cloud, planes, skin).size());
}

BOOST_AUTO_TEST_SUITE_END()

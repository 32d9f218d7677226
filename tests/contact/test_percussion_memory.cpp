// Percussions belong to a pair of global ids: rebuilding, renumbering and changed ghosts do not touch them.
#include <boost/test/unit_test.hpp>
#include <map>

#include "contact/cloud.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

struct World {
  Cloud cloud = random_cloud(1000, 1, 0.3, 1, 14);
  std::vector<Plane> planes{{.n = {0, 0, 1}, .offset = -6}, {.n = {0, 1, 0}, .offset = -6}};
  NodeStore store = store_of(cloud);
  CandidateList list;

  World() {
    list.set_planes(planes);
    list.rebuild(store, store.q(), 0.2);
  }
};

std::array<double, 3> percussion_of(const IdPair& p) {
  const CounterRandom random(p.first, p.second);
  return {random.normal(0), random.normal(1), random.normal(2)};
}

IdPair identity(const Candidate& c, const NodeStore& store) {
  return {store[c.a].id, c.is_wall() ? std::int64_t{c.b} : store[c.b].id};
}

/// Every other candidate is active.
bool is_active(const IdPair& p) { return CounterRandom(p.first, p.second).uniform(7) < 0.5; }

void write_percussions(CandidateList& list, const NodeStore& store) {
  for (Candidate& c : list.candidates()) {
    const IdPair id = identity(c, store);
    if (is_active(id)) std::copy_n(percussion_of(id).data(), 3, c.P);
  }
}

/// Candidates whose percussion is not what write_percussions wrote; `known`: were they in the list then?
int count_wrong(const CandidateList& list, const NodeStore& store, const std::vector<IdPair>& known) {
  int wrong = 0;
  for (const Candidate& c : list.candidates()) {
    const IdPair id = identity(c, store);
    const bool expected = is_active(id) && std::binary_search(known.begin(), known.end(), id);
    const auto P = expected ? percussion_of(id) : std::array<double, 3>{0, 0, 0};
    wrong += !std::equal(P.begin(), P.end(), c.P);
  }
  return wrong;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(percussion_memory)

BOOST_AUTO_TEST_CASE(survives_a_rebuild_after_motion) {
  World w;
  write_percussions(w.list, w.store);
  const auto known = identities(w.list, w.store);
  for (std::size_t i = 0; i < w.cloud.size(); ++i)
    for (int k = 0; k < 3; ++k) w.store.q(i)[k] += 0.1 * CounterRandom(5, i).normal(k);
  w.list.rebuild(w.store, w.store.q(), 0.3);
  BOOST_TEST(count_wrong(w.list, w.store, known) == 0);
  const auto now = identities(w.list, w.store);
  std::vector<IdPair> kept;
  std::set_intersection(known.begin(), known.end(), now.begin(), now.end(), std::back_inserter(kept));
  BOOST_TEST(kept.size() > known.size() / 2);
  BOOST_TEST(kept.size() < now.size());
}

BOOST_AUTO_TEST_CASE(survives_renumbering) {
  World w;
  write_percussions(w.list, w.store);
  const auto known = identities(w.list, w.store);
  const NodeStore renumbered = store_of(shuffled(w.cloud, 3));
  w.list.rebuild(renumbered, renumbered.q(), 0.2);
  BOOST_TEST((identities(w.list, renumbered) == known));
  BOOST_TEST(count_wrong(w.list, renumbered, known) == 0);
}

BOOST_AUTO_TEST_CASE(survives_added_and_removed_nodes) {
  World w;
  write_percussions(w.list, w.store);
  auto known = identities(w.list, w.store);
  Cloud cloud(w.cloud.begin() + 100, w.cloud.end());
  cloud.insert(cloud.begin() + 50, sphere_body(1'000'000, {0, 0, 0}, 1));
  const NodeStore changed = store_of(cloud);
  w.list.rebuild(changed, changed.q(), 0.2);
  BOOST_TEST(count_wrong(w.list, changed, known) == 0);
  BOOST_TEST((identities(w.list, changed) == brute_force(cloud, w.planes, 0.2)));
}

BOOST_AUTO_TEST_CASE(export_holds_the_nonzero_ones_and_import_restores_them) {
  World w;
  write_percussions(w.list, w.store);
  const auto known = identities(w.list, w.store);
  const auto memory = w.list.export_memory();
  BOOST_TEST(memory.size() == static_cast<std::size_t>(std::count_if(known.begin(), known.end(), is_active)));

  CandidateList restored;
  restored.set_planes(w.planes);
  restored.import_memory(memory);
  const NodeStore renumbered = store_of(shuffled(w.cloud, 4));
  restored.rebuild(renumbered, renumbered.q(), 0.2);
  BOOST_TEST(count_wrong(restored, renumbered, known) == 0);

  // The import is used up: what is forgotten stays forgotten.
  restored.forget();
  restored.rebuild(renumbered, renumbered.q(), 0.2);
  BOOST_TEST(restored.export_memory().empty());
}

BOOST_AUTO_TEST_CASE(import_wins_over_own_memory) {
  World w;
  Candidate& c = w.list.candidates()[10];
  c.P[0] = 1;
  const IdPair id = identity(c, w.store);
  w.list.import_memory(std::vector<RememberedPercussion>{{id.first, id.second, {2, 3, 4}}});
  w.list.rebuild(w.store, w.store.q(), 0.2);
  const auto memory = w.list.export_memory();
  BOOST_REQUIRE(memory.size() == 1u);
  BOOST_TEST(memory[0].P[0] == 2.);
  BOOST_TEST(memory[0].P[2] == 4.);
}

BOOST_AUTO_TEST_SUITE_END()

// Nodes on the move: nothing is lost, doubled or changed, payloads stay with their node, the directory keeps up.
#include <boost/test/unit_test.hpp>

#include <map>
#include <vector>

#include "base/error.hpp"
#include "partition/cloud.hpp"
#include "partition/distribution.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

std::vector<std::int32_t> destinations(const NodeStore& nodes, std::uint64_t round) {
  std::vector<std::int32_t> to;
  for (std::int32_t i = 0; i < nodes.owned(); ++i) to.push_back(random_rank(Cloud::index_of(nodes[i].id), round));
  return to;
}

// Body k has k % 4 payloads of different length; the bytes say which.
std::vector<std::byte> payload_data(std::size_t k, std::size_t number) {
  return std::vector<std::byte>(number * 5, static_cast<std::byte>((k + 31 * number) % 251));
}

struct Fixture {
  Cloud cloud = make_cloud(300, 1, 0.05, 0.1);
  NodeStore nodes = store_of(cloud, [](std::size_t k) { return random_rank(k, 0); });
  Distribution distribution{MPI_COMM_WORLD};
  Fixture() { distribution.adopt_nodes(nodes); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(distribution_migration)

BOOST_FIXTURE_TEST_CASE(nodes_and_payloads_arrive_unchanged, Fixture) {
  std::vector<Payload> payloads;
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    const auto k = Cloud::index_of(nodes[i].id);
    for (std::size_t number = 0; number < k % 4; ++number)
      payloads.push_back({nodes[i].id, static_cast<std::int32_t>(number), payload_data(k, number)});
  }
  const auto n_payloads = sum_over_ranks(static_cast<std::int64_t>(payloads.size()));

  for (std::uint64_t round = 1; round <= 4; ++round) {
    // With ghosts in the store every other time: they must be dropped, not moved.
    if (round % 2 == 0) distribution.build_ghosts(nodes, 0.01);
    distribution.migrate(nodes, destinations(nodes, round), payloads);
    BOOST_TEST(nodes.size() == nodes.owned());
    BOOST_TEST(!distribution.has_ghosts());

    // Each body is on the rank it was sent to; with the right total it is there only once.
    std::map<std::int64_t, std::size_t> payloads_of;
    int wrong = 0, wrong_payloads = 0;
    for (std::int32_t i = 0; i < nodes.owned(); ++i) {
      const auto k = Cloud::index_of(nodes[i].id);
      if (!same_as_body(cloud, nodes, i) || random_rank(k, round) != my_rank()) ++wrong;
      if (!payloads_of.emplace(nodes[i].id, k % 4).second || distribution.local(nodes[i].id) != i) ++wrong;
    }
    for (const auto& payload : payloads) {
      const auto k = Cloud::index_of(payload.node_id);
      // Counts down: the payloads of a node keep their order.
      const auto at = payloads_of.find(payload.node_id);
      if (at == payloads_of.end() || at->second == 0 || payload.kind != static_cast<std::int32_t>(k % 4 - at->second--) ||
          payload.data != payload_data(k, static_cast<std::size_t>(payload.kind)))
        ++wrong_payloads;
    }
    BOOST_TEST(wrong == 0);
    BOOST_TEST(wrong_payloads == 0);
    BOOST_TEST(sum_over_ranks(nodes.owned()) == static_cast<std::int64_t>(cloud.size()));
    BOOST_TEST(sum_over_ranks(static_cast<std::int64_t>(payloads.size())) == n_payloads);

    // Different questions on each rank, one without an answer.
    std::vector<std::int64_t> ids{Cloud::id_of(-1) + 1, Cloud::id_of(5000)};
    for (std::size_t k = my_rank(); k < cloud.size(); k += 2) ids.push_back(cloud.id(k));
    const auto owners = distribution.owner_of(ids);
    int wrong_owners = owners[0] != -1 || owners[1] != -1;
    for (std::size_t m = 2; m < ids.size(); ++m) wrong_owners += owners[m] != random_rank(Cloud::index_of(ids[m]), round);
    BOOST_TEST(wrong_owners == 0);
  }
}

BOOST_FIXTURE_TEST_CASE(everything_to_one_rank_and_back, Fixture) {
  std::vector<Payload> none;
  const int last = n_ranks() - 1;
  distribution.migrate(nodes, std::vector<std::int32_t>(nodes.owned(), last), none);
  BOOST_TEST(nodes.owned() == (my_rank() == last ? static_cast<int>(cloud.size()) : 0));
  distribution.migrate(nodes, destinations(nodes, 3), none);
  distribution.build_ghosts(nodes, 0.);
  int wrong = 0;
  for (std::int32_t i = 0; i < nodes.size(); ++i) wrong += !same_as_body(cloud, nodes, i);
  BOOST_TEST(wrong == 0);
}

BOOST_FIXTURE_TEST_CASE(mistakes_of_one_rank_are_errors_on_all, Fixture) {
  const bool guilty = my_rank() == n_ranks() - 1;
  std::vector<Payload> none;
  auto to = destinations(nodes, 1);
  if (guilty) to.at(0) = n_ranks();
  BOOST_CHECK_THROW(distribution.migrate(nodes, to, none), RunError);

  to = destinations(nodes, 1);
  std::vector<Payload> stray;
  if (guilty) stray.push_back({Cloud::id_of(5000), 0, {}});
  BOOST_CHECK_THROW(distribution.migrate(nodes, to, stray), RunError);

  // Nothing has moved.
  int wrong = 0;
  for (std::int32_t i = 0; i < nodes.owned(); ++i) wrong += random_rank(Cloud::index_of(nodes[i].id), 0) != my_rank();
  BOOST_TEST(wrong == 0);
  BOOST_TEST(sum_over_ranks(nodes.owned()) == static_cast<std::int64_t>(cloud.size()));

  const auto& body = cloud.bodies[0];
  if (guilty) nodes.add(body.data, body.q, body.u, false);  // owned elsewhere, or twice here
  BOOST_CHECK_THROW(distribution.adopt_nodes(nodes), RunError);
}

BOOST_AUTO_TEST_SUITE_END()

// Declared contributions: made where their first node is, with all nodes at hand, and unharmed by migrations.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "partition/cloud.hpp"
#include "partition/contribution_store.hpp"
#include "partition/distribution.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

class Tie : public Contribution {
 public:
  Tie(const Parameters& parameters, std::vector<NodeRef> nodes)
      : Contribution(std::move(nodes)), stiffness(parameters.real("stiffness")) {
    if (stiffness < 0) parameters.fail("stiffness", "is negative", "numbers >= 0", "change its sign");
  }
  double stiffness;
};

const RegisterContribution registered{
    "contributions", "distribution_test_tie", "a contribution without any role, for the tests of the distribution",
    [] {
      Schema schema;
      schema.real("stiffness").required().doc("any number");
      return schema;
    }(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) { return std::make_unique<Tie>(p, nodes); }};

Parameters tie(double stiffness) {
  Parameters parameters("contributions[0]", {"tie.yaml", 3});
  parameters.set("type", std::string("distribution_test_tie"));
  parameters.set("stiffness", stiffness);
  return parameters;
}

// Contribution c ties 1 to 5 bodies from anywhere in the cloud; the first one changes with c.
constexpr int n_ties = 150;
std::vector<std::int64_t> tied_nodes(const Cloud& cloud, std::int64_t c) {
  std::vector<std::int64_t> ids;
  for (std::int64_t m = 0; m <= c % 5; ++m)
    ids.push_back(cloud.id(static_cast<std::size_t>(11 * c + 37 * m) % cloud.size()));
  return ids;
}
double stiffness_of(std::int64_t c) { return 1. / (3 + static_cast<double>(c)); }

struct Fixture {
  Cloud cloud = make_cloud(240, 3, 0.05, 0.1);
  NodeStore nodes = store_of(cloud, [](std::size_t k) { return random_rank(k, 0); });
  Distribution distribution{MPI_COMM_WORLD};
  ContributionStore ties;

  Fixture() {
    distribution.adopt_nodes(nodes);
    for (std::int64_t c = n_ties - 1; c >= 0; --c) {
      const auto ids = tied_nodes(cloud, c);
      if (distribution.local(ids.front()) >= 0) ties.add(c, tie(stiffness_of(c)), ids);
    }
  }

  void rebuild() {
    distribution.build_ghosts(nodes, 0.01, ties.ghost_requests());
    ties.bind(nodes, distribution);
  }

  // Entries that are not what was declared, or not where they belong.
  int wrong_entries(std::uint64_t round) const {
    int wrong = 0;
    for (std::int32_t k = 0; k < ties.size(); ++k) {
      const auto& entry = ties[k];
      const auto ids = tied_nodes(cloud, entry.id);
      bool right = entry.node_ids == ids && entry.parameters == tie(stiffness_of(entry.id)) &&
                   random_rank(Cloud::index_of(ids.front()), round) == my_rank();
      if (k > 0) right = right && ties[k - 1].id < entry.id;
      const auto* made = dynamic_cast<const Tie*>(entry.contribution.get());
      const auto local = ties.local_nodes(k);
      right = right && made && made->stiffness == stiffness_of(entry.id) && made->nodes().size() == ids.size() &&
              local.size() == ids.size() && nodes.is_owned(local.front());
      for (std::size_t m = 0; right && m < ids.size(); ++m) {
        const auto& body = cloud.bodies[Cloud::index_of(ids[m])].data;
        const auto& ref = made->nodes()[m];
        right = ref.id == ids[m] && ref.kind == body.kind && ref.dofs == body.dofs && nodes[local[m]].id == ids[m] &&
                same_as_body(cloud, nodes, local[m]);
      }
      wrong += !right;
    }
    return wrong;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(distribution_contributions)

BOOST_FIXTURE_TEST_CASE(contributions_survive_migration, Fixture) {
  rebuild();
  BOOST_TEST(wrong_entries(0) == 0);
  for (std::uint64_t round = 1; round <= 3; ++round) {
    std::vector<const Contribution*> before;
    for (std::int32_t k = 0; k < ties.size(); ++k) before.push_back(ties[k].contribution.get());

    std::vector<std::int32_t> to;
    for (std::int32_t i = 0; i < nodes.owned(); ++i) to.push_back(random_rank(Cloud::index_of(nodes[i].id), round));
    std::vector<Payload> payloads;
    if (nodes.owned() > 0) payloads.push_back({nodes[0].id, 77, {std::byte{1}}});  // of somebody else
    const auto others = sum_over_ranks(static_cast<std::int64_t>(payloads.size()));
    ties.release(payloads);
    distribution.migrate(nodes, to, payloads);
    ties.absorb(payloads);

    const bool only_others =
        std::all_of(payloads.begin(), payloads.end(), [](const Payload& p) { return p.kind == 77; });
    BOOST_TEST(only_others);
    BOOST_TEST(sum_over_ranks(static_cast<std::int64_t>(payloads.size())) == others);
    BOOST_TEST(sum_over_ranks(ties.size()) == n_ties);
    // What stayed is the same object; what arrived waits for bind().
    for (std::int32_t k = 0; k < ties.size(); ++k) {
      const auto* made = ties[k].contribution.get();
      const bool stayed = random_rank(Cloud::index_of(ties[k].node_ids.front()), round - 1) == my_rank();
      BOOST_TEST((made != nullptr) == stayed);
      if (made) BOOST_TEST((std::find(before.begin(), before.end(), made) != before.end()));
    }
    BOOST_CHECK_THROW(ties.local_nodes(0), std::exception);
    rebuild();
    BOOST_TEST(wrong_entries(round) == 0);
  }
}

BOOST_FIXTURE_TEST_CASE(mistakes_of_one_rank_are_errors_on_all, Fixture) {
  const bool guilty = my_rank() == n_ranks() - 1;
  BOOST_REQUIRE(sum_over_ranks(nodes.owned() > 0) == n_ranks());

  // A factory that refuses: the user's error, with its place.
  if (guilty) ties.add(n_ties, tie(-1), {nodes[0].id});
  distribution.build_ghosts(nodes, 0., ties.ghost_requests());
  BOOST_CHECK_EXCEPTION(ties.bind(nodes, distribution), InputError, [](const InputError& e) {
    const std::string text = e.what();
    return text.find("stiffness") != std::string::npos && text.find("is negative") != std::string::npos;
  });

  // A node that does not exist.
  ContributionStore lost;
  if (guilty) lost.add(0, tie(1), {nodes[0].id, Cloud::id_of(5000)});
  BOOST_CHECK_THROW(distribution.build_ghosts(nodes, 0., lost.ghost_requests()), RunError);

  // A contribution away from its first node; on one rank there is no such place.
  if (n_ranks() > 1) {
    ContributionStore astray;
    for (std::int32_t k = 0; guilty && astray.size() == 0 && k < static_cast<int>(cloud.size()); ++k)
      if (random_rank(k, 0) != my_rank()) astray.add(0, tie(1), {cloud.id(k)});
    distribution.build_ghosts(nodes, 0., astray.ghost_requests());
    BOOST_CHECK_THROW(astray.bind(nodes, distribution), RunError);
  }
}

BOOST_AUTO_TEST_SUITE_END()

// The same case on all ranks and on one: equal up to the solver tolerance, with either way of distributing bodies.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>

#include "verification/stored_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

const std::vector<std::string> small = {"fills[0].limit=150", "solver.tolerance=1e-8", "solver.max_iterations=20000", "fills[0].lower=[0.005,0.005,0.0062]",
                                        "fills[0].upper=[0.06,0.06,0.3]", "walls[0].upper=[0.065,0.065,1]", "fills[0].velocity=[0,0,-1]"};

/// id, x, y, z, v, r omega of all bodies on all ranks, sorted by id.
std::vector<double> all_states(const Case& c) {
  const NodeStore& nodes = c.system.nodes;
  std::vector<double> mine, all;
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    mine.push_back(static_cast<double>(nodes[i].id));
    mine.insert(mine.end(), nodes.q(i).begin(), nodes.q(i).begin() + 3);
    for (int k = 0; k < 6; ++k) mine.push_back(k < 3 ? nodes.u(i)[k] : nodes[i].radius * nodes.u(i)[k]);
  }
  int ranks, n = static_cast<int>(mine.size());
  MPI_Comm_size(c.system.comm(), &ranks);
  std::vector<int> counts(ranks), first(ranks, 0);
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, c.system.comm());
  for (int r = 1; r < ranks; ++r) first[r] = first[r - 1] + counts[r - 1];
  all.resize(first.back() + counts.back());
  MPI_Allgatherv(mine.data(), n, MPI_DOUBLE, all.data(), counts.data(), first.data(), MPI_DOUBLE, c.system.comm());
  constexpr std::size_t width = 10;
  std::vector<double> sorted(all.size());
  for (std::size_t k = 0; k < all.size(); k += width) std::copy_n(&all[k], width, &sorted[static_cast<std::size_t>(all[k]) * width]);
  return sorted;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rank_independence)

BOOST_DATA_TEST_CASE(many_ranks_give_what_one_gives, data::make({"parmetis", "geometric"}), method) {
  auto overrides = small;
  overrides.push_back(std::string("partition.method=") + method);
  const auto together = stored_case("sphere_box/sphere_box.yaml", overrides), alone = stored_case("sphere_box/sphere_box.yaml", overrides, MPI_COMM_SELF);
  std::int64_t most_contacts = 0;
  for (int k = 0; k < 60; ++k) {
    const StepReport a = together->step(), b = alone->step();
    // A few steps in a thousand converge like 1/k and stop earlier; they must do so on any number of ranks.
    BOOST_TEST_REQUIRE(a.solve.residual < 1e-7);
    BOOST_TEST_REQUIRE(b.solve.residual < 1e-7);
    BOOST_TEST(a.contacts == b.contacts);
    most_contacts = std::max(most_contacts, a.contacts);
    // Redistribution in the middle of a run must not change anything either.
    if (k == 30) together->system.rebalance(RebalanceMethod::geometric, together->h);
  }
  BOOST_TEST(most_contacts > 100);
  const std::vector<double> x = all_states(*together), y = all_states(*alone);
  BOOST_TEST_REQUIRE(x.size() == y.size());
  double difference = 0;
  for (std::size_t k = 0; k < x.size(); ++k) difference = std::max(difference, std::abs(x[k] - y[k]));
  // Velocities of 1 m/s, residual 1e-8 per step, 60 steps with some amplification by collisions.
  BOOST_TEST(difference < 1e-5);
}

BOOST_AUTO_TEST_SUITE_END()

// Work and memory follow the bodies: shares of the ranks in a settled heap, and in a flow that empties one side of a box.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

#include "partition/balance.hpp"
#include "verification/stored_case.hpp"

using namespace percussion;

namespace {

/// About 2,000 spheres in a flat box, pulled sideways: the left half is empty after a quarter of a second.
const std::vector<std::string> sideways = {"fills[0].limit=2000",
                                           "fills[0].lower=[0.005,0.005,0.0062]",
                                           "fills[0].upper=[0.295,0.145,0.3]",
                                           "fills[0].velocity=[0,0,0]",
                                           "walls[0].upper=[0.3,0.15,1]",
                                           "gravity=[20,0,-9.81]",
                                           "contact.friction=0",
                                           "solver.tolerance=1e-2"};

std::int64_t held(const Case& c) {
  return static_cast<std::int64_t>(c.system.nodes.memory() + c.system.candidates.memory() + c.system.narrow_phase.memory() + c.integrator().memory());
}

double max_over_ranks(const Case& c, double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, c.system.comm());
  return value;
}

/// Work of this rank as the sweeps see it: counted, so that the test does not depend on clocks.
double work(const Case& c) { return c.system.candidates.size() + c.system.nodes.owned(); }

double centre_x(const Case& c) {
  double sum[2] = {0, 0};
  for (std::int32_t i = 0; i < c.system.nodes.owned(); ++i) sum[0] += c.system.nodes.q(i)[0], sum[1] += 1;
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, c.system.comm());
  return sum[0] / sum[1];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(load)

BOOST_AUTO_TEST_CASE(redistribution_keeps_up_with_a_flow_to_one_side) {
  const auto followed = stored_case("sphere_box/sphere_box.yaml", sideways), left = stored_case("sphere_box/sphere_box.yaml", sideways);
  const double before = centre_x(*followed), threshold = followed->system.partition.threshold;
  int moves = 0;
  double worst = 1;
  for (int k = 1; k <= 250; ++k) {
    followed->step();
    left->step();
    if (k % 25 != 0) continue;
    worst = std::max(worst, load_balance(left->system.comm(), work(*left)).ratio);
    moves += followed->system.rebalance_if_needed(work(*followed), followed->h);
  }
  BOOST_TEST(centre_x(*followed) > before + 0.03);  // the flow is real
  const int ranks = followed->system.distribution.ranks();
  const double ratio = load_balance(followed->system.comm(), work(*followed)).ratio;
  BOOST_TEST(ratio <= threshold);
  if (ranks == 1) return;
  BOOST_TEST(moves >= 1);
  BOOST_TEST(worst > threshold);  // without redistribution the load would have passed the threshold
  BOOST_TEST(moves <= 5);         // of ten checks: not at every one
}

BOOST_AUTO_TEST_CASE(memory_of_a_rank_follows_what_it_holds) {
  const auto c = stored_case("sphere_box/sphere_box.yaml", sideways);
  for (int k = 0; k < 20; ++k) c->step();
  const double bodies = c->system.nodes.size(), candidates = c->system.candidates.size();
  // Bytes per local body (ghosts included) and per candidate, with room for the growth of vectors: nothing that a rank
  // holds grows with the bodies of all ranks.
  BOOST_TEST(max_over_ranks(*c, static_cast<double>(held(*c)) / (1000 * bodies + 400 * candidates)) < 1.);
  // The shares of the ranks add up to the whole and a ghost layer, which is thin: a body of a rank has few neighbours.
  double sum = bodies;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, c->system.comm());
  const int ranks = c->system.distribution.ranks();
  const double all = static_cast<double>(c->bodies()), layer = 6 * std::pow(all / ranks, 2. / 3.) * ranks;
  BOOST_TEST(sum <= all + 2.5 * layer);
  BOOST_TEST(max_over_ranks(*c, c->system.nodes.owned()) <= 1.3 * all / ranks);
}

BOOST_AUTO_TEST_SUITE_END()

// Bodies that enter and leave during a run: rates, free places, balances, the same on any number of ranks.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <set>

#include "app/stepper.hpp"
#include "io/scratch_folder.hpp"
#include "checkpoint/stored_run.hpp"
#include "verification/rk_case.hpp"

using namespace percussion;

namespace {

const std::string head =
    "case: {name: t}\ntime: {end: 10, step: 1.0e-3}\ngravity: [0, 0, -10]\ncontact: {friction: 0.4}\n"
    "solver: {type: gauss_seidel, tolerance: 1.0e-9, max_iterations: 20000}\npartition: {check_every: 20}\n"
    "walls:\n  - {type: box, lower: [0, 0, 0], upper: [0.2, 0.2, 1], open: [top]}\n";

Parameters input_of(const std::string& more) { return parse_input(head + more, "test.yaml", ".", {}, case_schema()); }

/// A step as `percussion run` does it, redistribution included.
StepReport advance(Case& c, std::int64_t step) {
  Stepper stepper(OnFailure::warn);
  const StepReport report = stepper.advance(c, c.h);
  if (step % c.system.partition.check_every == 0) c.system.rebalance_if_needed(static_cast<double>(c.system.nodes.owned() + c.system.candidates.size()), c.h);
  return report;
}

struct BodyState {
  double r, mass;
  Vec3 x, v;
};
/// Collective. All bodies of all ranks by id.
std::map<std::int64_t, BodyState> all_bodies(const Case& c) {
  std::vector<double> mine, all;
  for (std::int32_t i = 0; i < c.system.nodes.owned(); ++i) {
    const NodeData& node = c.system.nodes[i];
    mine.insert(mine.end(), {static_cast<double>(node.id), node.radius, node.mass});
    mine.insert(mine.end(), c.system.nodes.q(i).begin(), c.system.nodes.q(i).begin() + 3);
    mine.insert(mine.end(), c.system.nodes.u(i).begin(), c.system.nodes.u(i).begin() + 3);
  }
  int size, n = static_cast<int>(mine.size());
  MPI_Comm_size(c.system.comm(), &size);
  std::vector<int> counts(size), first(size, 0);
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, c.system.comm());
  for (int r = 1; r < size; ++r) first[r] = first[r - 1] + counts[r - 1];
  all.resize(first.back() + counts.back());
  MPI_Allgatherv(mine.data(), n, MPI_DOUBLE, all.data(), counts.data(), first.data(), MPI_DOUBLE, c.system.comm());
  std::map<std::int64_t, BodyState> result;
  for (std::size_t k = 0; k < all.size(); k += 9)
    BOOST_TEST(result.emplace(static_cast<std::int64_t>(all[k]), BodyState{all[k + 1], all[k + 2], Vec3(&all[k + 3]), Vec3(&all[k + 6])}).second, "an id twice");
  BOOST_TEST(static_cast<std::int64_t>(result.size()) == c.bodies());
  return result;
}

double smallest_gap(const std::map<std::int64_t, BodyState>& bodies) {
  double least = 1;
  for (const auto& [i, a] : bodies)
    for (const auto& [j, b] : bodies)
      if (i < j) least = std::min(least, (a.x - b.x).norm() - a.r - b.r);
  return least;
}

const std::string stream = "insertions:\n  - {lower: [0.02, 0.02, 0.3], upper: [0.18, 0.18, 0.5], start: 0.01, end: 0.2, rate: 500, radius: [0.008, 0.012], velocity: [0, 0, -2]}\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(insertion)

// Body k is due at start + k / rate, from an empty box on.
BOOST_AUTO_TEST_CASE(bodies_enter_at_their_rate) {
  Case c(MPI_COMM_WORLD, input_of(stream));
  BOOST_TEST(c.bodies() == 0);
  for (int k = 1; k <= 250; ++k) {
    const double t = c.system.t;  // bodies enter at the beginning of the step
    advance(c, k);
    const double expected = t < 0.01 - 1e-9 ? 0 : std::min(std::floor((t - 0.01) * 500 + 1e-6) + 1, 95.);
    BOOST_TEST(static_cast<double>(c.population().entered().bodies) == expected);
    BOOST_TEST(c.bodies() == c.population().entered().bodies);
  }
  const auto bodies = all_bodies(c);
  BOOST_TEST(bodies.size() == 95u);
  double mass = 0, radius = 0;
  for (const auto& [id, b] : bodies) mass += b.mass, radius += b.r / 95;
  BOOST_TEST(mass == c.population().entered().mass, boost::test_tools::tolerance(1e-13));
  BOOST_TEST(radius == 0.01, boost::test_tools::tolerance(0.04));  // uniform in [0.8, 1.2]: three standard errors
}

BOOST_AUTO_TEST_CASE(mass_rate_batches_and_limit) {
  const std::string region = "insertions:\n  - {lower: [0, 0, 0.3], upper: [0.2, 0.2, 0.6], radius: [0.005, 0.01], ";
  Case flow(MPI_COMM_WORLD, input_of(region + "mass_rate: 2}\n"));
  const double heaviest = 2500 * 4. / 3 * std::acos(-1.) * 1e-6;
  for (int k = 1; k <= 100; ++k) {
    const double t = flow.system.t;
    advance(flow, k);
    BOOST_TEST(flow.population().entered().mass >= 2 * t);
    BOOST_TEST(flow.population().entered().mass <= 2 * t + heaviest);
  }
  Case batches(MPI_COMM_WORLD, input_of(region + "every: 0.02, count: 7, limit: 25}\n"));
  for (int k = 1; k <= 100; ++k) {
    const double t = batches.system.t;
    advance(batches, k);
    BOOST_TEST(batches.population().entered().bodies == std::min<std::int64_t>(25, 7 * (1 + static_cast<std::int64_t>(t / 0.02 + 1e-6))));
  }
}

// A region that is full lets nobody in until there is room, and nobody enters into another body or a wall.
BOOST_AUTO_TEST_CASE(bodies_wait_for_a_free_place) {
  // 20 bodies a step into a region with room for some 50, most of which is outside the walls.
  Case c(MPI_COMM_WORLD, input_of("insertions:\n  - {lower: [-0.1, 0.02, 0.1], upper: [0.18, 0.18, 0.2], rate: 20000, limit: 150, radius: [0.012, 0.018], velocity: [0, 0, -1]}\n"));
  std::int64_t before = 0, waiting = 0;
  for (int k = 1; k <= 150; ++k) {
    std::set<std::int64_t> known;
    for (const auto& [id, b] : all_bodies(c)) known.insert(id);
    c.exchange_bodies(c.h);
    const auto bodies = all_bodies(c);
    double gap = 1, outside = 1;
    for (const auto& [i, a] : bodies) {
      if (known.contains(i)) continue;
      for (int d = 0; d < 3; ++d) outside = std::min({outside, a.x[d] - a.r, d < 2 ? 0.2 - a.x[d] - a.r : 1.});
      for (const auto& [j, b] : bodies)
        if (i != j) gap = std::min(gap, (a.x - b.x).norm() - a.r - b.r);
    }
    BOOST_TEST(gap > 0);
    BOOST_TEST(outside > 0);
    waiting += c.bodies() == before && c.bodies() < 150;
    before = c.bodies();
    c.step();
  }
  BOOST_TEST(waiting > 10);
  BOOST_TEST(c.bodies() > 60);
}

// Momentum and energy: nothing but what enters and leaves adds to the balance, and energy falls.
BOOST_AUTO_TEST_CASE(balances_close_with_what_enters_and_leaves) {
  Case c(MPI_COMM_WORLD, parse_input("case: {name: t}\ntime: {end: 10, step: 1.0e-3}\ngravity: [0, 0, -10]\n"
                                     "solver: {type: gauss_seidel, tolerance: 1.0e-10, max_iterations: 20000}\ncontact: {friction: 0.3}\n"
                                     "walls:\n  - {type: plane, point: [0, 0, 0], normal: [0.5, 0, 1]}\n"
                                     "outlets:\n  - {point: [0.15, 0, 0], normal: [-1, 0, 0], every: 10}\n" + stream, "test.yaml", ".", {}, case_schema()));
  double balance = 0, lowest = 0;
  for (int k = 1; k <= 500; ++k) {
    advance(c, k);
    const Population& p = c.population();
    const double now = total_energy(c) - p.entered().energy + p.left().energy;
    // Sliding on, impacts without restitution and rolling keep or lose energy; Moreau's rule keeps the parabola exactly.
    BOOST_TEST(now <= balance + 1e-9 * std::abs(p.entered().energy) + 1e-12);
    balance = now, lowest = std::min(lowest, now);
    double mass = 0;
    for (const auto& [id, b] : all_bodies(c)) mass += b.mass;
    BOOST_TEST(std::abs(mass + p.left().mass - p.entered().mass) < 1e-12 * p.entered().mass + 1e-15);
    BOOST_TEST(c.bodies() == p.entered().bodies - p.left().bodies);
  }
  BOOST_TEST(lowest < 0);
  BOOST_TEST(c.population().left().bodies == 95);  // all have slid out
  BOOST_TEST(c.bodies() == 0);
}

// The same bodies at the same places on any number of ranks.
BOOST_AUTO_TEST_CASE(ranks_do_not_matter) {
  const Parameters input = input_of(stream + "outlets:\n  - {point: [0, 0, 0.012], normal: [0, 0.3, 1], every: 5}\n");
  Case together(MPI_COMM_WORLD, input), alone(MPI_COMM_SELF, input);
  for (int k = 1; k <= 220; ++k) {
    advance(together, k), advance(alone, k);
    BOOST_TEST_REQUIRE(together.bodies() == alone.bodies());
  }
  const auto a = all_bodies(together), b = all_bodies(alone);
  BOOST_TEST(together.population().left().bodies > 0);
  double difference = 0;
  for (const auto& [id, body] : a) {
    BOOST_TEST_REQUIRE(b.contains(id));
    difference = std::max({difference, (body.x - b.at(id).x).norm() / 0.01, (body.v - b.at(id).v).norm()});
  }
  BOOST_TEST(difference < 1e-4);  // residual 1e-9 over 200 steps, amplified by collisions
}

BOOST_AUTO_TEST_CASE(a_restart_in_the_middle_is_the_same_run_bit_by_bit) {
  const ScratchFolder scratch;
  const Parameters input = input_of(stream + "fills:\n  - {type: lattice, lower: [0, 0, 0], upper: [0.2, 0.2, 0.06], radius: [0.01], jitter: 1}\n"
                                             "outlets:\n  - {point: [0, 0, 0.015], normal: [0, 0.4, 1], every: 7}\n");
  Case whole(MPI_COMM_WORLD, input);
  const std::int64_t start = whole.bodies();
  for (int k = 1; k <= 100; ++k) advance(whole, k);
  BOOST_TEST(whole.population().left().bodies > 0);
  BOOST_TEST(start > 0);
  write_case(whole, scratch / "state.h5");
  const auto again = read_case(input, scratch / "state.h5");
  BOOST_TEST(again->bodies() == whole.bodies());
  for (int k = 101; k <= 160; ++k) {
    advance(whole, k), advance(*again, k);
    BOOST_TEST_REQUIRE((whole_state(whole) == whole_state(*again)));
    BOOST_TEST(again->bodies() == whole.bodies());
  }
  BOOST_TEST(whole.population().entered().bodies > 60);
  BOOST_TEST(whole.population().left().energy == again->population().left().energy);
  // On one rank it is the same case still.
  const auto alone = read_case(input, scratch / "state.h5", MPI_COMM_SELF);
  for (int k = 101; k <= 160; ++k) advance(*alone, k);
  BOOST_TEST(alone->bodies() == whole.bodies());
}

BOOST_AUTO_TEST_CASE(unclear_regions_are_refused) {
  const auto make = [](const std::string& keys) { Case(MPI_COMM_WORLD, input_of("insertions:\n  - {lower: [0, 0, 0.3], upper: [0.2, 0.2, 0.6], radius: [0.01], " + keys + "}\n")); };
  make("rate: 1");
  BOOST_CHECK_THROW(make("limit: 3"), InputError);
  BOOST_CHECK_THROW(make("rate: 1, mass_rate: 2"), InputError);
  BOOST_CHECK_THROW(make("rate: 1, start: 2, end: 1"), InputError);
  BOOST_CHECK_THROW(Case(MPI_COMM_WORLD, input_of("insertions:\n  - {lower: [0, 0, 0.3], upper: [0.2, 0.2, 0.301], radius: [0.01], rate: 1}\n")), InputError);
  BOOST_CHECK_THROW(Case(MPI_COMM_WORLD, input_of("domain: {lower: [0, 0, 0], upper: [1, 1, 0.5]}\ninsertions:\n  - {lower: [0, 0, 0.3], upper: [0.2, 0.2, 0.6], radius: [0.01], rate: 1}\n")), InputError);
}

BOOST_AUTO_TEST_SUITE_END()

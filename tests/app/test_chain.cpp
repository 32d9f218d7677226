// Chains of bars: nodes and names, independence of the ranks, inertia of nodes without a mass of their own.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "app/case.hpp"
#include "app/case_schema.hpp"
#include "assembly/energy.hpp"
#include "io/input.hpp"

using namespace percussion;

namespace {

const std::string chain = "{name: bar, elements: 10, from: [0, 1, 0], to: [2, 1, 1], velocity: [0, 3, 4], E: 1.0e+4, A: 0.5, density: 2, damping: 1.0e-3}";

Case make(const std::string& sections, MPI_Comm comm = MPI_COMM_WORLD) {
  const std::string text = "case: {name: c}\ntime: {end: 1, step: 1.0e-3}\nintegrator: {type: moreau_jean}\n" + sections;
  return Case(comm, parse_input(text, "chain.yaml", ".", {}, case_schema()));
}

std::string message(const std::string& sections) {
  try {
    make(sections);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

void check_contains(const std::string& text, const std::string& part) {
  BOOST_TEST(text.find(part) != std::string::npos, "`" << part << "` is not in:\n" << text);
}

double sum(double mine) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return mine;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(chains)

BOOST_AUTO_TEST_CASE(nodes_bars_and_names) {
  const Case c = make("nodes:\n  - {type: point_3d, name: a, mass: 1, position: [9, 9, 9]}\nchains:\n  - " + chain + "\n  - " +
                      "{name: rope, elements: 3, from: [0, 0], to: [0, 3], E: 1, A: 1, density: 1}\n");
  BOOST_TEST(c.bodies() == 1 + 11 + 4);
  BOOST_TEST(sum(c.system.nodes.owned()) == 16.);
  BOOST_TEST(sum(c.system.contributions.size()) == 13.);
  BOOST_TEST(c.node_id("bar.first") == 1);
  BOOST_TEST(c.node_id("bar.last") == 11);
  BOOST_TEST(c.node_id("rope.first") == 12);
  BOOST_TEST(c.node_id("rope.last") == 15);
  for (int k = 0; k <= 10; ++k) {
    const NodeState s = c.state(1 + k);
    const double expected[] = {0.2 * k, 1, 0.1 * k};
    BOOST_REQUIRE_EQUAL(s.q.size(), 3u);
    for (int i = 0; i < 3; ++i) BOOST_TEST(std::abs(s.q[i] - expected[i]) < 1e-15);
    BOOST_TEST(s.u == (std::vector<double>{0, 3, 4}), boost::test_tools::per_element());
  }
  BOOST_TEST(c.state("rope.last").q == (std::vector<double>{0, 3}), boost::test_tools::per_element());
  // 1/2 m v^2 with m = rho A L = sqrt(5), v = 5.
  BOOST_TEST(std::abs(sum(local_energies(c.system, c.system.nodes.q()).kinetic) - 12.5 * std::sqrt(5.)) < 1e-13);
}

BOOST_AUTO_TEST_CASE(nodes_do_not_depend_on_the_ranks) {
  const Case c = make("chains: [" + chain + "]\n"), alone = make("chains: [" + chain + "]\n", MPI_COMM_SELF);
  for (std::int64_t id = 0; id <= 10; ++id) BOOST_TEST(c.state(id).q == alone.state(id).q, boost::test_tools::per_element());
}

// The far end of a chain that hits a wall, after a hundred steps; the chain is stiff, so the wave has run through it.
BOOST_AUTO_TEST_CASE(motion_does_not_depend_on_the_ranks) {
  const std::string sections = "gravity: [0, -1]\nsolver: {type: gauss_seidel, tolerance: 1.0e-13, check_every: 1}\nchains:\n"
      "  - {name: bar, elements: 10, from: [0, 0], to: [2, 0], velocity: [-1, 0], E: 1.0e+4, A: 0.5, density: 2}\n"
      "contributions:\n  - {type: contact_plane, nodes: [bar.first], normal: [1, 0]}\n";
  Case c = make(sections), alone = make(sections, MPI_COMM_SELF);
  for (int n = 0; n < 100; ++n) c.step(), alone.step();
  for (const char* name : {"bar.first", "bar.last"}) {
    const NodeState a = c.state(name), b = alone.state(name);
    // 1e-9: solver tolerance and roundoff of the factorisation, 100 steps, velocities of size one.
    for (std::size_t i = 0; i < 2; ++i) BOOST_TEST((std::abs(a.u[i] - b.u[i]) < 1e-9 && std::abs(a.q[i] - b.q[i]) < 1e-9));
    // Gravity acts on the mass of the bars: all of the chain falls freely.
    BOOST_TEST(std::abs(a.u[1] + 0.1) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(mass_zero_needs_an_element) {
  const std::string free = "nodes:\n  - {type: point_2d, name: a, mass: 0, position: [0, 0]}\n";
  check_contains(message(free), "the node has no mass and no element brings it");
  check_contains(message("nodes:\n  - {type: generalized, name: a, position: [0]}\n"), "a generalized node has no mass of its own");
  // The far node of a bar counts as covered whichever rank has the bar.
  const std::string both = free + "  - {type: point_2d, name: b, mass: 0, position: [1, 0]}\n";
  check_contains(message(both + "contributions:\n  - {type: bar, nodes: [a, b], E: 1, A: 1, density: 1, length: 1}\n"), "no error");
  check_contains(message(both + "contributions:\n  - {type: spring_damper, nodes: [a, b], stiffness: 1}\n"), "the node has no mass");
  check_contains(message("nodes:\n  - {type: planar_body, name: a, mass: 0, inertia: 1, position: [0, 0]}\n"), "mass");
}

BOOST_AUTO_TEST_CASE(impossible_chains_are_input_errors) {
  const auto text = [](const std::string& keys) { return message("chains:\n  - {name: bar, elements: 2, E: 1, A: 1, density: 1, " + keys + "}\n"); };
  check_contains(text("from: [0, 0], to: [0, 0]"), "the chain has no length");
  check_contains(text("from: [0, 0], to: [0, 0, 1]"), "has not the length of from");
  check_contains(text("from: [0, 0], to: [1, 0], velocity: [0, 0, 1]"), "does not move along z");
  check_contains(message("chains: [" + chain + ", " + chain + "]\n"), "there is a node `bar.first` already");
  check_contains(message("chains: [" + chain + "]\ncontributions:\n  - {type: contact_plane, nodes: [bar.middle], normal: [0, 0, 1]}\n"), "there is no node `bar.middle`");
  check_contains(message("domain: {lower: [0, 0, 0], upper: [1, 2, 2]}\nchains: [" + chain + "]\n"), "is outside the domain");
}

BOOST_AUTO_TEST_SUITE_END()

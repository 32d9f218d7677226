// Breuling 7.4: the stick-slip orbit of the block on the belt.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "verification/stored_case.hpp"

using namespace percussion;

namespace {

struct Orbit {
  double period = 0, spread = 0, x_max = 0;
  int sticks = 0;
};

/// Times at which sticking ends, after the transient; their differences are the period. Starts shortly before a release.
Orbit orbit(const char* scheme, double h) {
  const auto c = stored_case("block_on_belt/block_on_belt.yaml", {std::string("integrator.type=") + scheme, "time.step=" + std::to_string(h), "nodes[0].position=[4.5,0]"});
  Orbit o;
  std::vector<double> releases;
  bool stuck = false;
  for (int k = steps_until(*c, 80.); k > 0; --k) {
    c->step();
    const NodeState block = c->state("block");
    const bool sticks = std::abs(block.u[0] - 0.2) < 1e-9;
    if (stuck && !sticks) releases.push_back(c->system.t);
    o.sticks += sticks;
    stuck = sticks;
    o.x_max = std::max(o.x_max, block.q[0]);
  }
  BOOST_TEST_REQUIRE(releases.size() >= 4u);
  o.period = (releases.back() - releases[1]) / static_cast<double>(releases.size() - 2);
  for (std::size_t k = 2; k < releases.size(); ++k) o.spread = std::max(o.spread, std::abs(releases[k] - releases[k - 1] - o.period));
  return o;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(block_on_belt)

BOOST_AUTO_TEST_CASE(stick_slip_orbit_is_periodic_and_converges) {
  const Orbit fine = orbit("moreau", 0.0025), middle = orbit("moreau", 0.005), coarse = orbit("moreau", 0.01);
  for (const Orbit* o : {&fine, &middle, &coarse}) {
    BOOST_TEST(o->sticks > 0);
    // The spring is released at c x = mu_s la_N: x = 5.
    BOOST_TEST(std::abs(o->x_max - 5) < 0.2);
  }
  BOOST_TEST(coarse.spread <= 0.02);  // releases are seen on a grid of h: two steps
  BOOST_TEST(fine.spread <= 0.005);
  // First order, and the period itself is known to h / (number of periods): halving h must not enlarge the difference.
  BOOST_TEST(std::abs(coarse.period - middle.period) < 0.03);
  BOOST_TEST(std::abs(middle.period - fine.period) < 0.015);
}

BOOST_AUTO_TEST_CASE(all_schemes_find_the_same_orbit) {
  const Orbit reference = orbit("moreau", 0.005);
  for (const char* scheme : {"shifted_moreau", "moreau_jean"}) {
    const Orbit o = orbit(scheme, 0.005);
    BOOST_TEST(std::abs(o.period - reference.period) < 0.02);  // both are first order: c h with c of order one
    BOOST_TEST(std::abs(o.x_max - reference.x_max) < 0.02);
  }
}

BOOST_AUTO_TEST_SUITE_END()

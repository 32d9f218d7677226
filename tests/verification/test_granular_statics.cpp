// G1: spheres at rest. Contact forces against closed forms; nothing may creep in 10,000 steps.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "verification/stored_case.hpp"

using namespace percussion;

namespace {

constexpr double r = 0.1, g = 10;
const double m = 1000 * 4. / 3 * 3.14159265358979323846 * r * r * r;

struct Percussion {
  double normal = 0, friction = 0;
};

/// Sum over ranks of the percussions of contacts between two ids (b < 0: a wall).
Percussion between(const Case& c, std::int64_t a, std::int64_t b) {
  std::vector<ContactRecord> records;
  c.integrator().contacts(c.system, records);
  double sum[2] = {0, 0};
  for (const ContactRecord& k : records)
    if (k.id_a == std::min(a, b < 0 ? a : b) && k.id_b == (b < 0 ? b : std::max(a, b)))
      sum[0] += k.n.dot(k.P), sum[1] += (k.P - k.n.dot(k.P) * k.n).norm();
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, c.system.comm());
  return {sum[0], sum[1]};
}

double run_and_measure_drift(Case& c, const std::vector<std::string>& names, int steps) {
  std::vector<NodeState> start;
  for (const auto& name : names) start.push_back(c.state(name));
  for (int k = 0; k < steps; ++k) BOOST_TEST_REQUIRE(c.step().solve.converged);
  double drift = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const NodeState end = c.state(names[i]);
    for (int k = 0; k < 3; ++k) drift = std::max(drift, std::abs(end.q[k] - start[i].q[k]));
  }
  return drift;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(granular_statics)

BOOST_AUTO_TEST_CASE(stack_carries_its_weight_and_stays) {
  const auto c = stored_case("sphere_stack/stack.yaml");
  const double drift = run_and_measure_drift(*c, {"s0", "s5", "s9"}, 10000);
  const double h = c->h;
  // Each contact carries what is above it. Relative residual 1e-10 in the energy norm of ten contacts: 1e-8 per contact.
  BOOST_TEST(std::abs(between(*c, 0, -1).normal / (10 * m * g * h) - 1) < 1e-8);
  for (int k = 0; k < 9; ++k) BOOST_TEST(std::abs(between(*c, k, k + 1).normal / ((9 - k) * m * g * h) - 1) < 1e-8);
  // Velocities are of the order residual * g h: 10,000 steps of h add up to at most 1e-10 g h * 10 s * 10 bodies.
  BOOST_TEST(drift < 1e-9);
}

// Three base spheres at distance d that do not touch. With theta the angle of the upper contacts to the vertical, moments
// about the centre of a base sphere make the friction at the floor equal to that above, horizontal forces then give
// T = N tan(theta/2), and N (cos theta + tan(theta/2) sin theta) = N carries a third of the upper weight.
BOOST_AUTO_TEST_CASE(pyramid_carries_its_weight_and_stays) {
  const auto c = stored_case("sphere_stack/pyramid.yaml");
  const double drift = run_and_measure_drift(*c, {"top", "base0", "base1", "base2"}, 10000);
  const double theta = std::asin(2.1 * r / std::sqrt(3.) / (2 * r)), unit = m * g * c->h;
  for (int k = 0; k < 3; ++k) {
    const Percussion above = between(*c, k, 3), floor = between(*c, k, -1);
    BOOST_TEST(std::abs(above.normal / (unit / 3) - 1) < 1e-7);
    BOOST_TEST(std::abs(above.friction / (unit / 3 * std::tan(theta / 2)) - 1) < 1e-7);
    BOOST_TEST(std::abs(floor.normal / (4 * unit / 3) - 1) < 1e-7);
    BOOST_TEST(std::abs(floor.friction / (unit / 3 * std::tan(theta / 2)) - 1) < 1e-7);
  }
  BOOST_TEST(drift < 1e-7);  // friction converges more slowly than a stack: a hundred times its bound
}

BOOST_AUTO_TEST_SUITE_END()

// Free bodies: collisions with exact balances, and a tumbling body.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "assembly/energy.hpp"
#include "verification/stored_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

Vec3 vector(const std::vector<double>& x, int first = 0) { return {x[first], x[first + 1], x[first + 2]}; }

struct Totals {
  double energy;
  Vec3 momentum, angular_momentum;
};

Totals totals(const Case& c) {
  std::vector<double> q;
  c.integrator().positions(c.system, q);
  const Energies e = local_energies(c.system, q);
  double sum[7] = {e.kinetic + e.potential};
  for (int i = 0; i < 3; ++i) sum[1 + i] = e.momentum[i], sum[4 + i] = e.angular_momentum[i];
  MPI_Allreduce(MPI_IN_PLACE, sum, 7, MPI_DOUBLE, MPI_SUM, c.system.comm());
  return {sum[0], Vec3(sum[1], sum[2], sum[3]), Vec3(sum[4], sum[5], sum[6])};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(free_bodies)

// The normal after the step of the impact is that of the contact test, so the impact law is checked with n from the
// record of the contact: g'+ = -e_N g'-, friction inside its disc, momentum exact.
BOOST_DATA_TEST_CASE(two_spheres_obey_the_impact_law, data::make({0., 0.05, 0.2, 1.}), mu) {
  const auto c = stored_case("collision/two_spheres.yaml", {"contact.friction=" + std::to_string(mu)});
  const Totals start = totals(*c);
  const double r = 0.1, e_N = 0.6, m_a = 2, m_b = 1, m_red = m_a * m_b / (m_a + m_b);
  bool hit = false;
  for (int k = steps_until(*c, 0.5); k > 0; --k) {
    const NodeState a0 = c->state("a"), b0 = c->state("b");
    if (c->step().contacts == 0) continue;
    std::vector<ContactRecord> records;
    c->integrator().contacts(c->system, records);
    double n_P[6] = {0, 0, 0, 0, 0, 0};
    for (const ContactRecord& x : records)
      for (int i = 0; i < 3; ++i) n_P[i] += x.n[i], n_P[3 + i] += x.P[i];
    MPI_Allreduce(MPI_IN_PLACE, n_P, 6, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const Vec3 n(n_P), P(n_P + 3);
    if (P.norm() == 0) continue;
    hit = true;
    const NodeState a1 = c->state("a"), b1 = c->state("b");
    const auto relative = [&](const NodeState& a, const NodeState& b) {
      // Spheres: omega (K) is omega (I) as long as the body turns about a fixed axis; a turns about z, which n x P changes
      // only after this impact, b does not turn before it. So rotate with the orientation of each state.
      const Mat3 A_a = A_IK_of<double>(Quat(a.q[3], a.q[4], a.q[5], a.q[6])), A_b = A_IK_of<double>(Quat(b.q[3], b.q[4], b.q[5], b.q[6]));
      return Vec3(vector(b.u) - vector(a.u) + n.cross(r * (A_a * vector(a.u, 3) + A_b * vector(b.u, 3))));
    };
    const Vec3 before = relative(a0, b0), after = relative(a1, b1);
    BOOST_TEST(std::abs(n.dot(after) + e_N * n.dot(before)) < 1e-11);
    BOOST_TEST(std::abs(n.dot(P) - (1 + e_N) * m_red * -n.dot(before)) < 1e-11);
    const Vec3 P_T = P - n.dot(P) * n, slip = after - n.dot(after) * n;
    BOOST_TEST(P_T.norm() <= mu * n.dot(P) + 1e-11);
    // Either it sticks, or friction is at its limit and opposes the slip. The orientations are those after the step, half a
    // step of turning later than the impact: 3 rad/s * h/2 changes omega (I) of b, zero before, by that part.
    if (P_T.norm() < mu * n.dot(P) - 1e-9) BOOST_TEST(slip.norm() < 1e-2);
    else if (mu > 0) BOOST_TEST((P_T.normalized() + slip.normalized()).norm() < 1e-2);
  }
  BOOST_TEST(hit);
  const Totals end = totals(*c);
  BOOST_TEST((end.momentum - start.momentum).norm() < 1e-12);
  BOOST_TEST(end.energy < start.energy);
  if (mu == 0) {
    // Loss of energy of a frictionless collision, 1/2 m_red (1 - e^2) g'-^2, with the n of the impact: n differs from x by
    // the transverse offset 0.2 * 0.05 s, so compare with the exact law along n instead of a number: see above. Here: bound.
    BOOST_TEST(start.energy - end.energy <= 0.5 * m_red * (1 - e_N * e_N) * 4.1);
  }
}

BOOST_AUTO_TEST_CASE(chain_hands_the_velocity_on) {
  const auto c = stored_case("collision/chain.yaml");
  const Totals start = totals(*c);
  for (int k = steps_until(*c, 1.5); k > 0; --k) BOOST_TEST_REQUIRE(c->step().solve.converged);
  for (int k = 0; k < 8; ++k) BOOST_TEST(std::abs(c->state("s" + std::to_string(k)).u[0] - (k == 7 ? 1. : 0.)) < 1e-10);
  const Totals end = totals(*c);
  BOOST_TEST(std::abs(end.energy - start.energy) < 1e-10);
  BOOST_TEST((end.momentum - start.momentum).norm() < 1e-11);
}

// e_N = 0: all bodies go on together after the last collision.
BOOST_AUTO_TEST_CASE(inelastic_chain_moves_as_one) {
  const auto c = stored_case("collision/chain.yaml", {"contact.restitution=0", "time.end=8"});
  for (int k = steps_until(*c, 8.); k > 0; --k) BOOST_TEST_REQUIRE(c->step().solve.converged);
  for (int k = 0; k < 8; ++k) BOOST_TEST(std::abs(c->state("s" + std::to_string(k)).u[0] - 1. / 8) < 1e-9);
}

// A free asymmetric body: momentum exactly, energy and angular momentum to first order (h takes the gyroscopic torque
// at the old velocity).
BOOST_AUTO_TEST_CASE(tumbling_body_keeps_its_invariants) {
  double energy_error[2], spin_error[2];
  for (const int fine : {0, 1}) {
    const auto c = stored_case("tumbling_body/tumbling_body.yaml", {fine ? "time.step=5e-4" : "time.step=1e-3"});
    const Totals start = totals(*c);
    for (int k = steps_until(*c, 2.); k > 0; --k) c->step();
    const Totals end = totals(*c);
    BOOST_TEST((end.momentum - start.momentum).norm() < 1e-14);
    const NodeState body = c->state("body");
    BOOST_TEST(std::abs(body.q[0] - 2.) < 1e-11);  // 2000 additions
    BOOST_TEST(std::abs(std::hypot(std::hypot(body.q[3], body.q[4]), std::hypot(body.q[5], body.q[6])) - 1) < 1e-14);
    energy_error[fine] = std::abs(end.energy / start.energy - 1);
    spin_error[fine] = (end.angular_momentum - start.angular_momentum).norm() / start.angular_momentum.norm();
  }
  BOOST_TEST(energy_error[1] < 0.6 * energy_error[0]);
  BOOST_TEST(spin_error[1] < 0.6 * spin_error[0]);
  BOOST_TEST(energy_error[1] < 1e-2);
  BOOST_TEST(spin_error[1] < 1e-2);
}

BOOST_AUTO_TEST_SUITE_END()

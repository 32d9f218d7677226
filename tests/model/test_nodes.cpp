// Nodes: kinematics B(q), mass, gyroscopic torque, energy, momenta, the store.
#include <boost/test/unit_test.hpp>

#include <Eigen/Geometry>

#include "math/rotation.hpp"
#include "model/node_terms.hpp"
#include "model_fixture.hpp"

using namespace model_test;
using enum NodeKind;

namespace {

constexpr double roundoff = 1e-14;  // a few dozen operations on numbers of size one
const Kinds all{point_2d, point_3d, planar_body, rigid_body, generalized};

NodeData body(NodeKind kind) {
  NodeData n;
  n.kind = kind, n.dofs = static_cast<std::int8_t>(nu(kind, 4));
  n.mass = 2;
  n.inertia[0] = 0.3, n.inertia[1] = 0.5, n.inertia[2] = 0.7;
  return n;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nodes)

BOOST_AUTO_TEST_CASE(kinematics_keep_the_length_of_quaternions_and_have_their_adjoint) {
  for (const NodeKind kind : all)
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const std::vector<NodeRef> n = refs({kind}, 4);
      const State s = random_state(n, seed);
      const VecX rate = q_dot_of(n, s), y = random_state(n, seed + 100).q;
      VecX x(n[0].nu());
      B_transposed(kind, n[0].dofs, s.q.data(), y.data(), x.data());
      BOOST_TEST(std::abs(y.dot(rate) - x.dot(s.u)) < 10 * roundoff, name(kind) << ": y . B u = B^T y . u");
      if (kind != rigid_body) {
        BOOST_TEST((rate - s.u).norm() == 0., name(kind));
        continue;
      }
      BOOST_TEST(std::abs(s.q.tail<4>().dot(rate.tail<4>())) < roundoff, "|P| is kept");
      check_close(rate.head<3>(), s.u.head<3>(), 0., "r' = v");
    }
}

BOOST_AUTO_TEST_CASE(placement_moves_with_motion) {
  for (const NodeKind kind : {point_2d, point_3d, planar_body, rigid_body}) {
    const std::vector<NodeRef> n = refs({kind});
    const State s = random_state(n, 2);
    const VecX rate = q_dot_of(n, s);
    const Motion<double> m = motion(kind, s.q.data(), s.u.data());
    const auto moved = [&](double e) {
      const VecX q = s.q + e * rate;
      return placement(kind, q.data());
    };
    const double e = 1e-4;  // central difference: error e^2/6 times third derivatives of size ten, below 1e-7
    const Vec3 v = (moved(e).r - moved(-e).r) / (2 * e);
    const Mat3 A_dot = (moved(e).A - moved(-e).A) / (2 * e);
    BOOST_TEST((v - m.v).norm() < 1e-7, name(kind));
    BOOST_TEST((A_dot - skew<double>(m.omega) * moved(0).A).norm() < 1e-7, name(kind));
  }
}

BOOST_AUTO_TEST_CASE(mass_energy_and_momenta) {
  for (const NodeKind kind : all) {
    const NodeData n = body(kind);
    const State s = random_state(refs({kind}, 4), 5);
    VecX mass(nu(kind, 4));
    mass_diagonal(n, mass.data());
    if (kind == generalized) {
      BOOST_TEST(mass.norm() == 0.);
      BOOST_TEST(kinetic_energy(n, s.u.data()) == 0.);
      continue;
    }
    const Placement<double> p = placement(kind, s.q.data());
    const Motion<double> m = motion(kind, s.q.data(), s.u.data());
    const bool turns = kind == planar_body || kind == rigid_body;
    const Mat3 Theta = turns ? Mat3(p.A * Vec3(0.3, 0.5, 0.7).asDiagonal() * p.A.transpose()) : Mat3(Mat3::Zero());
    const double T = 0.5 * n.mass * m.v.squaredNorm() + 0.5 * m.omega.dot(Theta * m.omega);
    BOOST_TEST(std::abs(kinetic_energy(n, s.u.data()) - T) < 10 * roundoff, name(kind));
    BOOST_TEST(std::abs(0.5 * s.u.dot(mass.cwiseProduct(s.u)) - T) < 10 * roundoff, name(kind));
    BOOST_TEST((linear_momentum(n, s.u.data()) - n.mass * m.v).norm() < roundoff, name(kind));
    const Vec3 L = p.r.cross(n.mass * m.v) + Theta * m.omega;
    BOOST_TEST((angular_momentum(n, s.q.data(), s.u.data()) - L).norm() < 10 * roundoff, name(kind));
  }
}

BOOST_AUTO_TEST_CASE(gyroscopic_torque_is_minus_omega_cross_theta_omega) {
  const NodeData n = body(rigid_body);
  const State s = random_state(refs({rigid_body}), 8);
  const Vec3 w = s.u.tail<3>(), Theta_w = Vec3(0.3, 0.5, 0.7).cwiseProduct(w), tau = gyroscopic_torque(n, s.u.data());
  BOOST_TEST((tau + w.cross(Theta_w)).norm() < roundoff);
  BOOST_TEST(std::abs(tau.dot(w)) < roundoff, "it does no work");
  for (int j = 0; j < 3; ++j) {  // quadratic: a central difference of any step is exact
    VecX plus = s.u, minus = s.u;
    plus[3 + j] += 1, minus[3 + j] -= 1;
    const Vec3 column = (gyroscopic_torque(n, plus.data()) - gyroscopic_torque(n, minus.data())) / 2;
    BOOST_TEST((gyroscopic_torque_omega(n, s.u.data()).col(j) - column).norm() < roundoff);
  }
}

BOOST_AUTO_TEST_CASE(store_keeps_blocks_without_gaps) {
  NodeStore store;
  for (const NodeKind kind : {point_2d, rigid_body, planar_body}) {
    NodeData data = body(kind);
    data.id = 10 + store.size();
    const State s = random_state(refs({kind}), 1);
    const bool ghost = kind == planar_body;
    store.add(data, {s.q.data(), std::size_t(s.q.size())}, {s.u.data(), std::size_t(s.u.size())}, ghost);
  }
  BOOST_TEST(store.size() == 3);
  BOOST_TEST(store.owned() == 2);
  BOOST_TEST(store.nq_owned() == 9);
  BOOST_TEST(store.nu_owned() == 8);
  BOOST_TEST(store.q(1).size() == 7u);
  BOOST_TEST(store.u(2).data() == store.u().data() + 8);
  BOOST_TEST(store.ref(1).nq() == 7);
  const NodeData late = body(point_2d);
  const std::vector<double> two(2);
  BOOST_CHECK_THROW(store.add(late, two, two, false), std::exception);  // owned after ghosts
  store.drop_ghosts();
  BOOST_CHECK_THROW(store.add(late, std::vector<double>(3), two, false), std::exception);  // wrong block
  store.add(late, two, two, false);
  BOOST_TEST(store.owned() == 3);
  BOOST_TEST(store.q(2).data() == store.q().data() + 9);
}

BOOST_AUTO_TEST_SUITE_END()

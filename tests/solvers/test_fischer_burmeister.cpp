// The Fischer-Burmeister function of the friction cone: zero exactly at solutions of one contact, derivatives by
// differences; the solver on redundant contacts.
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "solvers/dense_problems.hpp"
#include "solvers/fischer_burmeister.hpp"
#include "solvers/one_contact.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

struct Contact {
  RowBlock block{};
  RowLaw law{coulomb_disc(0.4), 1, 1.};
  double s[3] = {1.3, 0.8, 0.8};
  Contact() { block.rows = 3, block.laws = 1, block.has_normal = true, block.G = Mat3::Identity(); }
  BlockMap map(const Vec3& psi, const Vec3& P) const { return fischer_burmeister_map(block, &law, s, psi, P.data()); }
};

std::mt19937 generator(3);
Vec3 random_vector() {
  std::normal_distribution<double> normal;
  return {normal(generator), normal(generator), normal(generator)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fischer_burmeister_on_the_cone)

BOOST_AUTO_TEST_CASE(zero_exactly_at_solutions) {
  const Contact contact;
  for (int trial = 0; trial < 500; ++trial) {
    Mat3 W;
    W << random_vector(), random_vector(), random_vector();
    const Mat3 A = W.transpose() * W + 0.1 * Mat3::Identity();
    const Vec3 q = random_vector();
    Vec3 P;
    double lambda = 0;
    OneContact(A.data()).solve(contact.law.set.mu[0], q.data(), lambda, P.data());
    const Vec3 psi = A * P + q;
    // A root of what may be zero: rounding 1e-16 of the squares is 1e-8 of phi; times |q| and |P| up to 10.
    BOOST_TEST(contact.map(psi, P).F.norm() < 1e-7);
    const Vec3 away = 0.1 * random_vector().normalized();
    BOOST_TEST(contact.map(A * (P + away) + q, P + away).F.norm() > 1e-4);
  }
}

BOOST_AUTO_TEST_CASE(derivatives_agree_with_differences) {
  const Contact contact;
  const double h = 1e-6;
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3 psi = random_vector(), P = random_vector();
    const BlockMap map = contact.map(psi, P);
    for (int r = 0; r < 3; ++r) {
      const Vec3 d = h * Vec3::Unit(r);
      const SmallVec by_psi = (contact.map(psi + d * contact.s[r], P).F - contact.map(psi - d * contact.s[r], P).F) / (2 * h);
      const SmallVec by_P = (contact.map(psi, P + d / contact.s[r]).F - contact.map(psi, P - d / contact.s[r]).F) / (2 * h);
      // Central differences: h^2 times third derivatives, which grow near |psi_F| = 0; rounding 1e-16 / h.
      BOOST_TEST((map.dF_dpsi.col(r) - by_psi).norm() < 1e-5);
      BOOST_TEST((map.dF_dP.col(r) - by_P).norm() < 1e-5);
    }
  }
}

BOOST_AUTO_TEST_CASE(redundant_contacts_are_solved) {
  // One body on four legs, normals only coupled through three velocities: redundant.
  DensePlan plan;
  MatX W = MatX::Zero(6, 12);
  const double x[4] = {1, -1, -1, 1}, y[4] = {1, 1, -1, -1};
  for (int k = 0; k < 4; ++k) {
    plan.blocks.push_back(contact(0.6));
    W(2, 3 * k) = 1, W(3, 3 * k) = y[k], W(4, 3 * k) = -x[k];
    W(0, 3 * k + 1) = 1, W(4, 3 * k + 1) = -1, W(5, 3 * k + 1) = -y[k];
    W(1, 3 * k + 2) = 1, W(3, 3 * k + 2) = 1, W(5, 3 * k + 2) = x[k];
  }
  plan.G = W.transpose() * W;
  plan.c = W.transpose() * (VecX(6) << 0.1, 0.05, -1, 0, 0, 0).finished();
  FischerBurmeisterOptions options;
  options.common.tolerance = 1e-10;
  const auto solvable = problem_of(plan, MPI_COMM_WORLD);
  BOOST_TEST(fischer_burmeister(*solvable, options).converged);
  BOOST_TEST(violation(plan, all_percussions(*solvable)) < 1e-8);  // residual times a condition of 10 to 100
}

BOOST_AUTO_TEST_SUITE_END()

// Natural map and active-set residual: zero exactly at solutions of the inclusion, derivatives
// against differences, and one contact solved by Newton and by fixed-point steps.
#include <boost/test/unit_test.hpp>

#include <Eigen/Dense>

#include "friction_samples.hpp"

using namespace percussion;
using namespace friction_samples;

namespace {

Vec3 natural(const FrictionSet& set, double rho, const Vec3& psi, double P_N, const Vec3& P) {
  Vec3 F = Vec3::Zero();
  natural_map_F(set, rho, psi.data(), P_N, P.data(), F.data());
  return F;
}

FrictionMap active(const FrictionSet& set, double rho, const Vec3& psi, double P_N, const Vec3& P) {
  return active_set_F(set, rho, psi.data(), P_N, P.data());
}

// -P in C that maximises psi . (-P): slip against psi.
Vec3 slip_percussion(const FrictionSet& set, double P_N, const Vec3& psi) {
  if (!is_box(set)) return -r_of(set, P_N, 0) * psi.normalized();
  Vec3 P = Vec3::Zero();
  for (int i = 0; i < set.dim(); ++i) P[i] = psi[i] > 0 ? -r_of(set, P_N, i) : r_of(set, P_N, i);
  return P;
}

constexpr double rhos[] = {0.01, 1.0, 37.0};

}  // namespace

BOOST_AUTO_TEST_SUITE(friction_maps)

BOOST_AUTO_TEST_CASE(normal_maps_vanish_at_complementary_pairs_only) {
  for (const double rho : rhos) {
    const auto zero = [&](double psi, double P) {
      const double F = natural_map_N(rho, psi, P);
      BOOST_TEST(std::abs(natural_map_linearised_N(rho, psi, P).F - F) < 1e-14);  // P - (P - rho psi) rounds
      BOOST_TEST((F == 0.0) == (active_set_N(rho, psi, P).F == 0.0));
      return F == 0.0;
    };
    BOOST_TEST(zero(0.0, 2.0));   // closed
    BOOST_TEST(zero(3.0, 0.0));   // open
    BOOST_TEST(zero(0.0, 0.0));   // grazing
    BOOST_TEST(!zero(1.0, 1.0));  // force at a distance
    BOOST_TEST(!zero(-1.0, 0.0)); // penetration
    BOOST_TEST(!zero(0.0, -1.0)); // adhesion
    BOOST_TEST(!zero(-1.0, 5.0)); // penetration with force
    BOOST_TEST(prox_step_N(rho, 3.0, 0.0) == 0.0);
    BOOST_TEST(prox_step_N(rho, -1.0, 0.5) == 0.5 + rho);
  }
}

BOOST_AUTO_TEST_CASE(normal_derivatives_match_differences) {
  const double h = 1e-6;
  for (const double rho : rhos)
    for (const double psi : {-0.7, 0.4})
      for (const double P : {-0.3, 0.0, 1.2}) {
        for (const auto map : {natural_map_linearised_N, active_set_N}) {
          const NormalMap m = map(rho, psi, P);  // piecewise linear: differences are exact to eps/h
          BOOST_TEST(std::abs(m.dF_dpsi_N - (map(rho, psi + h, P).F - map(rho, psi - h, P).F) / (2 * h)) < 1e-7);
          BOOST_TEST(std::abs(m.dF_dP_N - (map(rho, psi, P + h).F - map(rho, psi, P - h).F) / (2 * h)) < 1e-7);
          BOOST_TEST(m.closed == (rho * psi <= P));
        }
      }
}

BOOST_AUTO_TEST_CASE(residuals_vanish_for_stick_slip_and_open) {
  Sampler s(11);
  for (const FrictionSet& set : sets())
    for (const double rho : rhos)
      for (int k = 0; k < 10; ++k) {
        const double P_N = s.uniform(0.5, 2.0);
        const Vec3 zero = Vec3::Zero(), inside = -point_in(set, P_N, s), psi = s.vec(set.dim(), 2.0);
        const Vec3 slip = slip_percussion(set, P_N, psi);
        // Stick inside is exact; on the boundary and in slip r z/|z| is rounded (size r <= 2).
        BOOST_TEST(natural(set, rho, zero, P_N, inside).norm() == 0.0);
        BOOST_TEST(active(set, rho, zero, P_N, inside).F.norm() == 0.0);
        BOOST_TEST(natural(set, rho, zero, P_N, slip).norm() < 2e-15);
        BOOST_TEST(active(set, rho, zero, P_N, slip).F.norm() < 2e-15);
        BOOST_TEST(natural(set, rho, psi, P_N, slip).norm() < 2e-15);
        BOOST_TEST(active(set, rho, psi, P_N, slip).F.norm() < 2e-15);
        if (set.r0[0] > 0.0) continue;  // a constant reservoir does not know about opening
        BOOST_TEST(natural(set, rho, psi, 0.0, zero).norm() == 0.0);
        BOOST_TEST(active(set, rho, psi, 0.0, zero).F.norm() == 0.0);
        BOOST_TEST(natural(set, rho, zero, 0.0, zero).norm() == 0.0);
      }
  // Rectangle: one direction sticks while the other slips.
  const FrictionSet table = coulomb_rectangle(0.3, 0.9);
  const Vec3 psi(0.0, -2.0, 0.0), P(0.1, 0.9, 0.0);
  BOOST_TEST(natural(table, 1.0, psi, 1.0, P).norm() == 0.0);
  BOOST_TEST(active(table, 1.0, psi, 1.0, P).F.norm() == 0.0);
  BOOST_TEST(int(active(table, 1.0, psi, 1.0, P).stick) == 1);
}

BOOST_AUTO_TEST_CASE(residual_bounds_the_violation_of_the_inclusion) {
  // With x = -P in C the gap support(psi) - psi . x is >= 0 and zero only at solutions; the
  // variational inequality of the projection gives gap <= |F| (diameter/rho + |psi|). Outside C: |F| >= dist.
  Sampler s(12);
  int violated = 0;
  for (const FrictionSet& set : sets())
    for (const double rho : rhos)
      for (int k = 0; k < 50; ++k) {
        const double P_N = s.uniform(0.5, 2.0);
        const Vec3 psi = s.vec(set.dim(), 2.0), x = point_in(set, P_N, s);
        const double gap = support(set, P_N, psi) - psi.dot(x);
        const double F = natural(set, rho, psi, P_N, -x).norm();
        BOOST_TEST(F * (diameter(set, P_N) / rho + psi.norm()) >= gap - 1e-14);
        violated += gap > 1e-3;
        if (gap > 1e-3) BOOST_TEST(active(set, rho, psi, P_N, -x).F.norm() > 1e-6);
        const Vec3 z = s.vec(set.dim(), 4.0);
        Vec3 p = z;
        prox(set, P_N, p.data());
        BOOST_TEST(natural(set, rho, psi, P_N, -z).norm() >= (z - p).norm() - 1e-14);
      }
  BOOST_TEST(violated > 1000);
}

BOOST_AUTO_TEST_CASE(active_set_rows_are_natural_rows_with_stick_divided_by_rho) {
  Sampler s(13);
  for (const FrictionSet& set : sets())
    for (const double rho : rhos)
      for (int k = 0; k < 30; ++k) {
        const double P_N = s.uniform(-0.5, 2.0);
        const Vec3 psi = s.vec(set.dim(), 1.0), P = s.vec(set.dim(), 1.0), F = natural(set, rho, psi, P_N, P);
        const FrictionMap m = active(set, rho, psi, P_N, P);
        const FrictionMap n = natural_map_linearised_F(set, rho, psi.data(), P_N, P.data());
        BOOST_TEST((n.F - F).norm() < 1e-14 * (1 + rho));
        BOOST_TEST(n.stick == m.stick);
        BOOST_TEST(int(m.stick) == int(stick_rows(set, rho, psi.data(), P_N, P.data())));
        for (int i = 0; i < set.dim(); ++i) {
          const double factor = m.stick >> i & 1 ? rho : 1.0;
          BOOST_TEST(std::abs(m.F[i] * factor - F[i]) < 1e-14 * (1 + rho));
        }
        Vec3 step = P;
        prox_step_F(set, rho, psi.data(), P_N, step.data());
        BOOST_TEST((P - step - F).norm() < 1e-14 * (1 + rho));
      }
}

BOOST_AUTO_TEST_CASE(generalized_derivatives_match_differences_away_from_kinks) {
  Sampler s(14);
  const double h = 1e-6;  // error: h^2 * curvature (1/|a|^2 <= 1e4, rho^2) + eps/h
  int stick = 0, slip = 0;
  for (const FrictionSet& set : sets())
    for (const double rho : {0.3, 2.0})
      for (const double P_N : {1.3, 0.4, -0.5})
        for (int k = 0; k < 20; ++k) {
          const int n = set.dim();
          const Vec3 psi = s.vec(n, 1.0), P = s.vec(n, 1.0), a = rho * psi - P;
          double kink = a.norm();
          for (int i = 0; i < n; ++i)
            kink = std::min(kink, std::abs((is_box(set) ? std::abs(a[i]) : a.norm()) - r_of(set, P_N, i)));
          if (kink < 1e-2) continue;
          for (const auto map : {natural_map_linearised_F, active_set_F}) {
            const auto F = [&](const Vec3& y, double z, const Vec3& w) { return map(set, rho, y.data(), z, w.data()).F; };
            const FrictionMap m = map(set, rho, psi.data(), P_N, P.data());
            (m.stick ? stick : slip)++;
            for (int j = 0; j < n; ++j) {
              const Vec3 e = h * Vec3::Unit(j);
              BOOST_TEST((m.dF_dpsi_F.col(j) - (F(psi + e, P_N, P) - F(psi - e, P_N, P)) / (2 * h)).norm() < 1e-6);
              BOOST_TEST((m.dF_dP_F.col(j) - (F(psi, P_N, P + e) - F(psi, P_N, P - e)) / (2 * h)).norm() < 1e-6);
            }
            BOOST_TEST((m.dF_dP_N - (F(psi, P_N + h, P) - F(psi, P_N - h, P)) / (2 * h)).norm() < 1e-6);
            for (int j = n; j < 3; ++j)
              BOOST_TEST(m.dF_dpsi_F.col(j).norm() + m.dF_dpsi_F.row(j).norm() + m.dF_dP_F.col(j).norm() +
                             m.dF_dP_F.row(j).norm() + std::abs(m.dF_dP_N[j]) == 0.0);
          }
        }
  BOOST_TEST(stick > 200);
  BOOST_TEST(slip > 200);
}

BOOST_AUTO_TEST_CASE(reservoir_of_a_closing_contact_grows) {
  // At P_N = 0 the right derivative is used; Newton would otherwise not see friction coming.
  const Vec3 psi(3.0, 4.0, 0.0), none = Vec3::Zero();
  const FrictionMap m = active(coulomb_disc(0.5), 1.0, psi, 0.0, none);
  BOOST_TEST((m.dF_dP_N - Vec3(0.3, 0.4, 0.0)).norm() < 1e-15);
  BOOST_TEST(m.F.norm() == 0.0);
}

BOOST_AUTO_TEST_CASE(constant_reservoir_scales_with_the_step) {
  const FrictionSet brake = scaled_reservoir(constant_reservoir(SetKind::interval, 40.0), 1e-3);
  double P = 0.0;
  const double psi = 2.0;
  prox_step_F(brake, 1.0, &psi, 0.0, &P);
  BOOST_TEST(P == -0.04, boost::test_tools::tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(one_contact_newton_and_fixed_point_agree) {
  // psi = G y + c with y = (P_N, P_F): semismooth Newton on (6.8) and the prox iteration (6.14)
  // must meet at the same, unique solution (mu and coupling small enough for contraction).
  Sampler s(15);
  int states[3] = {0, 0, 0};  // open, stick, slip
  for (const FrictionSet& set : sets())
    for (int k = 0; k < 30; ++k) {
      const int n = set.dim();
      MatX G = MatX::Identity(n + 1, n + 1), B = MatX::Zero(n + 1, n + 1);
      for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) B(i, j) = s.uniform(-0.15, 0.15);
      G += B * B.transpose() + 0.3 * (B + B.transpose());
      VecX c(n + 1);
      for (int i = 0; i <= n; ++i) c[i] = s.uniform(-1.5, 1.0);
      const double rho = 0.7;

      VecX y = VecX::Zero(n + 1), w = VecX::Zero(n + 1);
      int iterations = 0;
      double residual = 1.0;
      for (; iterations < 40 && residual > 1e-14; ++iterations) {
        const VecX psi = G * y + c;
        const NormalMap N = active_set_N(rho, psi[0], y[0]);
        const FrictionMap F = active_set_F(set, rho, psi.data() + 1, y[0], y.data() + 1);
        VecX r(n + 1);
        MatX H(n + 1, n + 1);
        r[0] = N.F;
        r.tail(n) = F.F.head(n);
        H.row(0) = N.dF_dpsi_N * G.row(0);
        H(0, 0) += N.dF_dP_N;
        H.bottomRows(n) = F.dF_dpsi_F.topLeftCorner(n, n) * G.bottomRows(n);
        H.bottomRightCorner(n, n) += F.dF_dP_F.topLeftCorner(n, n);
        H.bottomLeftCorner(n, 1) += F.dF_dP_N.head(n);
        residual = r.norm();
        y -= H.partialPivLu().solve(r);
      }
      BOOST_TEST(residual <= 1e-14);
      BOOST_TEST(iterations < 20);  // quadratic once the state is right

      for (int i = 0; i < 400; ++i) {
        const VecX psi = G * w + c;
        w[0] = prox_step_N(rho, psi[0], w[0]);
        prox_step_F(set, rho, psi.data() + 1, w[0], w.data() + 1);
      }
      BOOST_TEST((y - w).norm() < 1e-12);
      const VecX psi = G * y + c;
      BOOST_TEST(std::abs(natural_map_N(1.0, psi[0], y[0])) < 1e-13);
      Vec3 F = Vec3::Zero();
      natural_map_F(set, 1.0, psi.data() + 1, y[0], y.data() + 1, F.data());
      BOOST_TEST(F.norm() < 1e-13);
      states[y[0] <= 0 ? 0 : psi.tail(n).norm() < 1e-10 ? 1 : 2]++;
    }
  for (const int count : states) BOOST_TEST(count > 10);  // all three states were met
}

BOOST_AUTO_TEST_SUITE_END()

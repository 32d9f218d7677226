// Projections on all reservoirs: against brute-force minimisation, and the properties every
// Euclidean projection has.
#include <boost/test/unit_test.hpp>

#include <limits>
#include <stdexcept>

#include "friction_samples.hpp"
#include "math/friction_scaling.hpp"

using namespace percussion;
using namespace friction_samples;

namespace {

Vec3 projected(const FrictionSet& set, double P_N, Vec3 z) {
  prox(set, P_N, z.data());
  return z;
}

// Least distance to z over the set by random search: points of the set, then steps of all sizes
// from 1 to 1e-5 times the bounding box around the best one. Uses membership only.
double brute_force_distance(const FrictionSet& set, double P_N, const Vec3& z, Sampler& s) {
  Vec3 best = Vec3::Zero();
  double distance = z.norm();
  const auto offer = [&](const Vec3& x) {
    if (!in_set(set, P_N, x) || (x - z).norm() >= distance) return;
    best = x;
    distance = (x - z).norm();
  };
  for (int k = 0; k < 200; ++k) offer(point_in(set, P_N, s));
  for (int k = 0; k < 8000; ++k) {
    Vec3 step = s.vec(set.dim(), 1.0);  // each component with a size of its own: corners, thin boxes
    for (int i = 0; i < set.dim(); ++i) step[i] *= std::pow(10.0, s.uniform(-5, 0)) * r_of(set, P_N, i);
    offer(best + step);
  }
  return distance;
}

constexpr double normal_percussions[] = {2.0, 0.7, 1e-9, 0.0, -1.0};

}  // namespace

BOOST_AUTO_TEST_SUITE(friction_prox)

BOOST_AUTO_TEST_CASE(no_point_of_the_set_is_closer) {
  Sampler s(1);
  for (const FrictionSet& set : sets())
    for (const double P_N : normal_percussions)
      for (int k = 0; k < 6; ++k) {
        const Vec3 z = s.vec(set.dim(), 3.0), x = projected(set, P_N, z);
        BOOST_TEST(in_set(set, P_N, x, 1e-15));  // one rounding of r z/|z|
        const double found = brute_force_distance(set, P_N, z, s);
        BOOST_TEST((x - z).norm() <= found + 1e-14);
        BOOST_TEST(found - (x - z).norm() < 1e-3);  // what the random search resolves
      }
}

BOOST_AUTO_TEST_CASE(the_step_to_the_projection_is_in_the_normal_cone) {
  Sampler s(2);
  for (const FrictionSet& set : sets())
    for (const double P_N : normal_percussions)
      for (int k = 0; k < 20; ++k) {
        const Vec3 z = s.vec(set.dim(), 3.0), x = projected(set, P_N, z);
        for (int j = 0; j < 20; ++j)  // Breuling (2.10)
          BOOST_TEST((z - x).dot(point_in(set, P_N, s) - x) <= 1e-14);
      }
}

BOOST_AUTO_TEST_CASE(idempotent_and_non_expansive) {
  Sampler s(3);
  for (const FrictionSet& set : sets())
    for (const double P_N : normal_percussions)
      for (int k = 0; k < 50; ++k) {
        const Vec3 z = s.vec(set.dim(), 3.0), w = s.vec(set.dim(), 3.0);
        const Vec3 x = projected(set, P_N, z), y = projected(set, P_N, w);
        BOOST_TEST((projected(set, P_N, x) - x).norm() <= 1e-15);
        BOOST_TEST((x - y).norm() <= (z - w).norm() + 1e-15);
        BOOST_TEST((x - y).squaredNorm() <= (x - y).dot(z - w) + 1e-14);  // firmly non-expansive
      }
}

BOOST_AUTO_TEST_CASE(interior_points_stay_and_empty_reservoirs_give_zero) {
  Sampler s(4);
  for (const FrictionSet& set : sets()) {
    for (int k = 0; k < 20; ++k) {
      const Vec3 x = point_in(set, 1.5, s);
      BOOST_TEST((projected(set, 1.5, x) - x).norm() == 0.0);
    }
    if (set.r0[0] == 0.0)
      for (const double P_N : {0.0, -1.0}) BOOST_TEST(projected(set, P_N, s.vec(set.dim(), 2.0)).norm() == 0.0);
  }
  const Vec3 nothing = projected(coulomb_disc(0.5), 0.0, Vec3::Zero());  // 0 / 0 must not appear
  BOOST_TEST(nothing.norm() == 0.0);
}

BOOST_AUTO_TEST_CASE(entries_beyond_the_dimension_are_not_touched) {
  for (const FrictionSet& set : sets()) {
    Vec3 z(5, 5, 5);
    prox(set, 1.0, z.data());
    for (int i = set.dim(); i < 3; ++i) BOOST_TEST(z[i] == 5.0);
  }
}

BOOST_AUTO_TEST_CASE(membership_agrees_with_the_definition) {
  Sampler s(5);
  for (const FrictionSet& set : sets())
    for (int k = 0; k < 200; ++k) {
      const Vec3 z = s.vec(set.dim(), 1.5);
      BOOST_TEST(contains(set, 1.0, z.data()) == in_set(set, 1.0, z));
      const double distance = (z - projected(set, 1.0, z)).norm();
      BOOST_TEST(contains(set, 1.0, z.data(), distance + 1e-12));
      if (distance > 1e-9) BOOST_TEST(!contains(set, 1.0, z.data(), 0.999 * distance));
    }
}

BOOST_AUTO_TEST_CASE(nan_is_not_hidden) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const FrictionSet& set : sets()) BOOST_TEST(std::isnan(projected(set, 1.0, Vec3(nan, 0, 0))[0]));
  BOOST_TEST(std::isnan(prox_step_N(1.0, nan, 0.0)));
}

BOOST_AUTO_TEST_CASE(constructors_refuse_impossible_coefficients) {
  BOOST_CHECK_THROW(coulomb_disc(-0.1), std::invalid_argument);
  BOOST_CHECK_THROW(coulomb_rectangle(0.1, std::nan("")), std::invalid_argument);
  BOOST_CHECK_THROW(constant_reservoir(SetKind::ball, INFINITY), std::invalid_argument);
  BOOST_CHECK_THROW(elliptic_disc(0.3, 0.0), std::invalid_argument);
  BOOST_CHECK_THROW(contensou_ball(0.3, 0.0), std::invalid_argument);
  BOOST_CHECK_THROW(set_kind_from_name("cone"), std::invalid_argument);
  for (const auto kind : {SetKind::interval, SetKind::disc, SetKind::ball, SetKind::rectangle})
    BOOST_TEST((set_kind_from_name(set_kind_name(kind)) == kind));
}

BOOST_AUTO_TEST_CASE(scaled_disc_is_the_ellipse) {
  // Slip along any direction: P_T lies on the ellipse, dissipates, and maximises -gamma_T . P_T over it
  // (Breuling 3.27-3.32). The maximiser is known: -P_T = mu P_N A^2 gamma_T / |A gamma_T|.
  const double mu_1 = 0.2, mu_2 = 0.5, P_N = 1.7;
  const EllipticFriction law = elliptic_disc(mu_1, mu_2);
  for (double phi = 0.0; phi < 6.3; phi += 0.37) {
    const Vec2 gamma_T(std::cos(phi), std::sin(phi));
    MatX gamma_F = gamma_T;
    scale_directions(law.scaling, gamma_F);
    double P[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i) prox_step_F(law.set, 1e3, gamma_F.data(), P_N, P);  // far out: slip
    Vec3 back(P[0], P[1], 0.0);
    const double power_F = gamma_F.col(0).dot(Vec2(P[0], P[1]));
    true_friction(law.scaling, 2, P);
    const double r1 = mu_1 * P_N, r2 = mu_2 * P_N;
    const double r = std::hypot(r1 * gamma_T[0], r2 * gamma_T[1]);
    BOOST_TEST(std::abs(P[0] + r1 * r1 * gamma_T[0] / r) < 1e-12);
    BOOST_TEST(std::abs(P[1] + r2 * r2 * gamma_T[1] / r) < 1e-12);
    BOOST_TEST(std::abs(gamma_T.dot(Vec2(P[0], P[1])) - power_F) < 1e-14);  // same power in both pictures
    scaled_friction(law.scaling, 2, P);
    BOOST_TEST((Vec3(P[0], P[1], 0.0) - back).norm() < 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(contensou_pure_pivoting_gives_the_drilling_moment) {
  // Only pivoting: |moment| = mu P_N a_3, a_3 = 3/16 pi R.
  const double mu = 0.3, R = 0.02, P_N = 4.0;
  const EllipticFriction law = contensou_ball(mu, R);
  MatX gamma = Vec3(0, 0, -2.0);
  scale_directions(law.scaling, gamma);
  double P[3] = {0, 0, 0};
  prox_step_F(law.set, 1e6, gamma.data(), P_N, P);
  true_friction(law.scaling, 3, P);
  BOOST_TEST(P[2] == mu * P_N * 3.0 / 16.0 * std::acos(-1.0) * R, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(P[0] == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()

// Bar elements: consistent mass matrix, forces, and the first frequency of a fixed-free bar of several elements.
#include <boost/test/unit_test.hpp>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "samples.hpp"

using namespace model_test;
using enum NodeKind;

namespace {

constexpr double roundoff = 1e-14;  // a few dozen operations on numbers of size one
constexpr double E = 3, A = 0.5, rho = 2, l = 0.7, delta = 0.2;
const Vec3 e = Vec3(0.2, -0.5, 0.7).normalized();

std::unique_ptr<Contribution> bar(const Kinds& kinds, Givens more = {}, int dofs = 0) {
  Givens given{{"E", E}, {"A", A}, {"density", rho}, {"length", l}};
  given.insert(given.end(), more.begin(), more.end());
  return make("bar", kinds, given, dofs);
}

std::unique_ptr<Contribution> tilted(Givens more = {}) {
  more.emplace_back("axis", Reals{e[0], e[1], e[2]});
  return bar({point_3d, point_3d}, more);
}

/// Reference state moved by c, all nodes with velocity v.
State moved(const Vec3& c, const Vec3& v) {
  State s;
  s.q.resize(6), s.u.resize(6);
  s.q << c, c + l * e;
  s.u << v, v;
  return s;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bars)

BOOST_AUTO_TEST_CASE(the_mass_matrix_couples_the_ends) {  // Schindler (138)
  const MatX one = M(*bar({generalized, generalized}, {}, 1)->inertia(), state({0, l}, {0, 0}));
  Mat2 consistent;
  consistent << 2, 1, 1, 2;
  BOOST_TEST((one - rho * A * l / 6 * consistent).norm() < roundoff);
  // In space every direction has the same matrix: M = M_1 (x) 1.
  const MatX three = M(*tilted()->inertia(), moved(Vec3::Zero(), Vec3::Zero()));
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) BOOST_TEST(std::abs(three(i, j) - (i % 3 == j % 3 ? one(i / 3, j / 3) : 0.)) < roundoff);
}

BOOST_AUTO_TEST_CASE(a_translation_has_no_force_and_the_energy_of_a_body) {
  const auto c = tilted({{"damping", delta}});
  const Vec3 v(0.3, -1.1, 0.8);
  const State s = moved({0.4, -2, 1.5}, v);
  check_close(h(*c->force(), s), VecX::Zero(6), roundoff, "h");
  BOOST_TEST(c->force()->potential(s) < roundoff);
  BOOST_TEST(std::abs(0.5 * s.u.dot(M(*c->inertia(), s) * s.u) - 0.5 * rho * A * l * v.squaredNorm()) < roundoff);
}

BOOST_AUTO_TEST_CASE(strain_damping_and_weight) {
  const Vec3 gravity(0.1, 0.2, -9.81);
  const auto c = tilted({{"damping", delta}, {"gravity", Reals{gravity[0], gravity[1], gravity[2]}}});
  State s = moved({0.4, -2, 1.5}, Vec3::Zero());
  const double elongation = 0.03, rate = -0.4;
  const Vec3 across = e.cross(Vec3::UnitX());  // small strains: motion across the axis has no force
  s.q.tail(3) += elongation * e + 0.01 * across, s.u.tail(3) = rate * e + across;
  const double N = E * A / l * (elongation + delta * rate);
  const Vec3 weight = 0.5 * rho * A * l * gravity;
  VecX expected(6);
  expected << N * e + weight, -N * e + weight;
  check_close(h(*c->force(), s), expected, 10 * roundoff, "h");
  const double V = 0.5 * E * A / l * elongation * elongation - weight.dot(s.q.head(3) + s.q.tail(3));
  BOOST_TEST(std::abs(c->force()->potential(s) - V) < 10 * roundoff);
}

// Linear elements with consistent mass on a regular mesh have the frequencies omega^2 = 6 c^2 / l^2 (1 - cos k l) / (2 + cos k l),
// k = pi / 2 L for the first one of a fixed-free bar: above the true k c by the part (k l)^2 / 24.
BOOST_AUTO_TEST_CASE(first_frequency_of_a_fixed_free_bar) {
  const auto c = bar({generalized, generalized}, {}, 1);
  const State s = state({0, l}, {0, 0});
  const MatX M_e = M(*c->inertia(), s), K_e = -matrix(2, 2, [&](MatRef a) { c->force()->h_q(s, a); });
  for (const int N : {4, 16, 64}) {
    MatX mass = MatX::Zero(N + 1, N + 1), K = mass;
    for (int k = 0; k < N; ++k) mass.block<2, 2>(k, k) += M_e, K.block<2, 2>(k, k) += K_e;
    BOOST_TEST((K * VecX::Ones(N + 1)).norm() < roundoff);
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> eigen(K.bottomRightCorner(N, N), mass.bottomRightCorner(N, N));
    const double omega = std::sqrt(eigen.eigenvalues()[0]), speed = std::sqrt(E / rho), kl = std::numbers::pi / 2 / N;
    const double discrete = speed / l * std::sqrt(6 * (1 - std::cos(kl)) / (2 + std::cos(kl)));
    BOOST_TEST(std::abs(omega / discrete - 1) < 1e-11);  // roundoff times the largest eigenvalue over the smallest, N^2
    // (k l)^4 / 1920 is the next term of the series; twice that for the rest.
    BOOST_TEST(std::abs(omega / (speed * kl / l) - 1 - kl * kl / 24) < std::pow(kl, 4) / 960 + 1e-11);
  }
}

BOOST_AUTO_TEST_CASE(mistakes) {
  const auto text = [&](const Kinds& kinds, const Givens& more, int dofs = 0) { return message([&] { bar(kinds, more, dofs); }); };
  check_contains(text({point_2d, point_3d}, {}), "the two ends do not fit each other");
  check_contains(text({generalized, generalized}, {}, 2), "the two ends do not fit each other");
  check_contains(text({planar_body, planar_body}, {}), "cannot be attached to a node of type planar_body");
  check_contains(text({point_2d, point_2d}, {{"axis", Reals{1, 0, 1}}}), "its nodes do not move in this direction");
  check_contains(text({point_2d, point_2d}, {{"gravity", Reals{0, 0, 1}}}), "its nodes do not move in this direction");
  check_contains(text({point_2d, point_2d}, {{"axis", Reals{0, 0}}}), "a direction needs a length");
}

BOOST_AUTO_TEST_SUITE_END()

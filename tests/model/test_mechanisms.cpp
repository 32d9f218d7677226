// Mechanisms in generalized coordinates: matrices of the papers, textbook pendulums, conservation of energy.
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "samples.hpp"

using namespace model_test;
using enum NodeKind;

namespace {

constexpr double roundoff = 1e-14;  // a few dozen operations on numbers of size one

}  // namespace

BOOST_AUTO_TEST_SUITE(mechanisms)

BOOST_AUTO_TEST_CASE(slider_crank_mass_matrix_and_forces) {  // Schindler (23), (24), Table 1
  const double l1 = 0.153, l2 = 0.306, m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6, gravity = 9.81;
  const auto c = make("slider_crank_minimal", {generalized}, {}, 3);
  const double a = 0.4, b = -1.1, w1 = 150, w2 = -75;
  const State s = state({a, b, 0.2}, {w1, w2, 3});
  const double coupling = l1 * l2 * (m2 / 2 + m3);
  Mat3 mass;
  mass << J1 + l1 * l1 * (m1 / 4 + m2 + m3), coupling * std::cos(a - b), 0,
      coupling * std::cos(a - b), J2 + l2 * l2 * (m2 / 4 + m3), 0,
      0, 0, J3;
  BOOST_TEST((M(*c->inertia(), s) - mass).norm() < roundoff);
  const Vec3 force(-coupling * std::sin(a - b) * w2 * w2 - gravity * l1 * std::cos(a) * (m1 / 2 + m2 + m3),
                   coupling * std::sin(a - b) * w1 * w1 - gravity * l2 * std::cos(b) * (m2 / 2 + m3), 0);
  check_close(h(*c->force(), s), force, 1e3 * roundoff, "h, terms up to 100");
}

BOOST_AUTO_TEST_CASE(slider_crank_corners) {  // Schindler (25)-(34)
  const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, c = 0.001, d = 2 * b + 2 * c;
  const double q1 = 0.4, q2 = -1.1, q3 = 0.2;
  const double S1 = std::sin(q1), S2 = std::sin(q2), S3 = std::sin(q3), C1 = std::cos(q1), C2 = std::cos(q2), C3 = std::cos(q3);
  const State s = state({q1, q2, q3}, {150, -75, 3});
  const double g_N[] = {d / 2 - l1 * S1 - l2 * S2 + a * S3 - b * C3, d / 2 - l1 * S1 - l2 * S2 - a * S3 - b * C3,
                        d / 2 + l1 * S1 + l2 * S2 - a * S3 - b * C3, d / 2 + l1 * S1 + l2 * S2 + a * S3 - b * C3};
  const Vec3 W_N[] = {{-l1 * C1, -l2 * C2, a * C3 + b * S3}, {-l1 * C1, -l2 * C2, -a * C3 + b * S3},
                      {l1 * C1, l2 * C2, -a * C3 + b * S3}, {l1 * C1, l2 * C2, a * C3 + b * S3}};
  const Vec3 W_T[] = {{-l1 * S1, -l2 * S2, a * S3 - b * C3}, {-l1 * S1, -l2 * S2, -a * S3 - b * C3},
                      {-l1 * S1, -l2 * S2, a * S3 + b * C3}, {-l1 * S1, -l2 * S2, -a * S3 + b * C3}};
  for (int k = 0; k < 4; ++k) {
    const auto corner = make("slider_crank_corner", {generalized}, {{"corner", k + 1}}, 3);
    const ContactRows& rows = *corner->contact();
    check_close(g(*rows.gap, s), VecX::Constant(1, g_N[k]), roundoff, "g_N");
    check_close(W(*rows.gap, s), W_N[k], roundoff, "W_N (33)");
    check_close(W(*rows.friction, s), W_T[k], roundoff, "W_T (34)");
    BOOST_TEST(chi(*rows.friction, s).norm() == 0.);
    BOOST_TEST(rows.e_N == 0.4);
    BOOST_TEST(rows.laws[0].set.mu[0] == 0.01);
  }
  const auto guide = make("slider_crank_guide", {generalized}, {}, 3);
  check_close(g(*guide->constraint(), s), Vec2(l1 * S1 + l2 * S2, q3), roundoff, "guide");
}

BOOST_AUTO_TEST_CASE(simple_and_double_pendulum) {
  const double l = 0.7, m = 2, gravity = 9.81, phi = 0.6;
  const auto one = make("pendulum_chain", {generalized}, {{"lengths", Reals{l}}, {"masses", Reals{m}}}, 1);
  const State s1 = state({phi}, {3});
  check_close(M(*one->inertia(), s1), VecX::Constant(1, m * l * l), roundoff, "m l^2");
  check_close(h(*one->force(), s1), VecX::Constant(1, -m * gravity * l * std::sin(phi)), 10 * roundoff, "-m g l sin phi");
  BOOST_TEST(std::abs(one->force()->potential(s1) + m * gravity * l * std::cos(phi)) < 10 * roundoff);

  const double l1 = 1, l2 = 0.7, m1 = 1, m2 = 2, a = 0.6, b = -0.3, u1 = 1.5, u2 = -2;
  const auto two = make("pendulum_chain", {generalized}, {{"lengths", Reals{l1, l2}}, {"masses", Reals{m1, m2}}}, 2);
  const State s2 = state({a, b}, {u1, u2});
  Mat2 mass;
  mass << (m1 + m2) * l1 * l1, m2 * l1 * l2 * std::cos(a - b), m2 * l1 * l2 * std::cos(a - b), m2 * l2 * l2;
  BOOST_TEST((M(*two->inertia(), s2) - mass).norm() < 10 * roundoff);
  check_close(h(*two->force(), s2),
              Vec2(-m2 * l1 * l2 * std::sin(a - b) * u2 * u2 - (m1 + m2) * gravity * l1 * std::sin(a),
                   m2 * l1 * l2 * std::sin(a - b) * u1 * u1 - m2 * gravity * l2 * std::sin(b)), 100 * roundoff, "h");
}

// d/dt (1/2 u^T M u + V) = u . h + 1/2 u . d(M u)/dq u + V_q . u = 0 without damping and loads.
BOOST_AUTO_TEST_CASE(mechanisms_conserve_energy) {
  for (const Sample& sample : samples()) {
    if (sample.type != "pendulum_chain" && sample.type != "slider_crank_minimal") continue;
    const auto c = make(sample.type, sample.kinds, sample.given, sample.dofs);
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const State s = random_state(c->nodes(), seed);
      const MatX Mu_q = matrix(c->nu(), c->nq(), [&](MatRef A) { c->inertia()->Mv_q(s, s.u, A); });
      const auto V = [&](double e) {
        const VecX q = s.q + e * s.u;
        return c->force()->potential({s.t, q.data(), s.u.data()});
      };
      const double e = 1e-3, V_dot = (8 * (V(e) - V(-e)) - (V(2 * e) - V(-2 * e))) / (12 * e);
      const double terms[] = {h(*c->force(), s).dot(s.u), 0.5 * s.u.dot(Mu_q * s.u), V_dot};
      // 1e-9: the difference in V_dot, times potentials up to 100.
      BOOST_TEST(std::abs(terms[0] + terms[1] + terms[2]) < 1e-9, sample.type);
      BOOST_TEST(std::abs(terms[1]) > 1e-3, sample.type << ": M depends on q");
    }
  }
}

BOOST_AUTO_TEST_CASE(woodpecker_toy) {  // data from Glocker: M, h, three contacts
  const double m_M = 3e-4, J_M = 5e-9, m_S = 4.5e-3, J_S = 7e-7, c = 5.6e-3, gravity = 9.81;
  const double r_0 = 2.5e-3, r_M = 3.1e-3, h_M = 5.8e-3, l_M = 1e-2, l_G = 1.5e-2, h_S = 2e-2, l_S = 2.01e-2;
  const Reals mass{m_S + m_M, m_S * l_M,            m_S * l_G,             //
                   m_S * l_M, J_M + m_S * l_M * l_M, m_S * l_M * l_G,       //
                   m_S * l_G, m_S * l_M * l_G,       J_S + m_S * l_G * l_G};
  const auto toy = make("linear_system", {generalized},
                        {{"M", mass}, {"K", Reals{0, 0, 0, 0, c, -c, 0, -c, c}},
                         {"f", Reals{-(m_S + m_M) * gravity, -m_S * l_M * gravity, -m_S * l_G * gravity}}}, 3);
  const State s = state({0, -0.1036, -0.2788}, {-0.3411, 0, -7.4583});
  const double twist = s.q[1] - s.q[2];
  check_close(h(*toy->force(), s),
              Vec3(-(m_S + m_M) * gravity, -c * twist - m_S * l_M * gravity, c * twist - m_S * l_G * gravity), roundoff, "h");
  BOOST_TEST((M(*toy->inertia(), s) - ConstMatMap(mass.data(), 3, 3)).norm() == 0.);
  const auto beak = make("contact_linear", {generalized},
                         {{"w_N", Reals{0, 0, -h_S}}, {"gap_0", l_M + l_G - l_S - r_0}, {"w_T", Reals{1, l_M, l_G - l_S}}, {"mu", 0.3}, {"e_N", 0.5}}, 3);
  check_close(g(*beak->contact()->gap, s), VecX::Constant(1, l_M + l_G - l_S - r_0 - h_S * s.q[2]), roundoff, "gap");
  check_close(gamma(*beak->contact()->friction, s), VecX::Constant(1, s.u[0] + l_M * s.u[1] + (l_G - l_S) * s.u[2]), roundoff, "slip");
  const auto sleeve = make("contact_linear", {generalized}, {{"w_N", Reals{0, h_M, 0}}, {"gap_0", r_M - r_0}}, 3);
  BOOST_TEST(std::abs(g(*sleeve->contact()->gap, s)[0] - (r_M - r_0 + h_M * s.q[1])) < roundoff);
  // The sleeve touches the pole at -(r_M - r_0)/h_M = -0.10345: the printed start is 0.88 micrometres inside.
  BOOST_TEST(std::abs(g(*sleeve->contact()->gap, s)[0] + 8.8e-7) < roundoff);
  BOOST_TEST(sleeve->contact()->friction == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

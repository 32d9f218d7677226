// Springs, dampers, loads and belt friction: closed forms, energy and power balances.
#include <boost/test/unit_test.hpp>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "math/rotation.hpp"
#include "samples.hpp"

using namespace model_test;
using enum NodeKind;

namespace {

constexpr double roundoff = 1e-14;  // a few dozen operations on numbers of size one

double V_dot(const Contribution& c, const State& s) {  // along q' = B u, five-point difference
  const VecX rate = q_dot_of(c.nodes(), s);
  const auto V = [&](double e) {
    const VecX q = s.q + e * rate;
    return c.force()->potential({s.t, q.data(), s.u.data()});
  };
  const double e = 1e-3;
  return (8 * (V(e) - V(-e)) - (V(2 * e) - V(-2 * e))) / (12 * e);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(forces)

BOOST_AUTO_TEST_CASE(stiff_elastic_pendulum) {  // Breuling (7.15)
  const double c = 1e8, L = 1;
  const auto spring = make("spring_damper", {point_2d}, {{"stiffness", c}, {"length", L}});
  const Vec2 q(0.3, -0.96);
  const Vec2 expected = -c * q / q.norm() * (q.norm() - L);
  check_close(h(*spring->force(), state({0.3, -0.96}, {1, 2})), expected, c * roundoff, "h");
}

BOOST_AUTO_TEST_CASE(spring_of_length_zero_acts_on_the_difference_vector) {  // Breuling (4.31)
  const auto spring = make("spring_damper", {point_2d}, {{"stiffness", 1.}, {"point_2", Reals{2, 2}}});
  check_close(h(*spring->force(), state({0.3, -0.9}, {0, 0})), Vec2(2 - 0.3, 2 + 0.9), roundoff, "c (2 L - x), c (2 L - y)");
  // Smooth where the ends coincide.
  const auto damped = make("spring_damper", {point_3d}, {{"stiffness", 3.}, {"damping", 0.5}});
  const State s = state({0, 0, 0}, {1, 2, 3});
  check_close(h(*damped->force(), s), Vec3(-0.5, -1, -1.5), roundoff, "damping");
  const MatX h_q = matrix(3, 3, [&](MatRef A) { damped->force()->h_q(s, A); });
  BOOST_TEST((h_q + 3 * Mat3::Identity()).norm() < roundoff);
}

BOOST_AUTO_TEST_CASE(torsion_between_planar_bodies) {
  const double c = 3, d = 0.7, rest = 0.2, phi = 0.9, phi_dot = 1.5;
  const auto spring = make("rotational_spring_damper", {planar_body, planar_body}, {{"stiffness", c}, {"damping", d}, {"angle", rest}});
  const double full = 4 * std::numbers::pi;  // turns count
  const State s = state({1, 2, full + phi, 3, 4, 0}, {0, 0, phi_dot, 0, 0, 0});
  const double torque = -c * (full + phi - rest) - d * phi_dot;
  VecX expected = VecX::Zero(6);
  expected[2] = torque, expected[5] = -torque;
  check_close(h(*spring->force(), s), expected, 100 * roundoff, "torque");
  BOOST_TEST(std::abs(spring->force()->potential(s) - 0.5 * c * std::pow(full + phi - rest, 2)) < 1000 * roundoff);
}

BOOST_AUTO_TEST_CASE(torsion_about_an_axis) {
  const double c = 3, d = 0.7, rest = 0.2, rate = 1.5;
  const Vec3 axis = Vec3(0.2, -0.5, 0.7).normalized();
  const auto spring = make("rotational_spring_damper", {rigid_body},
                           {{"stiffness", c}, {"damping", d}, {"angle", rest}, {"axis", Reals{0.2, -0.5, 0.7}}});
  // Within half a turn of the rest angle, also beyond pi.
  for (const double angle : {-2.8, -1., 0., 0.2, 2., 3.2}) {
    State s = state({1, 2, 3, 1, 0, 0, 0}, {0.4, 0.5, 0.6, 0, 0, 0});
    s.q.tail<4>() = quat_from_axis_angle<double>(axis, angle);
    s.u.tail<3>() = rate * axis;
    const double torque = -c * (angle - rest) - d * rate;
    VecX expected = VecX::Zero(6);
    expected.tail<3>() = torque * axis;
    check_close(h(*spring->force(), s), expected, 10 * roundoff, "torque");
    BOOST_TEST(std::abs(spring->force()->potential(s) - 0.5 * c * std::pow(angle - rest, 2)) < 10 * roundoff);
  }
}

BOOST_AUTO_TEST_CASE(springs_and_dampers_balance_power) {
  for (const Sample& sample : samples()) {
    if (sample.type != "spring_damper" && sample.type != "rotational_spring_damper") continue;
    Givens undamped = sample.given;
    std::erase_if(undamped, [](const Given& x) { return x.key == "damping"; });
    const auto spring = make(sample.type, sample.kinds, undamped), both = make(sample.type, sample.kinds, sample.given);
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const State s = random_state(spring->nodes(), seed);
      const double power = h(*spring->force(), s).dot(s.u);
      // 1e-8 as in test_derivatives.cpp: the difference in V_dot.
      BOOST_TEST(std::abs(power + V_dot(*spring, s)) < 1e-8 * (1 + std::abs(power)), sample.type);
      BOOST_TEST(h(*both->force(), s).dot(s.u) <= power + roundoff, sample.type << ": damping takes energy");
    }
  }
}

BOOST_AUTO_TEST_CASE(prescribed_loads) {
  const State s = random_state(refs({rigid_body}), 6);
  const Quat P = s.q.tail<4>();
  const Vec3 K_p(0.3, -0.2, 0.5), F(std::sin(2 * s.t), 0, 2);
  const Givens components{{"x", "sin(2*t)"}, {"z", "2"}};
  Givens at_point = components, follower = components, body_torque = components;
  at_point.emplace_back("point", Reals{0.3, -0.2, 0.5});
  follower = at_point;
  follower.emplace_back("frame", "body");
  body_torque.emplace_back("frame", "body");
  VecX expected(6);
  expected << F, K_p.cross(rotate_back<double>(P, F));
  check_close(h(*make("force", {rigid_body}, at_point)->force(), s), expected, 10 * roundoff, "inertial force");
  expected << rotate<double>(P, F), K_p.cross(F);
  check_close(h(*make("force", {rigid_body}, follower)->force(), s), expected, 10 * roundoff, "follower force");
  expected << Vec3::Zero(), rotate_back<double>(P, F);
  check_close(h(*make("torque", {rigid_body}, components)->force(), s), expected, 10 * roundoff, "inertial torque");
  expected << Vec3::Zero(), F;
  check_close(h(*make("torque", {rigid_body}, body_torque)->force(), s), expected, 10 * roundoff, "body-fixed torque");
  const auto planar = make("force", {planar_body}, {{"point", Reals{2, 0}}, {"y", "3"}});
  check_close(h(*planar->force(), state({0, 0, 0.5}, {0, 0, 0})), Vec3(0, 3, 6 * std::cos(0.5)), roundoff, "lever");
}

BOOST_AUTO_TEST_CASE(block_on_a_belt) {  // Breuling (7.14)
  const double mu_s = 0.5, mu_d = 0.3, la_N = 10, eps = 3, u_b = 0.2, u = 0.9, pi = std::numbers::pi;
  const Givens given{{"belt_velocity", "0.2"}, {"normal_force", la_N}, {"mu_s", mu_s}, {"mu_d", mu_d}, {"epsilon", eps}};
  Givens printed = given;
  printed.emplace_back("stribeck_factor", "half_pi");
  const auto belt = make("belt_friction", {point_2d}, given), as_printed = make("belt_friction", {point_2d}, printed);
  const State s = state({0.2, 0}, {u, 0.4}), fast = state({0.2, 0}, {1e9, 0});
  check_close(gamma(*belt->contact()->friction, s), VecX::Constant(1, u - u_b), roundoff, "gamma_T");
  check_close(h(*as_printed->force(), s), Vec2((mu_s - mu_d) * la_N * pi / 2 * std::atan(eps * (u - u_b)), 0), roundoff, "la_T1");
  BOOST_TEST(belt->contact()->la_N == la_N);
  BOOST_TEST(belt->contact()->gap == nullptr);
  BOOST_TEST(belt->contact()->laws[0].set.radius(la_N) == mu_s * la_N);
  // Sliding fast, total friction -mu_s la_N + la_T1 tends to -mu_d la_N; 1e-8: atan(3e9) misses pi/2 by 3e-10.
  BOOST_TEST(std::abs(-mu_s * la_N + h(*belt->force(), fast)[0] + mu_d * la_N) < 1e-8);
  // Friction never drives the block: |la_T1| <= mu_s la_N, for both factors.
  BOOST_TEST(std::abs(h(*as_printed->force(), fast)[0]) < mu_s * la_N);
}

BOOST_AUTO_TEST_SUITE_END()

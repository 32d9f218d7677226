// Joints and prescribed motion: compatible positions and velocities satisfy them, closed forms, action and reaction.
#include <boost/test/unit_test.hpp>

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <cmath>

#include "math/rotation.hpp"
#include "samples.hpp"

using namespace model_test;
using enum NodeKind;

namespace {

constexpr double roundoff = 1e-14;  // a few dozen operations on numbers of size one

// Two rigid bodies whose joint frames share a point, turned by `angle` and moved by `shift` against each other along
// the joint axis (first against second), with matching velocities.
struct JointedPair {
  Vec3 K_p1{0.3, -0.2, 0.5}, K_p2{-0.4, 0.6, 0.1}, axis = Vec3(0.2, -0.5, 0.7).normalized();
  Quat F_1 = Quat(0.6, -0.2, 0.7, 0.3).normalized(), F_2 = Quat(0.9, 0.1, -0.4, 0.2).normalized();
  State s;

  JointedPair(std::uint64_t seed, double angle, double rate, double shift, double shift_rate) {
    const State random = random_state(refs({rigid_body}), seed);
    const Vec3 r_2 = random.q.head<3>(), v_2 = random.u.head<3>();
    const Quat P_2 = random.q.tail<4>();
    const Quat J_1 = quat_product<double>(quat_product<double>(P_2, F_2), quat_from_axis_angle<double>(axis, angle));
    const Quat P_1 = quat_product<double>(J_1, quat_conjugate<double>(F_1));
    const Vec3 omega_2 = rotate<double>(P_2, random.u.tail<3>()), e = rotate<double>(J_1, axis);
    const Vec3 omega_1 = omega_2 + rate * e;
    const Vec3 a_1 = rotate<double>(P_1, K_p1), a_2 = rotate<double>(P_2, K_p2), joint = r_2 + a_2 + shift * e;
    const Vec3 v_joint = v_2 + omega_2.cross(joint - r_2) + shift_rate * e;
    s.t = 0.4;
    s.q.resize(14), s.u.resize(12);
    s.q << joint - a_1, P_1, r_2, P_2;
    s.u << v_joint - omega_1.cross(a_1), rotate_back<double>(P_1, omega_1), v_2, rotate_back<double>(P_2, omega_2);
  }

  Givens frames() const {
    return {{"axis", Reals{axis[0], axis[1], axis[2]}},
            {"frame_1", Reals{F_1[0], F_1[1], F_1[2], F_1[3]}},
            {"frame_2", Reals{F_2[0], F_2[1], F_2[2], F_2[3]}}};
  }
  Givens points_and_frames() const {
    Givens all = frames();
    all.emplace_back("point_1", Reals{0.3, -0.2, 0.5});
    all.emplace_back("point_2", Reals{-0.4, 0.6, 0.1});
    return all;
  }
};

void check_satisfied(const Contribution& joint, const State& s, int rows) {
  const PositionFunction& f = *joint.constraint();
  BOOST_TEST(f.rows() == rows);
  BOOST_TEST(g(f, s).norm() < 10 * roundoff);
  BOOST_TEST(g_dot(f, s).norm() < 10 * roundoff);
  // Not redundant: nothing else is left free and no row says the same twice.
  BOOST_TEST(W(f, s).colPivHouseholderQr().rank() == rows);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(joints)

BOOST_AUTO_TEST_CASE(hinges_of_the_slider_crank) {  // Breuling (7.19)
  const double l_1 = 0.153, l_2 = 0.306;
  const State s = random_state(refs({planar_body, planar_body}), 1);
  const double x1 = s.q[0], y1 = s.q[1], f1 = s.q[2], x2 = s.q[3], y2 = s.q[4], f2 = s.q[5];
  const auto ground = make("revolute_joint", {planar_body}, {{"point_1", Reals{-l_1 / 2, 0}}});
  check_close(g(*ground->constraint(), {0, s.q.head(3), s.u.head(3)}), Vec2(x1 - l_1 / 2 * std::cos(f1), y1 - l_1 / 2 * std::sin(f1)), roundoff, "g_1");
  for (const char* type : {"revolute_joint", "spherical_joint"}) {
    const auto pair = make(type, {planar_body, planar_body}, {{"point_1", Reals{l_1 / 2, 0}}, {"point_2", Reals{-l_2 / 2, 0}}});
    check_close(g(*pair->constraint(), s),
                Vec2(x1 + l_1 / 2 * std::cos(f1) - x2 + l_2 / 2 * std::cos(f2), y1 + l_1 / 2 * std::sin(f1) - y2 + l_2 / 2 * std::sin(f2)), roundoff, "g_2");
  }
}

BOOST_AUTO_TEST_CASE(spatial_joints_allow_their_motion_and_no_other) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const double angle = 0.5 + double(seed);
    const JointedPair turning(seed, angle, 1.3, 0, 0), sliding(seed, 0, 0, 0.8, -0.6);
    check_satisfied(*make("revolute_joint", {rigid_body, rigid_body}, turning.points_and_frames()), turning.s, 5);
    check_satisfied(*make("prismatic_joint", {rigid_body, rigid_body}, sliding.points_and_frames()), sliding.s, 5);
    check_satisfied(*make("spherical_joint", {rigid_body, rigid_body}, {{"point_1", Reals{0.3, -0.2, 0.5}}, {"point_2", Reals{-0.4, 0.6, 0.1}}}), turning.s, 3);
    // The other joint's motion, started in the zero position, violates them by its own speed.
    const JointedPair turn(seed, 0, 1.3, 0, 0), slide(seed, 0, 0, 0, -0.6);
    const auto violation = [&](const char* type, const JointedPair& pair) {
      return g_dot(*make(type, {rigid_body, rigid_body}, pair.points_and_frames())->constraint(), pair.s).norm();
    };
    BOOST_TEST(std::abs(violation("revolute_joint", slide) - 0.6) < 10 * roundoff);
    BOOST_TEST(std::abs(violation("prismatic_joint", turn) - 1.3) < 10 * roundoff);
  }
}

BOOST_AUTO_TEST_CASE(planar_slider_keeps_the_angle_of_its_frames) {
  const double a = 0.7;  // the first body is turned by a against the second
  const Reals frame{std::cos(a / 2), 0, 0, std::sin(a / 2)};
  const auto joint = make("prismatic_joint", {planar_body, planar_body}, {{"axis", Reals{1, 0}}, {"frame_2", frame}});
  const double phi_2 = 0.4, s = 1.5, s_dot = -0.3, omega = 0.8;
  const Vec2 e(std::cos(phi_2 + a), std::sin(phi_2 + a)), n(-e[1], e[0]);
  const Vec2 v = s_dot * e + s * omega * n;
  check_satisfied(*joint, state({s * e[0], s * e[1], phi_2 + a, 0, 0, phi_2}, {v[0], v[1], omega, 0, 0, omega}), 2);
  // A bead on a rotating rod: one row.
  const auto bead = make("prismatic_joint", {point_2d, planar_body}, {{"axis", Reals{1, 0}}, {"frame_2", frame}});
  check_satisfied(*bead, state({s * e[0], s * e[1], 0, 0, phi_2}, {v[0], v[1], 0, 0, omega}), 1);
}

BOOST_AUTO_TEST_CASE(rod_of_changing_length) {
  const auto rod = make("distance_joint", {point_2d}, {{"length", "1 + t^2; 2*t; 2"}});
  const State s = state({0.6, -0.8}, {0.3, 0.5}, 0.25);
  BOOST_TEST(std::abs(g(*rod->constraint(), s)[0] + 0.0625) < roundoff);
  check_close(W(*rod->constraint(), s), Vec2(0.6, -0.8), roundoff, "a positive multiplier pushes outwards");
  BOOST_TEST(std::abs(chi(*rod->constraint(), s)[0] + 0.5) < roundoff);
  // g'' at rest acceleration: |u|^2 - (e . u)^2 over the length, minus L''.
  BOOST_TEST(std::abs(zeta(*rod->constraint(), s)[0] - (0.34 - 0.0484 - 2)) < roundoff);
}

BOOST_AUTO_TEST_CASE(prescribed_angle_may_turn_for_ever) {
  const auto planar = make("prescribed_angle", {planar_body}, {{"angle", "3*t; 3; 0"}});
  BOOST_TEST(std::abs(g(*planar->constraint(), state({1, 2, 30.1}, {0, 0, 3}, 10.))[0] - 0.1) < 10 * roundoff);
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    for (const double t : {0.1, 1., 1.05, 4., 20.}) {  // 1.05: the angle passes pi
      JointedPair pair(seed, 3 * t, 3., 0, 0);
      pair.s.t = t;
      Givens given = pair.frames();
      given.emplace_back("angle", "3*t; 3; 0");
      check_satisfied(*make("prescribed_angle", {rigid_body, rigid_body}, given), pair.s, 1);
    }
}

BOOST_AUTO_TEST_CASE(prescribed_points_and_velocities) {
  const auto led = make("prescribed_point", {planar_body}, {{"point", Reals{0.5, 0}}, {"y", "sin(t); cos(t); -sin(t)"}});
  const State s = state({1, 2, 0.3}, {0.1, 0.2, 0.7}, 0.6);
  check_close(g(*led->constraint(), s), VecX::Constant(1, 2 + 0.5 * std::sin(0.3) - std::sin(0.6)), roundoff, "y");
  const auto body_fixed = make("prescribed_velocity", {planar_body}, {{"point", Reals{0.5, 0}}, {"component", "y"}, {"frame", "body"}, {"velocity", "2"}});
  const double expected = -std::sin(0.3) * 0.1 + std::cos(0.3) * 0.2 + 0.5 * 0.7 - 2;
  check_close(gamma(*body_fixed->velocity_constraint(), s), VecX::Constant(1, expected), roundoff, "a skate");
  const State ball = random_state(refs({rigid_body}), 2);
  const auto spin = make("prescribed_velocity", {rigid_body}, {{"component", "omega_y"}, {"frame", "body"}, {"velocity", "2"}});
  check_close(gamma(*spin->velocity_constraint(), ball), VecX::Constant(1, ball.u[4] - 2), roundoff, "omega_K");
}

BOOST_AUTO_TEST_CASE(rolling_without_slip) {
  // In the plane (7.7): u_x = -R u_phi; on an inclined plane in space: v_S = omega x R n.
  const auto planar = make("rolling", {planar_body}, {{"radius", 0.3}, {"normal", Reals{0, 1}}});
  BOOST_TEST(std::abs(gamma(*planar->velocity_constraint(), state({5, 0.3, 1}, {-0.6, 0, 2}))[0]) < roundoff);
  BOOST_TEST(std::abs(g(*planar->constraint(), state({5, 0.3, 1}, {-0.6, 0, 2}))[0]) < roundoff);
  const Vec3 n = Vec3(0.2, -0.5, 0.7).normalized();
  const auto ball = make("rolling", {rigid_body}, {{"radius", 0.3}, {"normal", Reals{0.2, -0.5, 0.7}}, {"plane_point", Reals{1, 2, 3}}});
  State s = random_state(ball->nodes(), 4);
  const Vec3 omega = rotate<double>(s.q.tail<4>(), s.u.tail<3>());
  s.q.head<3>() = Vec3(1, 2, 3) + 0.3 * n + 2 * n.cross(Vec3::UnitX());
  s.u.head<3>() = omega.cross(0.3 * n);
  BOOST_TEST(gamma(*ball->velocity_constraint(), s).norm() < roundoff);
  BOOST_TEST(std::abs(g(*ball->constraint(), s)[0]) < roundoff);
  BOOST_TEST(std::abs(g_dot(*ball->constraint(), s)[0]) < roundoff);
  BOOST_TEST(!make("rolling", {planar_body}, {{"radius", 0.3}, {"normal", Reals{0, 1}}, {"stay_on_plane", false}})->constraint());
}

// A common rigid motion of both nodes has no power: forces and torques cancel (action and reaction).
BOOST_AUTO_TEST_CASE(pairs_exert_no_net_force_and_no_net_torque) {
  int checked = 0;
  for (const Sample& sample : samples()) {
    if (sample.kinds.size() != 2 || sample.type == "bar") continue;  // bar: small strains and a weight, see test_bar.cpp
    const auto c = make(sample.type, sample.kinds, sample.given, sample.dofs);
    const bool planar = is_planar(sample.kinds[0]) || is_planar(sample.kinds[1]);
    // What acts on a difference vector (coinciding points, a damper without length) has no net torque only where the
    // points coincide; for joints that is the case above, where all satisfied joints take part in a common motion.
    const bool has_length = std::any_of(sample.given.begin(), sample.given.end(), [](const Given& x) { return x.key == "length"; });
    const bool on_difference = sample.type == "spherical_joint" || sample.type == "revolute_joint" || (sample.type == "spring_damper" && !has_length);
    const State s = random_state(c->nodes(), 11);
    const Vec3 v = planar ? Vec3(0.4, -0.7, 0) : Vec3(0.4, -0.7, 1.1), omega = on_difference ? Vec3(Vec3::Zero()) : planar ? Vec3(0, 0, 0.9) : Vec3(0.3, -0.8, 0.9);
    VecX u(c->nu());
    const double* q = s.q.data();
    double* out = u.data();
    for (const NodeRef& n : c->nodes()) {
      const Placement<double> p = placement(n.kind, q);
      const Vec3 v_S = v + omega.cross(p.r), K_omega = p.A.transpose() * omega;
      for (int i = 0; i < (is_planar(n.kind) ? 2 : 3); ++i) out[i] = v_S[i];
      if (n.kind == planar_body) out[2] = omega[2];
      if (n.kind == rigid_body) VecMap(out + 3, 3) = K_omega;
      q += n.nq(), out += n.nu();
    }
    const double tolerance = 100 * roundoff;  // forces up to ten here
    const auto powerless = [&](double power, const char* role) {
      BOOST_TEST(std::abs(power) < tolerance, sample.type << ": " << role);
      ++checked;
    };
    if (c->constraint()) powerless((W(*c->constraint(), s).transpose() * u).norm(), "constraint");
    if (c->contact()) powerless((W(*c->contact()->gap, s).transpose() * u).norm(), "gap");
    if (c->force()) powerless(h(*c->force(), s).dot(u), "force");
  }
  BOOST_TEST(checked >= 20);
}

BOOST_AUTO_TEST_SUITE_END()

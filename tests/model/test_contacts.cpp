// Gaps and friction velocities of declared contacts against the closed forms of the papers.
#include <boost/test/unit_test.hpp>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "math/rotation.hpp"
#include "model_fixture.hpp"

using namespace model_test;
using enum NodeKind;

namespace {

constexpr double roundoff = 1e-14;  // a few dozen operations on numbers of size one

const ParametersList coulomb(double mu = 0.2) { return friction({{{"mu", Reals{mu}}}}); }

double gap(const Contribution& c, const State& s) { return g(*c.contact()->gap, s)[0]; }
VecX slip(const Contribution& c, const State& s) { return gamma(*c.contact()->friction, s); }

struct Rigid {  // what the formulas of the papers need of a rigid body, in I
  Vec3 r, v, omega;
  Mat3 A;
  explicit Rigid(const State& s, int q0 = 0, int u0 = 0)
      : r(s.q.segment<3>(q0)), v(s.u.segment<3>(u0)), A(A_IK_of<double>(s.q.segment<4>(q0 + 3))) {
    omega = A * s.u.segment<3>(u0 + 3);
  }
  Vec3 velocity_at(const Vec3& I_r) const { return v + omega.cross(I_r - r); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(contacts)

BOOST_AUTO_TEST_CASE(ball_on_a_floor_slides_and_rolls) {  // Breuling (7.2), (7.3)
  const double R = 0.1;
  const auto laws = friction({{{"mu", Reals{0.1}}}, {{"set", "rolling"}, {"mu", Reals{0.005}}}});
  const auto c = make("contact_plane", {planar_body}, {{"radius", R}, {"normal", Reals{0, 1}}, {"friction", laws}, {"e_N", 0.5}});
  const State s = state({0.3, 1.2, 0.7}, {0.4, -0.5, 3.});
  BOOST_TEST(std::abs(gap(*c, s) - (1.2 - R)) < roundoff);
  check_close(slip(*c, s), Vec2(0.4 + R * 3., 3.), roundoff, "gamma_T, gamma_R");
  check_close(W(*c->contact()->gap, s), Vec3(0, 1, 0), roundoff, "W_N");
  // The columns act as in (7.5), where the printed first column has the sign of -gamma_T.
  const MatX W_F = W(*c->contact()->friction, s);
  check_close(W_F.col(0), Vec3(1, 0, R), roundoff, "W_T");
  check_close(W_F.col(1), Vec3(0, 0, 1), roundoff, "W_R");
  BOOST_TEST(c->contact()->e_N == 0.5);
  BOOST_TEST(c->contact()->laws[0].set.radius(10.) == 1.);
  BOOST_TEST(c->contact()->laws[1].set.radius(10.) == 0.05);
}

BOOST_AUTO_TEST_CASE(ball_in_a_hollow_sphere_or_cylinder) {  // Breuling (7.12), (7.13)
  const double R = 0.1, R_s = 1;
  const auto planar = make("contact_in_sphere", {planar_body}, {{"radius", R}, {"cavity_radius", R_s}, {"friction", coulomb()}});
  const State s = state({-0.8, 0.1, 0.3}, {0.4, -0.5, 3.});
  const double distance = std::hypot(0.8, 0.1);
  const Vec2 n = Vec2(0.8, -0.1) / distance, t(n[1], -n[0]);
  BOOST_TEST(std::abs(gap(*planar, s) - (R_s - R - distance)) < roundoff);
  check_close(slip(*planar, s), VecX::Constant(1, t.dot(Vec2(0.4, -0.5)) + R * 3.), roundoff, "gamma_T");
  check_close(W(*planar->contact()->gap, s), Vec3(n[0], n[1], 0), roundoff, "W_N points inwards");

  // A rigid ball in a cylinder about z moves and slides the same way; its first tangent is the axis.
  const auto cylinder =
      make("contact_in_cylinder", {rigid_body}, {{"radius", R}, {"cavity_radius", R_s}, {"axis", Reals{0, 0, 1}}, {"friction", coulomb()}});
  const State ball = state({-0.8, 0.1, 5., std::cos(0.15), 0, 0, std::sin(0.15)}, {0.4, -0.5, 0.7, 0, 0, 3.});
  BOOST_TEST(std::abs(gap(*cylinder, ball) - gap(*planar, s)) < roundoff);
  check_close(slip(*cylinder, ball), Vec2(0.7, slip(*planar, s)[0]), roundoff, "along the axis e_z, along n x e_z = (n_y, -n_x)");
  // At the top of a cylinder about x, n = -e_z: the frame along the axis has no singular point there.
  const auto lying =
      make("contact_in_cylinder", {point_3d}, {{"cavity_radius", R_s}, {"axis", Reals{1, 0, 0}}, {"friction", coulomb()}});
  const State top = state({0.2, 0, 1}, {0.1, 0.2, 0.3});
  check_close(slip(*lying, top), Vec2(0.1, -0.2), roundoff, "at the top, n = -e_z");
  const auto at_the_centre = state({0.2, 0, 0}, {0.1, 0.2, 0.3});
  BOOST_TEST(gap(*lying, at_the_centre) == R_s);
  BOOST_TEST(slip(*lying, at_the_centre).allFinite());
}

BOOST_AUTO_TEST_CASE(corners_of_the_slider) {  // Breuling (7.20), (7.21)
  const double a = 0.05, b = 0.025, d = 0.052, y = 4e-4, phi = 0.017, u_x = -3, u_phi = 20;
  const double s = std::sin(phi), c = std::cos(phi);
  const State slider = state({0.459, y, phi}, {u_x, 0.3, u_phi});
  const double g_N[] = {d / 2 - (y - a * s + b * c), d / 2 - (y + a * s + b * c), d / 2 + (y - a * s - b * c), d / 2 + (y + a * s - b * c)};
  const double g_T[] = {u_x + u_phi * (a * s - b * c), u_x - u_phi * (a * s + b * c), u_x + u_phi * (a * s + b * c), u_x - u_phi * (a * s - b * c)};
  for (int k = 0; k < 4; ++k) {
    const double wall = k < 2 ? 1 : -1, end = k % 2 ? 1 : -1;
    const auto corner = make("contact_plane", {planar_body},
                             {{"point", Reals{end * a, wall * b}}, {"normal", Reals{0, -wall}}, {"plane_point", Reals{0, wall * d / 2}},
                              {"friction", coulomb(0.01)}, {"tangent", Reals{1, 0}}});
    BOOST_TEST(std::abs(gap(*corner, slider) - g_N[k]) < roundoff, "corner " << k + 1);
    BOOST_TEST(std::abs(slip(*corner, slider)[0] - g_T[k]) < roundoff, "corner " << k + 1);
  }
}

BOOST_AUTO_TEST_CASE(point_on_an_exponential_slope) {  // Breuling (7.22)-(7.24)
  for (const char* text : {"exp(-x)", "exp(-x); -exp(-x); exp(-x)"}) {
    const auto c = make("contact_curve", {point_2d}, {{"curve", text}, {"friction", coulomb(0.3)}});
    const double x = 0.3, y = 1.1, f = std::exp(-x), length = std::hypot(1., f);
    const State s = state({x, y}, {0.4, -0.5});
    const Vec2 t(1 / length, -f / length), n(f / length, 1 / length);
    // 1e-12: the slope of an expression without derivatives is a difference, see math/expression.hpp.
    BOOST_TEST(std::abs(gap(*c, s) - n.dot(Vec2(x, y) - Vec2(x, f))) < 1e-12);
    BOOST_TEST(std::abs(slip(*c, s)[0] - t.dot(Vec2(0.4, -0.5))) < 1e-12);
    // On the curve W_N is the unit normal.
    check_close(W(*c->contact()->gap, state({x, f}, {0, 0})), n, 1e-12, "W_N");
  }
  const auto below = make("contact_curve", {point_2d}, {{"curve", "1 - 0*x"}, {"side", "below"}});
  BOOST_TEST(std::abs(gap(*below, state({0.3, 0.2}, {0, 0})) - 0.8) < roundoff);
}

BOOST_AUTO_TEST_CASE(painleve_rod) {  // Breuling (7.25)
  const double l = 1, phi = -31 * std::numbers::pi / 180;
  const auto c = make("contact_plane", {planar_body}, {{"point", Reals{l, 0}}, {"normal", Reals{0, 1}}, {"friction", coulomb(5. / 3)}});
  const State s = state({0.2, 0.6, phi}, {30, 0.3, -2});
  BOOST_TEST(std::abs(gap(*c, s) - (0.6 + l * std::sin(phi))) < roundoff);
  BOOST_TEST(std::abs(slip(*c, s)[0] - (30 + 2 * l * std::sin(phi))) < roundoff);
}

BOOST_AUTO_TEST_CASE(ball_in_a_corner) {  // Breuling (7.26), (7.27)
  const double R = 0.1, alpha = 0.6, beta = 0.9, x = -0.5, y = 1, u_x = 0.3, u_y = -0.4, u_phi = 2;
  const State s = state({x, y, 0.2}, {u_x, u_y, u_phi});
  const auto c1 = make("contact_plane", {planar_body}, {{"radius", R}, {"normal", Reals{-std::sin(alpha), std::cos(alpha)}}, {"friction", coulomb()}});
  const auto c2 = make("contact_plane", {planar_body}, {{"radius", R}, {"normal", Reals{std::sin(beta), std::cos(beta)}}, {"friction", coulomb()}});
  BOOST_TEST(std::abs(gap(*c1, s) - (-x * std::sin(alpha) + y * std::cos(alpha) - R)) < roundoff);
  BOOST_TEST(std::abs(gap(*c2, s) - (x * std::sin(beta) + y * std::cos(beta) - R)) < roundoff);
  BOOST_TEST(std::abs(slip(*c1, s)[0] - (u_x * std::cos(alpha) + u_y * std::sin(alpha) + R * u_phi)) < roundoff);
  BOOST_TEST(std::abs(slip(*c2, s)[0] - (u_x * std::cos(beta) - u_y * std::sin(beta) + R * u_phi)) < roundoff);
}

BOOST_AUTO_TEST_CASE(tippedisk_and_tippe_top) {  // Breuling (7.28)-(7.30), Capobianco (156), (157)
  const double r = 4.5e-2, e = 2.5e-3, R = 1e-3, a_3 = 3. / 16 * std::numbers::pi * R;
  const auto contensou = friction({{{"set", "contensou"}, {"mu", Reals{0.3}}, {"contact_radius", R}}});
  const auto disk = make("contact_disc", {rigid_body}, {{"centre", Reals{-e, 0, 0}}, {"radius", r}, {"normal", Reals{0, 0, 1}}, {"friction", contensou}});
  const auto top = make("contact_plane", {rigid_body}, {{"point", Reals{0, 0, 3e-3}}, {"radius", r}, {"normal", Reals{0, 0, 1}}, {"friction", contensou}});
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const State s = random_state(refs({rigid_body}), seed);
    const Rigid body(s);
    const Vec3 e_z = Vec3::UnitZ(), e_zG = body.A.col(2), e_xG = e_z.cross(e_zG).normalized(), e_yG = e_zG.cross(e_xG);
    const Vec3 r_SC = -e * body.A.col(0) - r * e_yG, v_C = body.v + body.omega.cross(r_SC);
    BOOST_TEST(std::abs(gap(*disk, s) - (body.r + r_SC).dot(e_z)) < roundoff);
    check_close(slip(*disk, s), Vec3(v_C[0], v_C[1], a_3 * body.omega[2]), roundoff, "tippedisk (7.30)");

    const Vec3 r_C = body.r + 3e-3 * body.A.col(2), v_P = body.velocity_at(r_C) - r * body.omega.cross(e_z);
    BOOST_TEST(std::abs(gap(*top, s) - (r_C[2] - r)) < roundoff);
    check_close(slip(*top, s), Vec3(v_P[0], v_P[1], a_3 * body.omega[2]), roundoff, "tippe top (157)");
  }
  BOOST_TEST(std::abs(disk->contact()->scale[2] - a_3) < 1e-18);
  BOOST_TEST((disk->contact()->laws[0].set.kind == SetKind::ball));
  // A disc lying flat touches everywhere: finite values, the gap of its centre.
  const State flat = state({0, 0, 0.3, 1, 0, 0, 0}, {1, 2, 3, 4, 5, 6});
  BOOST_TEST(gap(*disk, flat) == 0.3);
  BOOST_TEST(slip(*disk, flat).allFinite());
}

BOOST_AUTO_TEST_CASE(tetrahedron_with_anisotropic_friction) {  // Breuling (7.34)-(7.36), (3.31)-(3.33)
  const Reals mu{0.15, 0.3};
  const State s = random_state(refs({rigid_body}), 3);
  const Rigid body(s);
  const Vec3 K_p(0.3, -0.2, 0.4), r_P = body.r + body.A * K_p, v_P = body.velocity_at(r_P);
  const auto corner = [&](const char* set) {
    return make("contact_plane", {rigid_body},
                {{"point", Reals{0.3, -0.2, 0.4}}, {"normal", Reals{0, 0, 1}}, {"friction", friction({{{"set", set}, {"mu", mu}}})}});
  };
  const auto ellipse = corner("ellipse"), rectangle = corner("rectangle");
  BOOST_TEST(std::abs(gap(*ellipse, s) - r_P[2]) < roundoff);
  check_close(slip(*ellipse, s), Vec2(0.5 * v_P[0], v_P[1]), roundoff, "A^T gamma_T with a = (1/2, 1)");
  BOOST_TEST(ellipse->contact()->laws[0].set.radius(1.) == 0.3);
  BOOST_TEST(ellipse->contact()->scale[0] == 0.5);
  check_close(slip(*rectangle, s), Vec2(v_P[0], v_P[1]), roundoff, "gamma_T");
  BOOST_TEST(rectangle->contact()->laws[0].set.radius(1., 0) == 0.15);
  BOOST_TEST(rectangle->contact()->laws[0].set.radius(1., 1) == 0.3);
}

BOOST_AUTO_TEST_CASE(gap_rate_is_the_normal_velocity_of_the_material_points) {  // Breuling (3.9), (3.17)-(3.19)
  const Vec3 K_c(0.3, -0.2, 0.5), K_n = Vec3(0.2, -0.5, 0.7).normalized(), K_p(-0.4, 0.6, 0.1), tangent(0.3, 0.8, -0.1);
  const double R = 0.2;
  const auto laws = friction({{{"mu", Reals{0.3}}}, {{"set", "rolling"}, {"mu", Reals{0.1}}}, {{"set", "pivoting"}, {"mu", Reals{0.1}}}});
  const auto c = make("contact_plane", {rigid_body, rigid_body},
                      {{"point", Reals{0.3, -0.2, 0.5}}, {"radius", R}, {"normal", Reals{0.2, -0.5, 0.7}}, {"plane_point", Reals{-0.4, 0.6, 0.1}},
                       {"friction", laws}, {"tangent", Reals{0.3, 0.8, -0.1}}});
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const State s = random_state(c->nodes(), seed);
    const Rigid ball(s), table(s, 7, 6);
    const Vec3 n = table.A * K_n, r_Q = ball.r + ball.A * K_c - R * n;
    const double g_N = n.dot(r_Q - table.r - table.A * K_p);
    const Vec3 r_P = r_Q - g_N * n, v = ball.velocity_at(r_Q) - table.velocity_at(r_P), omega = ball.omega - table.omega;
    const Vec3 I_t = table.A * tangent, t_1 = (I_t - n.dot(I_t) * n).normalized(), t_2 = n.cross(t_1);
    const double tolerance = 10 * roundoff;  // entries up to five here
    BOOST_TEST(std::abs(gap(*c, s) - g_N) < tolerance);
    BOOST_TEST(std::abs(g_dot(*c->contact()->gap, s)[0] - n.dot(v)) < tolerance);
    VecX expected(5);
    expected << t_1.dot(v), t_2.dot(v), t_1.dot(omega), t_2.dot(omega), n.dot(omega);
    check_close(slip(*c, s), expected, tolerance, "sliding, rolling, pivoting");
  }
}

BOOST_AUTO_TEST_SUITE_END()

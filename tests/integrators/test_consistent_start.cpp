// Consistent accelerations and forces (Breuling 3.48-3.58) against closed forms: stick, slip, their onset, opening; joints;
// contacts whose normals turn.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <functional>

#include "assembly/node_forces.hpp"
#include "integrators/consistent_start.hpp"
#include "solvers/small_systems.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

constexpr double g = 10, h = 1e-3;
constexpr double tight = 1e-9;  // the solver's 1e-12 on forces of up to 100 N, over h, and differences where there is no closed form

struct Start {
  std::vector<std::vector<double>> acceleration;  ///< u' by node id
  std::vector<std::vector<double>> force;         ///< W la of all contributions and contacts, by node id
  SolveReport report;
};

/// Collective. `first`: the state is that of t = 0, so contacts are closed if their gap is.
Start consistent(const Plan& plan, MPI_Comm comm = MPI_COMM_WORLD) {
  const auto system = system_of(plan, comm, h);
  const auto solver = solver_of("hybrid", 1e-13, 10000);
  const StageScheme scheme = stage_scheme(tr_bdf2());
  StageRows rows;
  ConsistentStart start;
  std::vector<double> dU, force(system->nodes.u().size(), 0.);
  system->refresh(0, h, 0.1);
  rows.collect(*system, scheme, 0, h, 0.1);
  Start result;
  result.report = start.solve(*system, rows, 0, h, true, *solver, dU);
  for (const StageBlock& block : rows.blocks()) {
    const VecX W_la = block.W[0] * block.dPi_first / h;
    for_each_part(system->nodes, block.nodes, [&](int at, int column, int n) {
      for (int r = 0; r < n; ++r) force[at + r] += W_la[column + r];
    });
  }
  if (system->distribution.ranks() > 1) HaloChannel<double>(system->distribution.halo(), system->nodes.u_offset()).reduce_add(force);
  std::vector<double>& u = system->nodes.u();
  u.swap(dU);
  result.acceleration = gathered(*system, plan, true);
  u.swap(force);
  result.force = gathered(*system, plan, true);
  for (auto& node : result.acceleration)
    for (double& a : node) a /= h;
  return result;
}

/// A rod of half length 1 with its lower tip on a plane y = 0; velocities chosen through that tip.
struct Rod {
  double m = 2, Theta = 2. / 3, phi = -0.5, omega = 0, v_tip = 0, rate = 0, gap = 0, mu = 0.3;

  double S() const { return std::sin(phi); }
  double C() const { return std::cos(phi); }
  Plan plan() const {
    Plan p;
    p.gravity = {0, -g, 0};
    // r_C = (x + C, y + S), r_C' = (x' - omega S, y' + omega C)
    const auto id = p.add(NodeKind::planar_body, m, {0, gap - S(), phi}, {v_tip + omega * S(), rate - omega * C(), omega});
    p.nodes.back().data.inertia[2] = Theta;
    p.connect("contact_plane", {id}, {{"point", model_test::Reals{1, 0}}, {"normal", model_test::Reals{0, 1}}, {"friction", model_test::friction({{{"mu", model_test::Reals{mu}}}})}});
    return p;
  }
  /// Newton-Euler with tip forces la_T along e_x, la_N along e_y.
  Vec3 acceleration(double la_N, double la_T) const { return {la_T / m, la_N / m - g, (C() * la_N - S() * la_T) / Theta}; }
  Vec2 tip(const Vec3& a) const { return {a[0] - S() * a[2] - C() * omega * omega, a[1] + C() * a[2] - S() * omega * omega}; }
  /// la_N from g_N'' = 0 with la_T = k la_N.
  double sliding_force(double k) const { return (g + S() * omega * omega) / (1 / m + C() * (C() - k * S()) / Theta); }
  /// (la_T, la_N) from gamma' = g_N'' = 0.
  Vec2 sticking_forces() const {
    Mat2 A;
    A << 1 / m + S() * S() / Theta, -S() * C() / Theta, -S() * C() / Theta, 1 / m + C() * C() / Theta;
    return A.inverse() * Vec2(C() * omega * omega, g + S() * omega * omega);
  }
};

void check(const Rod& rod, double la_N, double la_T) {
  const Start start = consistent(rod.plan());
  BOOST_TEST(start.report.converged);
  const Vec3 expected = rod.acceleration(la_N, la_T);
  BOOST_TEST(std::abs(start.force[0][0] - la_T) < tight);
  BOOST_TEST(std::abs(start.force[0][1] - la_N) < tight);
  for (int k = 0; k < 3; ++k) BOOST_TEST(std::abs(start.acceleration[0][k] - expected[k]) < tight);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(consistent_start)

BOOST_AUTO_TEST_CASE(a_tip_that_slides_has_friction_against_its_velocity) {
  for (const double v : {3., -0.02})
    for (const double omega : {0., 1.5, -2.}) {
      Rod rod;
      rod.v_tip = v, rod.omega = omega;
      const double k = v > 0 ? -rod.mu : rod.mu, la_N = rod.sliding_force(k);
      BOOST_TEST(la_N > 0);
      check(rod, la_N, k * la_N);  // (3.51)
    }
}

BOOST_AUTO_TEST_CASE(a_tip_that_rests_sticks_within_the_cone) {
  for (const double omega : {0., 1., -2.}) {
    Rod rod;
    rod.mu = 2, rod.omega = omega;
    const Vec2 la = rod.sticking_forces();
    BOOST_TEST(std::abs(la[0]) < rod.mu * la[1]);  // the first case of (3.50)
    check(rod, la[1], la[0]);
    BOOST_TEST(rod.tip(rod.acceleration(la[1], la[0])).norm() < 1e-12);
  }
}

// (3.50) outside the cone: the tip starts to slide, friction against the acceleration it gets.
BOOST_AUTO_TEST_CASE(a_tip_that_rests_starts_to_slide) {
  Rod rod;
  rod.mu = 0.1;
  const Vec2 stick = rod.sticking_forces();
  BOOST_TEST(std::abs(stick[0]) > rod.mu * stick[1]);
  const double k = stick[0] > 0 ? rod.mu : -rod.mu, la_N = rod.sliding_force(k);
  const double gamma_dot = rod.tip(rod.acceleration(la_N, k * la_N))[0];
  BOOST_TEST(gamma_dot * k < 0);
  check(rod, la_N, k * la_N);
}

// Signorini on acceleration level (3.49): the turning of the rod lifts the tip, so the force is zero and g_N'' > 0. Open on
// velocity level or on position level: no force either.
BOOST_AUTO_TEST_CASE(a_tip_that_opens_has_no_force) {
  Rod lifts;
  lifts.omega = 5;
  BOOST_TEST(lifts.tip(lifts.acceleration(0, 0))[1] > 0);
  Rod leaves;
  leaves.rate = 1e-3;
  Rod above;
  above.gap = 1e-6;
  for (Rod rod : {lifts, leaves, above})
    for (const double v : {0., 1.}) {
      rod.v_tip = v;
      check(rod, 0, 0);
    }
}

// On acceleration level the limit is sharp: omega^2 = -g / sin phi. Just below it presses, just above it opens.
BOOST_AUTO_TEST_CASE(lift_off_is_where_the_closed_form_says) {
  for (const double part : {1 - 1e-6, 1 + 1e-6}) {
    Rod rod;
    rod.v_tip = 1, rod.omega = std::sqrt(-part * g / rod.S());
    const double la_N = std::max(0., rod.sliding_force(-rod.mu));
    BOOST_TEST((la_N > 0) == (part < 1));
    check(rod, la_N, -rod.mu * la_N);
  }
}

// g'' = 0: the rod of a pendulum pulls with m (g sin alpha + L alpha'^2), alpha below the horizontal.
BOOST_AUTO_TEST_CASE(a_joint_holds_on_acceleration_level) {
  const double m = 1.25, alpha = 0.7, rate = -2;
  Plan plan;
  plan.gravity = {0, 0, -g};
  const auto a = plan.add_point(m, {std::cos(alpha), 0, -std::sin(alpha)}, {-rate * std::sin(alpha), 0, -rate * std::cos(alpha)});
  plan.connect("distance_joint", {a}, {{"length", "1"}});
  const Start start = consistent(plan);
  const double tension = m * (g * std::sin(alpha) + rate * rate);
  BOOST_TEST(std::abs(start.force[0][0] + tension * std::cos(alpha)) < tight);
  BOOST_TEST(std::abs(start.force[0][2] - tension * std::sin(alpha)) < tight);
}

// gamma' = 0: a disc rolls down with g_x / (1 + Theta / (m R^2)).
BOOST_AUTO_TEST_CASE(a_rolling_constraint_holds_on_acceleration_level) {
  const double m = 3, R = 0.2, Theta = 0.5 * m * R * R;
  Plan plan;
  plan.gravity = {4, -g, 0};
  const auto a = plan.add(NodeKind::planar_body, m, {0, R, 0}, {1, 0, -1 / R});
  plan.nodes.back().data.inertia[2] = Theta;
  plan.connect("rolling", {a}, {{"radius", R}, {"normal", model_test::Reals{0, 1}}});
  const Start start = consistent(plan);
  const double x = 4 / (1 + Theta / (m * R * R));
  BOOST_TEST(std::abs(start.acceleration[0][0] - x) < tight);
  BOOST_TEST(std::abs(start.acceleration[0][1]) < tight);
  BOOST_TEST(std::abs(start.acceleration[0][2] + x / R) < tight);
}

// Detected contacts. A sphere slides through the lowest point of a drum on a circle of radius R - r. zeta comes from
// differences: parts of 1e-6 (h v / (R - r))^2, and rounding of the rates over 1e-6 s.
BOOST_AUTO_TEST_CASE(a_sphere_in_a_drum_feels_the_curvature) {
  const double m = 2, r = 0.1, R = 0.6, v = 3, mu = 0.25;
  Plan plan;
  plan.gravity = {0, 0, -g}, plan.law = {mu, 0, 0};
  plan.walls.push_back(model_test::typed("walls", "drum", {{"point", model_test::Reals{0, -1, 0}}, {"axis", model_test::Reals{0, 1, 0}}, {"radius", R}, {"length", 2.}}));
  plan.add_sphere(m, r, {0, 0, r - R}, {v, 0, 0});
  const Start start = consistent(plan);
  const double la_N = m * (g + v * v / (R - r));
  BOOST_TEST(std::abs(start.force[0][2] / la_N - 1) < 1e-8);
  BOOST_TEST(std::abs(start.force[0][0] / (-mu * la_N) - 1) < 1e-8);
  BOOST_TEST(std::abs(start.acceleration[0][2] - v * v / (R - r)) < 1e-6);
}

// A capsule stands on the floor with one end and turns: that end is a sphere of radius r around a point at distance L of the
// centre of mass. Frictionless: g_N'' = z'' + L (alpha' cos alpha)' = 0.
BOOST_AUTO_TEST_CASE(a_capsule_turns_over_its_end) {
  const double r = 0.1, L = 0.3, alpha = 0.6, rate = 4;  // alpha: of the axis against the vertical, in the plane of x and z
  Plan plan;
  plan.gravity = {0, 0, -g};
  plan.planes.emplace_back();
  const Shape capsule = capsule_shape(r, 2 * L);
  plan.add_body(capsule, 1000, {0, 0, L * std::cos(alpha) + r}, {0, 0, -L * std::sin(alpha) * rate}, {0, rate, 0});
  PlannedNode& node = plan.nodes.back();
  node.q[3] = std::cos(0.5 * alpha), node.q[5] = std::sin(0.5 * alpha);
  const double m = node.data.mass, Theta = node.data.inertia[1], s = L * std::sin(alpha), c = L * std::cos(alpha);
  // g_N = z - L cos alpha - r, g_N'' = la_N/m - g + s alpha'' + c alpha'^2, Theta alpha'' = s la_N
  const double la_N = (g - c * rate * rate) / (1 / m + s * s / Theta);
  const Start start = consistent(plan);
  if (la_N > 0) BOOST_TEST(std::abs(start.force[0][2] / la_N - 1) < 1e-8);
  BOOST_TEST(std::abs(start.acceleration[0][4] - s * std::max(0., la_N) / Theta) < 1e-6);
}

// A floor at a cos(w t) falls away with a w^2 at t = 0.
BOOST_AUTO_TEST_CASE(a_sphere_on_a_shaken_floor_feels_its_acceleration) {
  const double m = 2, r = 0.1, mu = 0.25;
  Plan plan;
  plan.gravity = {0, 0, -g}, plan.law = {mu, 0, 0};
  plan.walls.push_back(model_test::typed("walls", "plane", {{"point", model_test::Reals{0, 0, 0}}, {"normal", model_test::Reals{0, 0, 1}},
                                                            {"displacement_z", "0.01*cos(20*t); -0.2*sin(20*t); -4*cos(20*t)"}}));
  plan.add_sphere(m, r, {0, 0, r + 0.01}, {-1, 0, 0});
  const Start start = consistent(plan);
  const double la_N = m * (g - 4);
  BOOST_TEST(std::abs(start.force[0][2] / la_N - 1) < 1e-8);
  BOOST_TEST(std::abs(start.force[0][0] / (mu * la_N) - 1) < 1e-8);
}

// Two spheres pressed together by a spring between their centres turn about each other: la_N = k stretch - m v^2 / d with the
// reduced mass.
BOOST_AUTO_TEST_CASE(two_spheres_feel_that_their_normal_turns) {
  const double d = 0.3, k = 500, stretch = 0.1, v = 1.2, m_1 = 1, m_2 = 3, reduced = m_1 * m_2 / (m_1 + m_2);
  Plan plan;
  const auto a = plan.add_sphere(m_1, 0.1, {0, 0, 0}, {0, v, 0}), b = plan.add_sphere(m_2, 0.2, {d, 0, 0}, {0, 0, 0});
  plan.connect("spring_damper", {a, b}, {{"stiffness", k}, {"length", d - stretch}});
  const Start start = consistent(plan);
  const double la_N = k * stretch - reduced * v * v / d;
  BOOST_TEST(std::abs(start.force[0][0] + la_N) < tight);
  BOOST_TEST(std::abs(start.force[1][0] - la_N) < tight);
}

BOOST_AUTO_TEST_SUITE_END()

// Rolling and pivoting friction of detected contacts against closed forms.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "checkpoint/stored_run.hpp"
#include "io/scratch_folder.hpp"
#include "verification/rk_case.hpp"

using namespace percussion;

namespace {

constexpr double g = 10, r = 0.1, v_0 = 1;

/// A ball that lies on a floor with the given law and motion.
std::unique_ptr<Case> ball(const std::string& law, const std::string& motion, const std::string& method, const std::string& more = "", const std::string& step = "1.0e-3") {
  const bool sweeps = method.find("moreau") != std::string::npos;
  const std::string text = "case: {name: t}\ntime: {end: 10, step: " + step + "}\ngravity: [0, 0, -10]\nintegrator: {" + method + "}\n"
                           "solver: {type: " + (sweeps ? "gauss_seidel, max_iterations: 100000" : "hybrid") + ", tolerance: 1.0e-12}\n"
                           "contact: {" + law + "}\nwalls:\n  - {type: plane, point: [0, 0, 0], normal: [0, 0, 1]" + more + "}\n"
                           "nodes:\n  - {type: rigid_body, name: b, density: 1000, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.1], " + motion + "}\n";
  return std::make_unique<Case>(MPI_COMM_WORLD, parse_input(text, "test.yaml", ".", {}, case_schema()));
}

const std::vector<std::string> methods = {"type: moreau", "type: moreau_jean", radau_2};

}  // namespace

BOOST_AUTO_TEST_SUITE(rolling_friction, *boost::unit_test::precondition(at_most_two_ranks))

// Rolling without slip against the moment c m g: v' = -c g / r / (1 + 2/5), so the ball stops after v_0^2 / (2 |v'|).
BOOST_DATA_TEST_CASE(a_rolling_ball_stops_where_it_should, methods, method) {
  const double c = 0.005, a = c * g / r / 1.4, way = v_0 * v_0 / (2 * a), h = 1e-3;
  const auto b = ball("friction: 0.5, rolling_friction: 0.005", "velocity: [1, 0, 0], angular_velocity: [0, 10, 0]", method);
  run(*b, 0.5 * v_0 / a);
  BOOST_TEST(b->state("b").u[0] == 0.5 * v_0, boost::test_tools::tolerance(5e-3));  // Moreau's rule may lose the contact for a step
  run(*b, 1.1 * v_0 / a);
  const NodeState s = b->state("b");
  BOOST_TEST(s.q[0] == way, boost::test_tools::tolerance(5e-3));
  BOOST_TEST(std::abs(s.q[1]) < 1e-9);
  for (const double u : s.u) BOOST_TEST(std::abs(u) < 1e-9 + 1e-12 * h);
}

// On a slope the moment holds the ball up to tan(angle) = c / r, and not beyond.
BOOST_DATA_TEST_CASE(a_ball_rests_on_a_slope_up_to_the_angle_of_rolling, methods, method) {
  for (const double part : {0.98, 1.02}) {
    const double angle = std::atan(part * 0.02 / r);
    const auto b = ball("friction: 0.5, rolling_friction: 0.02", "velocity: [0, 0, 0]", method);
    b->system.gravity = g * Vec3(std::sin(angle), 0, -std::cos(angle));
    run(*b, 0.2);
    const double x = b->state("b").q[0], slides = 0.5 * g * (std::sin(angle) - 0.02 / r * std::cos(angle)) / 1.4 * 0.04;
    if (part < 1) BOOST_TEST(std::abs(x) < 1e-9);
    else BOOST_TEST(x == slides, boost::test_tools::tolerance(0.02));
  }
}

// Spinning about the normal against the moment c m g: omega' = -c g / (2/5 r^2).
BOOST_DATA_TEST_CASE(a_spinning_ball_stops_in_time, methods, method) {
  const double c = 0.002, omega = 20, slow = c * g / (0.4 * r * r);
  const auto b = ball("friction: 0.5, pivoting_friction: 0.002", "velocity: [0, 0, 0], angular_velocity: [0, 0, 20]", method);
  run(*b, 0.5 * omega / slow);
  BOOST_TEST(b->state("b").u[5] == 0.5 * omega, boost::test_tools::tolerance(5e-3));
  run(*b, 1.05 * omega / slow);
  BOOST_TEST(std::abs(b->state("b").u[5]) < 1e-9);
}

// A turntable: pivoting friction takes the ball along until both turn alike. At the axis nothing slides.
BOOST_DATA_TEST_CASE(a_turntable_takes_the_ball_along, methods, method) {
  const auto b = ball("friction: 0.5, pivoting_friction: 0.002", "velocity: [0, 0, 0]", method, ", rotation: 3*t, rotation_axis: [0, 0, 1]");
  run(*b, 0.3);
  BOOST_TEST(b->state("b").u[5] == 3, boost::test_tools::tolerance(1e-9));
}

// The law of a wall is its own, and a moment acts on both bodies of a pair: angular momentum of the pair about the common normal.
BOOST_AUTO_TEST_CASE(moments_act_on_both_bodies) {
  const std::string text = "case: {name: t}\ntime: {end: 10, step: 1.0e-3}\nsolver: {type: gauss_seidel, tolerance: 1.0e-12, max_iterations: 100000}\ngravity: [0, 0, -10]\n"
                           "contact: {friction: 0.5, pivoting_friction: 0.01}\nwalls:\n  - {type: plane, point: [0, 0, 0], normal: [0, 0, 1], pivoting: 0, rolling: 0, mu: 0}\n"
                           "nodes:\n  - {type: rigid_body, name: a, density: 1000, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.1]}\n"
                           "  - {type: rigid_body, name: b, density: 1000, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.3], angular_velocity: [0, 0, 4]}\n";
  Case c(MPI_COMM_WORLD, parse_input(text, "test.yaml", ".", {}, case_schema()));
  run(c, 0.01);
  // omega_b' = -c g / (2/5 r^2) = -omega_a'
  BOOST_TEST(c.state("a").u[5] == 0.01 * 0.01 * g / (0.4 * r * r), boost::test_tools::tolerance(1e-6));
  BOOST_TEST(std::abs(c.state("a").u[5] + c.state("b").u[5] - 4) < 1e-10);
  run(c, 0.2);
  BOOST_TEST(c.state("a").u[5] == 2, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(c.state("b").u[5] == 2, boost::test_tools::tolerance(1e-9));
}

// Moments are remembered like percussions: a restart goes on bit by bit.
BOOST_AUTO_TEST_CASE(a_restart_remembers_moments) {
  const ScratchFolder scratch;
  const Parameters input = stored_input("sphere_box/sphere_box.yaml", falling_spheres({"fills[0].limit=60", "contact.rolling_friction=2e-4", "contact.pivoting_friction=1e-4"}));
  Case whole(MPI_COMM_WORLD, input);
  StepReport report;
  for (int k = 0; k < 50; ++k) report = whole.step();
  BOOST_TEST(report.contacts > 0);
  write_case(whole, scratch / "state.h5");
  const auto again = read_case(input, scratch / "state.h5");
  for (int k = 0; k < 20; ++k) {
    const StepReport a = whole.step(), b = again->step();
    BOOST_TEST(a.solve.iterations == b.solve.iterations);
    BOOST_TEST_REQUIRE((whole_state(whole) == whole_state(*again)));
  }
}

BOOST_AUTO_TEST_SUITE_END()

// Periodic directions: what happens at a side is what happens in the middle.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "verification/rk_case.hpp"

using namespace percussion;

namespace {

const std::vector<std::string> schemes = {"type: moreau", "type: moreau_jean", "type: shifted_moreau", radau_1, radau_2};

std::string two_spheres(const std::string& domain, double x_a, double x_b) {
  return "case: {name: t}\ntime: {end: 1, step: 1.0e-3}\nsolver: {type: gauss_seidel, tolerance: 1.0e-13, max_iterations: 20000}\n"
         "contact: {friction: 0.4, restitution: 0.5}\n" + domain +
         "nodes:\n  - {type: rigid_body, name: a, density: 1000, shape: {type: sphere, radius: 0.1}, position: [" + std::to_string(x_a) +
         ", 0.52, 0.5], velocity: [1, 0.2, 0.1], angular_velocity: [0, 0, 3]}\n"
         "  - {type: rigid_body, name: b, density: 1000, shape: {type: sphere, radius: 0.1}, position: [" + std::to_string(x_b) +
         ", 0.48, 0.5], velocity: [-0.5, 0, 0]}\n";
}

std::unique_ptr<Case> case_of(const std::string& text, const std::vector<std::string>& overrides = {}, MPI_Comm comm = MPI_COMM_WORLD) {
  return std::make_unique<Case>(comm, parse_input(text, "test.yaml", ".", overrides, case_schema()));
}

/// Moves all bodies before the start; the nodes are owned, there are no ghosts yet.
std::unique_ptr<Case> shifted_case(const Parameters& input, const Vec3& shift) {
  auto c = std::make_unique<Case>(MPI_COMM_WORLD, input, Unstarted{});
  for (std::int32_t i = 0; i < c->system.nodes.owned(); ++i)
    for (int k = 0; k < 3; ++k) c->system.nodes.q(i)[k] += shift[k];
  c->system.wrap_positions();
  c->begin(input);
  return c;
}

struct Sums {
  double mass = 0, bodies = 0;
  Vec3 momentum = Vec3::Zero(), size = Vec3::Zero();  ///< size: sum of |m v|
  double kinetic = 0;                                 ///< of translation
};
Sums sums(const Case& c) {
  Sums s;
  for (std::int32_t i = 0; i < c.system.nodes.owned(); ++i) {
    const NodeData& node = c.system.nodes[i];
    const Vec3 v = Eigen::Map<const Vec3>(c.system.nodes.u(i).data());
    s.mass += node.mass, s.bodies += 1, s.momentum += node.mass * v, s.size += node.mass * v.cwiseAbs(), s.kinetic += 0.5 * node.mass * v.squaredNorm();
  }
  static_assert(sizeof(Sums) == 9 * sizeof(double));
  MPI_Allreduce(MPI_IN_PLACE, &s, 9, MPI_DOUBLE, MPI_SUM, c.system.comm());
  return s;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(periodic)

// The normal velocities of two equal spheres after the impact are those of Newton's law; all else, with friction and spin, is
// as without sides.
BOOST_DATA_TEST_CASE(spheres_collide_through_the_side, schemes, scheme) {
  const std::string periodic = "domain: {lower: [0, 0, 0], upper: [1, 1, 1], periodic: [x, y]}\n";
  const std::vector<std::string> method = {"integrator={" + scheme + "}"};
  // a leaves at the right, b at the left; without sides b stands one period further to the right.
  const auto side = case_of(two_spheres(periodic, 0.85, 0.12), method), open = case_of(two_spheres("", 0.85, 1.12), method);
  const NodeState a_0 = open->state("a"), b_0 = open->state("b");
  StepReport report;
  std::int64_t met = 0;
  for (int k = 0; k < 150; ++k) {
    report = side->step();
    const StepReport other = open->step();
    BOOST_TEST(report.contacts == other.contacts);
    met += report.contacts;
  }
  BOOST_TEST(met > 0);
  const NodeState a = side->state("a"), b = side->state("b"), a_open = open->state("a"), b_open = open->state("b");
  for (std::size_t k = 0; k < a.u.size(); ++k) BOOST_TEST(std::abs(a.u[k] - a_open.u[k]) < 1e-11);
  for (std::size_t k = 0; k < b.u.size(); ++k) BOOST_TEST(std::abs(b.u[k] - b_open.u[k]) < 1e-11);
  for (int k = 0; k < 3; ++k) BOOST_TEST(std::abs(a.q[k] - a_open.q[k]) < 1e-11);
  BOOST_TEST(std::abs(b.q[0] + 1 - b_open.q[0]) < 1e-11);
  // Momentum, and restitution along the line of centres at the impact: equal masses exchange the part (1 + e)/2 of it.
  for (int k = 0; k < 3; ++k) BOOST_TEST(std::abs(a.u[k] + b.u[k] - a_0.u[k] - b_0.u[k]) < 1e-12);
  BOOST_TEST(a.u[0] < 0.2);  // 1 - 0.75 * 1.5 for a central impact
  // What is stored lies in the box.
  for (std::int32_t i = 0; i < side->system.nodes.size(); ++i) {
    BOOST_TEST(side->system.nodes.q(i)[0] >= 0);
    BOOST_TEST(side->system.nodes.q(i)[0] < 1);
  }
}

// Central impact in closed form, along each axis: u' = -e u for the relative velocity.
BOOST_AUTO_TEST_CASE(newtons_law_holds_through_every_side) {
  for (int axis = 0; axis < 3; ++axis) {
    std::string place_a = "0.5, 0.5, 0.5", place_b = place_a, v_a = "0, 0, 0", v_b = v_a;
    const auto put = [&](std::string& text, const char* value) {
      std::vector<std::string> parts;
      for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(", ", from), text.size());
        parts.push_back(text.substr(from, to - from)), from = to + 2;
      }
      parts[axis] = value;
      text = parts[0] + ", " + parts[1] + ", " + parts[2];
    };
    put(place_a, "0.95"), put(place_b, "0.2"), put(v_a, "1"), put(v_b, "-0.5");
    const auto c = case_of("case: {name: t}\ntime: {end: 1, step: 1.0e-3}\nsolver: {type: gauss_seidel, tolerance: 1.0e-13}\ncontact: {restitution: 0.5}\n"
                           "domain: {lower: [0, 0, 0], upper: [1, 1, 1], periodic: [x, y, z]}\nnodes:\n"
                           "  - {type: rigid_body, name: a, mass: 1, inertia: [1, 1, 1], shape: {type: sphere, radius: 0.1}, position: [" + place_a + "], velocity: [" + v_a + "]}\n"
                           "  - {type: rigid_body, name: b, mass: 3, inertia: [1, 1, 1], shape: {type: sphere, radius: 0.1}, position: [" + place_b + "], velocity: [" + v_b + "]}\n");
    run(*c, 0.1);
    const double mean = (1 - 1.5) / 4, relative = -0.5 * (1 + 0.5);  // of the centre of mass; of a against b
    BOOST_TEST(std::abs(c->state("a").u[axis] - (mean + 0.75 * relative)) < 1e-12);
    BOOST_TEST(std::abs(c->state("b").u[axis] - (mean - 0.25 * relative)) < 1e-12);
  }
}

// A packing that settles between periodic sides, and the same one moved: the same motion.
BOOST_AUTO_TEST_CASE(a_moved_packing_moves_alike) {
  const std::string text = "case: {name: t}\ntime: {end: 1, step: 1.0e-3}\nsolver: {type: gauss_seidel, tolerance: 1.0e-10, max_iterations: 50000}\ngravity: [0, 0, -9.81]\n"
                           "contact: {friction: 0.5}\ndomain: {lower: [0, 0, 0], upper: [0.05, 0.05, 1], periodic: [x, y]}\n"
                           "walls:\n  - {type: plane, point: [0, 0, 0], normal: [0, 0, 1]}\n"
                           "fills:\n  - {type: lattice, lower: [0, 0, 0.001], upper: [0.05, 0.05, 0.05], radius: [0.004, 0.005], jitter: 1, velocity: [0.3, 0.1, -0.5]}\n";
  const Parameters input = parse_input(text, "test.yaml", ".", {}, case_schema());
  const Vec3 shift(0.0313, 0.0171, 0);
  const auto a = shifted_case(input, Vec3::Zero()), b = shifted_case(input, shift);
  std::int64_t contacts = 0;
  for (int k = 0; k < 80; ++k) {
    const StepReport r = a->step();
    BOOST_TEST(r.contacts == b->step().contacts);
    contacts = std::max(contacts, r.contacts);
  }
  BOOST_TEST(contacts > 100);
  double difference = 0;
  const std::int64_t bodies = a->bodies();
  for (std::int64_t id = 0; id < bodies; ++id) {
    const NodeState x = a->state(id), y = b->state(id);
    for (int k = 0; k < 3; ++k) {
      const double d = y.q[k] - x.q[k] - shift[k], L = 0.05;
      difference = std::max({difference, std::abs(k < 2 ? d - L * std::rint(d / L) : d) / 0.005, std::abs(y.u[k] - x.u[k])});
    }
  }
  // Residual 1e-10 per step, velocities of 0.5 m/s, 80 steps with some amplification by collisions.
  BOOST_TEST(difference < 1e-6);
}

// A gas without gravity: momentum stays to rounding, and the temperature follows Haff's law with the collision rate of
// Enskog, T = T_0 / (1 + t/tau)^2, 1/tau = (1 - e^2)/6 omega_0, omega_0 = 4 sqrt(pi) n d^2 chi sqrt(T_0 / m).
BOOST_AUTO_TEST_CASE(a_gas_cools_by_haffs_law) {
  const auto c = stored_case("granular_gas/gas.yaml");
  const Sums start = sums(*c);
  BOOST_TEST(start.bodies == 1000);
  run(*c, 0.1, [&](const StepReport&) {});
  const Sums end = sums(*c);
  for (int k = 0; k < 3; ++k) BOOST_TEST(std::abs(end.momentum[k] - start.momentum[k]) < 1e-13 * start.size[k]);
  const double m = start.mass / start.bodies, T_0 = 2. / 3 * (start.kinetic - 0.5 * start.momentum.squaredNorm() / start.mass) / start.bodies;
  const double volume = std::pow(0.12, 3), n = start.bodies / volume, d = 0.006, e = 0.9;
  const double nu = n * std::numbers::pi / 6 * d * d * d, chi = (1 - 0.5 * nu) / std::pow(1 - nu, 3);
  const double rate = 4 * std::sqrt(std::numbers::pi) * n * d * d * chi * std::sqrt(T_0 / m), tau = 6 / ((1 - e * e) * rate);
  const double T = 2. / 3 * (end.kinetic - 0.5 * end.momentum.squaredNorm() / end.mass) / end.bodies;
  BOOST_TEST_MESSAGE("temperature over that of Haff's law: " << T / T_0 * std::pow(1 + 0.1 / tau, 2) << ", fallen to " << T / T_0);
  BOOST_TEST(T / T_0 < 0.7);
  // 1000 bodies and some ten collisions each: a few percent of scatter, and a step of a fiftieth of the mean free time.
  BOOST_TEST(T / T_0 == std::pow(1 + 0.1 / tau, -2), boost::test_tools::tolerance(0.06));
}

// All ranks give what one gives, also where two ranks share both sides of the box.
BOOST_AUTO_TEST_CASE(many_ranks_give_what_one_gives) {
  const Parameters input = stored_input("granular_gas/gas.yaml", {"fills[0].limit=250", "fills[0].velocity=[3,1,0]", "contact.friction=0.3", "solver.tolerance=1e-12"});
  Case together(MPI_COMM_WORLD, input), alone(MPI_COMM_SELF, input);
  std::int64_t contacts = 0;
  for (int k = 0; k < 250; ++k) {
    const StepReport a = together.step();
    BOOST_TEST(a.contacts == alone.step().contacts);
    contacts += a.contacts;
    if (k == 120) together.system.rebalance(RebalanceMethod::geometric, together.h);
  }
  BOOST_TEST(contacts > 100);
  double difference = 0;
  const std::int64_t bodies = alone.bodies();
  for (std::int64_t id = 0; id < bodies; ++id) {
    const NodeState x = together.state(id), y = alone.state(id);
    for (int k = 0; k < 3; ++k) difference = std::max({difference, std::abs(y.q[k] - x.q[k]) / 0.003, std::abs(y.u[k] - x.u[k])});
  }
  BOOST_TEST(difference < 1e-8);  // residual 1e-12; a collision amplifies a difference by the free path over the radius, 10
}

// Down a periodic chute the way counts, not the stored place: energy falls all the time.
BOOST_AUTO_TEST_CASE(energy_of_a_chute_knows_the_way) {
  const auto c = case_of("case: {name: t}\ntime: {end: 1, step: 1.0e-3}\nsolver: {type: gauss_seidel, tolerance: 1.0e-12}\ngravity: [4, 0, -9]\ncontact: {friction: 0.2}\n"
                         "domain: {lower: [0, 0, 0], upper: [0.5, 0.5, 1], periodic: [x]}\nwalls:\n  - {type: plane, point: [0, 0, 0], normal: [0, 0, 1]}\n"
                         "nodes:\n  - {type: rigid_body, name: a, density: 1000, shape: {type: box, size: [0.1, 0.1, 0.05]}, position: [0.3, 0.2, 0.025]}\n");
  double energy = total_energy(*c);
  const double start = energy;
  for (int k = 0; k < 1000; ++k) {
    c->step();
    const double now = total_energy(*c);
    BOOST_TEST(now <= energy + 1e-9 * std::abs(start - energy) + 1e-12);
    energy = now;
  }
  const NodeState a = c->state("a");
  // Sliding: g (sin - mu cos) = 4 - 0.2 * 9, two and a half times round the box.
  BOOST_TEST(a.q[0] == 0.3 + 0.5 * 2.2, boost::test_tools::tolerance(0.01));  // Moreau's rule may lose the contact for a step
  BOOST_TEST(c->system.nodes.size() <= 1);
  for (std::int32_t i = 0; i < c->system.nodes.owned(); ++i) BOOST_TEST(c->system.nodes[i].image[0] == 2);
}

BOOST_AUTO_TEST_CASE(what_does_not_repeat_itself_is_refused) {
  const auto make = [](const std::string& more, const std::string& upper = "1, 1, 1") {
    case_of("case: {name: t}\ntime: {end: 1, step: 1.0e-3}\ndomain: {lower: [0, 0, 0], upper: [" + upper + "], periodic: [x]}\n"
            "nodes:\n  - {type: rigid_body, name: a, density: 1000, shape: {type: sphere, radius: 0.1}, position: [0.2, 0.5, 0.5]}\n" + more);
  };
  make("");
  make("walls:\n  - {type: box, lower: [0, 0, 0], upper: [1, 1, 1], open: [left, right]}\n  - {type: drum, point: [-1, 0, 0], axis: [1, 0, 0], radius: 3, length: 3, ends: false, rotation: t, rotation_axis: [1, 0, 0]}\n");
  BOOST_CHECK_THROW(make("", "0.4, 1, 1"), InputError);  // a body as wide as half the box
  BOOST_CHECK_THROW(make("walls:\n  - {type: plane, point: [0, 0, 0], normal: [1, 0, 1]}\n"), InputError);
  BOOST_CHECK_THROW(make("walls:\n  - {type: box, lower: [0, 0, 0], upper: [1, 1, 1]}\n"), InputError);
  BOOST_CHECK_THROW(make("walls:\n  - {type: hopper, point: [0, 0, 0], outlet_radius: 0.1, top_radius: 1, height: 1}\n"), InputError);
  BOOST_CHECK_THROW(make("walls:\n  - {type: drum, point: [0, 0, 0], axis: [1, 0, 0], radius: 3, length: 1}\n"), InputError);
  BOOST_CHECK_THROW(make("walls:\n  - {type: plane, point: [0, 0, 0], normal: [0, 0, 1], rotation: t, rotation_axis: [0, 1, 0]}\n"), InputError);
  BOOST_CHECK_THROW(make("contributions:\n  - {type: force, nodes: [a], x: 1}\n"), InputError);
}

BOOST_AUTO_TEST_SUITE_END()

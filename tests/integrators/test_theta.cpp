// Moreau-Jean theta scheme: closed forms of the linear oscillator, orders, invariants, impacts, ranks.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numbers>

#include "integrators/integrator.hpp"
#include "solvers/small_systems.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

struct Run {
  Run(const Plan& p, MPI_Comm comm, double the_h, double theta, double newton_tolerance = 1e-13)
      : plan(p), h(the_h), system(system_of(p, comm, the_h)), solver(solver_of("gauss_seidel", 1e-13, 100000)) {
    const Parameters given = model_test::typed("integrators", "moreau_jean", {{"theta", theta}, {"newton_tolerance", newton_tolerance}});
    integrator = IntegratorRegistry::instance().create("moreau_jean", given, *solver);
    integrator->start(*system, h);
  }
  StepReport step() {
    const StepReport report = integrator->step(*system, h);
    BOOST_TEST(report.solve.converged);
    return report;
  }
  void steps(int n) {
    for (int k = 0; k < n; ++k) step();
  }
  auto q() const { return gathered(*system, plan, false); }
  auto u() const { return gathered(*system, plan, true); }

  const Plan& plan;
  double h;
  std::unique_ptr<System> system;
  std::unique_ptr<ContactSolver> solver;
  std::unique_ptr<Integrator> integrator;
};

// For runs that every rank would repeat on MPI_COMM_SELF.
bool first_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

Plan oscillator(double m, double k) {
  Plan plan;
  const auto a = plan.add_point(m, {1, 0, 0}, {0.5, 0, 0});
  plan.connect("spring_damper", {a}, {{"stiffness", k}});
  return plan;
}

// A mass on a stiff rod-like spring of length 1, released from the horizontal: the stiff mode rests on its slow
// manifold up to the rate of the tension over k omega.
Plan stiff_pendulum(double k) {
  Plan plan;
  plan.gravity = {0, 0, -9.81};
  const auto a = plan.add_point(1, {1, 0, 0}, {0, 0, 0});
  plan.connect("spring_damper", {a}, {{"stiffness", k}, {"length", 1.}});
  return plan;
}

std::vector<double> position(const Plan& plan, double h, double t_end, double theta) {
  // Rounding of q in units of u is 1e-16 / h: the Newton iteration cannot see more than 1e-12 here.
  Run run(plan, MPI_COMM_SELF, h, theta, 1e-11);
  run.steps(static_cast<int>(std::lround(t_end / h)));
  return run.q()[0];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(moreau_jean_theta)

BOOST_AUTO_TEST_CASE(one_step_of_a_linear_oscillator_is_the_closed_form) {
  const double m = 2, k = 800, h = 0.3;
  for (const double theta : {0.5, 0.75, 1.}) {
    const Plan plan = oscillator(m, k);
    Run run(plan, MPI_COMM_SELF, h, theta);
    run.step();
    // (36) with C = 0 and no load.
    const double q = 1, u = 0.5;
    const double u_1 = u + (-h * k * q - h * h * theta * k * u) / (m + h * h * theta * theta * k);
    BOOST_TEST(run.u()[0][0] == u_1, boost::test_tools::tolerance(1e-14));
    BOOST_TEST(run.q()[0][0] == q + h * (theta * u_1 + (1 - theta) * u), boost::test_tools::tolerance(1e-14));
  }
}

BOOST_AUTO_TEST_CASE(energy_of_an_oscillator_falls_by_the_known_factor) {
  if (!first_rank()) return;
  const double m = 2, k = 800, omega = std::sqrt(k / m);
  const Plan plan = oscillator(m, k);
  for (const double z : {0.1, 2., 50.})
    for (const double theta : {0.5, 0.6, 1.}) {
      Run run(plan, MPI_COMM_SELF, z / omega, theta);
      const auto energy = [&] { return 0.5 * m * std::pow(run.u()[0][0], 2) + 0.5 * k * std::pow(run.q()[0][0], 2); };
      const double ratio = (1 + (1 - theta) * (1 - theta) * z * z) / (1 + theta * theta * z * z);
      double last = energy();
      for (int n = 0; n < 20; ++n) {
        run.step();
        // Rounding of k q^2 against m u^2, once per step.
        BOOST_TEST(energy() == ratio * last, boost::test_tools::tolerance(1e-11));
        last = energy();
      }
    }
}

BOOST_AUTO_TEST_CASE(order_two_for_one_half_and_one_for_one_with_a_stiff_spring) {
  if (!first_rank()) return;
  const Plan plan = stiff_pendulum(1e6);  // omega = 1000, so h omega = 20 ... 5
  const double t_end = 0.8;
  const auto exact = position(plan, 4e-4, t_end, 0.5);  // 150 times more accurate than the best run below
  const auto error = [&](double h, double theta) {
    const auto q = position(plan, h, t_end, theta);
    return std::hypot(q[0] - exact[0], q[2] - exact[2]);
  };
  for (const double theta : {0.5, 1.}) {
    const double e_1 = error(0.02, theta), e_2 = error(0.01, theta), e_3 = error(0.005, theta);
    const double order = theta == 0.5 ? 2 : 1;
    BOOST_TEST_MESSAGE("theta " << theta << ": errors " << e_1 << " " << e_2 << " " << e_3);
    // The next term of the expansion: about 0.1 in the exponent for theta = 1, less for 1/2.
    BOOST_TEST(std::abs(std::log2(e_1 / e_2) - order) < 0.2);
    BOOST_TEST(std::abs(std::log2(e_2 / e_3) - order) < 0.2);
  }
}

BOOST_AUTO_TEST_CASE(free_top_keeps_energy_and_spin) {
  if (!first_rank()) return;
  // Theta (omega+ - omega) = -h omega_m x Theta omega_m is normal to omega_m and to Theta omega_m.
  Plan plan;
  plan.add(NodeKind::rigid_body, 1, {0, 0, 0, 1, 0, 0, 0}, {0, 0, 0, 0.1, 3, -0.2});
  const double theta_K[3] = {1, 2, 3.5};
  std::copy_n(theta_K, 3, plan.nodes[0].data.inertia);
  Run run(plan, MPI_COMM_SELF, 0.05, 0.5);
  const auto energy_and_spin = [&] {
    const auto u = run.u()[0];
    double energy = 0, spin = 0;
    for (int k = 0; k < 3; ++k) energy += 0.5 * theta_K[k] * u[3 + k] * u[3 + k], spin += std::pow(theta_K[k] * u[3 + k], 2);
    return std::pair(energy, spin);
  };
  const auto [energy, spin] = energy_and_spin();
  double tumbled = 0;
  for (int n = 0; n < 200; ++n) run.step(), tumbled = std::max(tumbled, std::abs(run.u()[0][3]));
  BOOST_TEST(tumbled > 1);  // rotation about the middle axis is unstable
  // Newton stops at 1e-13 in each of 200 steps.
  BOOST_TEST(energy_and_spin().first == energy, boost::test_tools::tolerance(1e-10));
  BOOST_TEST(energy_and_spin().second == spin, boost::test_tools::tolerance(1e-10));
}

BOOST_AUTO_TEST_CASE(impact_reverses_the_normal_velocity_exactly) {
  // A sphere on a spring flies into the floor; the spring makes it an assembled problem. Normal velocity after the step
  // of the impact: -e_N times that before, whatever the forces.
  for (const bool spring : {true, false}) {
    Plan plan;
    plan.gravity = {0, 0, -9.81};
    Plane floor;
    floor.e_N = 0.7, floor.mu = 0.2;
    plan.planes = {floor};
    const auto a = plan.add_sphere(1, 0.1, {0, 0, 0.5}, {1, 0, -1});
    if (spring) plan.connect("spring_damper", {a}, {{"stiffness", 50.}, {"point_2", std::vector{0., 0., 0.4}}});
    Run run(plan, MPI_COMM_WORLD, 2e-3, 0.5);
    int impacts = 0;
    for (int n = 0; n < 1500 && impacts < 3; ++n) {
      const double before = run.u()[0][2];
      const StepReport report = run.step();
      if (report.contacts == 0 || before >= 0) continue;
      ++impacts;
      BOOST_TEST(run.u()[0][2] == -0.7 * before, boost::test_tools::tolerance(1e-11));  // solver tolerance 1e-13
    }
    BOOST_TEST(impacts == 3);
  }
}

BOOST_AUTO_TEST_CASE(body_view_is_the_same_scheme) {
  // Without forces both views are available: a spring without stiffness forces the assembled one.
  Plan plan;
  plan.gravity = {0, 0, -9.81};
  plan.law = {0.3, 0.5, 0.};
  Plane floor;
  floor.mu = 0.3;
  plan.planes = {floor};
  for (int i = 0; i < 5; ++i) plan.add_sphere(1, 0.1, {0.15 * i, 0.02 * i * i, 0.101 + 0.05 * i}, {0.1 * i, 0, -0.5}, {0, 0.2 * i, 1});
  Plan with_spring = plan;
  with_spring.connect("spring_damper", {0, 4}, {});
  Run body(plan, MPI_COMM_WORLD, 1e-3, 0.6), assembled(with_spring, MPI_COMM_WORLD, 1e-3, 0.6);
  std::int64_t contacts = 0;
  for (int n = 0; n < 50; ++n) {
    contacts += body.step().contacts;
    assembled.step();
  }
  BOOST_TEST(contacts > 100);
  // 50 steps of a problem solved to 1e-13 with velocities of size 1.
  BOOST_TEST(largest_difference(body.u(), assembled.u()) < 1e-9);
  BOOST_TEST(largest_difference(body.q(), assembled.q()) < 1e-10);
  BOOST_TEST(ghost_error(*body.system, plan) == 0.);
  BOOST_TEST(ghost_error(*assembled.system, plan) == 0.);
}

BOOST_AUTO_TEST_CASE(spring_chain_over_ranks) {
  // Two rows of masses on springs and dampers: nothing outside acts, so momentum stays; all ranks agree with one.
  Plan plan;
  constexpr int n = 24;
  for (int i = 0; i < n; ++i) plan.add_point(1 + 0.1 * (i % 3), {i % 12 * 1., i / 12 * 1., 0}, {std::sin(i), std::cos(2 * i), 0.1 * i});
  for (std::int64_t i = 0; i + 1 < n; ++i)
    plan.connect("spring_damper", {i, i + 1}, {{"stiffness", 1e4}, {"damping", 3.}, {"length", i == 11 ? 11.1 : 1.}});
  Run together(plan, MPI_COMM_WORLD, 0.01, 0.5), alone(plan, MPI_COMM_SELF, 0.01, 0.5);
  const auto momentum = [&] {
    Vec3 p = Vec3::Zero();
    const auto u = together.u();
    for (int i = 0; i < n; ++i) p += plan.nodes[i].data.mass * Vec3(u[i][0], u[i][1], u[i][2]);
    return p;
  };
  std::int64_t ghosts = together.system->nodes.size() - together.system->nodes.owned(), ranks = together.system->distribution.ranks();
  MPI_Allreduce(MPI_IN_PLACE, &ghosts, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  BOOST_TEST((ghosts > 0) == (ranks > 1));  // the chain does cross ranks
  const Vec3 before = momentum();
  together.steps(50), alone.steps(50);
  // Sums run in another order on other ranks: rounding, grown by 50 steps of a stiff nonlinear chain.
  BOOST_TEST(largest_difference(together.u(), alone.u()) < 1e-8);
  BOOST_TEST(largest_difference(together.q(), alone.q()) < 1e-9);
  BOOST_TEST((momentum() - before).norm() < 1e-10 * before.norm());
  BOOST_TEST(ghost_error(*together.system, plan) == 0.);
}

BOOST_AUTO_TEST_CASE(grains_with_springs_fall_on_a_floor_on_any_number_of_ranks) {
  Plan plan;
  plan.gravity = {0, 0, -9.81};
  plan.law = {0.2, 0.3, 0.};
  Plane floor;
  floor.mu = 0.2, floor.e_N = 0.3;
  plan.planes = {floor};
  // A ring of bonded grains, each pressed on its neighbours, coming down at an angle. Contacts at a gap of exactly zero
  // would be closed or not by rounding, which differs between ranks.
  constexpr int n = 12;
  const double R = (0.1 - 1e-6) / std::sin(std::numbers::pi / n);
  for (int i = 0; i < n; ++i) {
    const double phi = 2 * std::numbers::pi * i / n;
    plan.add_sphere(1, 0.1, {R * std::cos(phi), 0, R * std::sin(phi) + R + 0.12}, {0.5, 0, -1});
  }
  for (std::int64_t i = 0; i < n; ++i)
    plan.connect("spring_damper", {i, (i + 1) % n}, {{"stiffness", 1e4}, {"damping", 5.}, {"length", 0.198}});
  Run together(plan, MPI_COMM_WORLD, 1e-3, 0.5), alone(plan, MPI_COMM_SELF, 1e-3, 0.5);
  std::int64_t contacts = 0;
  for (int k = 0; k < 60; ++k) {
    contacts += together.step().contacts;
    alone.step();
  }
  BOOST_TEST(contacts > 60);
  // 60 steps solved to 1e-13, velocities of size 1; the friction problem amplifies.
  BOOST_TEST(largest_difference(together.u(), alone.u()) < 1e-7);
  BOOST_TEST(largest_difference(together.q(), alone.q()) < 1e-8);
  BOOST_TEST(ghost_error(*together.system, plan) == 0.);
}

BOOST_AUTO_TEST_SUITE_END()

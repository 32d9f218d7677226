// Methods with an explicit first stage on shapes and curved or driven walls, where the rates of the normals are differences.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numbers>

#include "integrators/integrator.hpp"
#include "solvers/small_systems.hpp"

using namespace percussion;
using namespace percussion::test;
using model_test::Reals;

namespace {

constexpr double g = 10;

struct Run {
  Run(const Plan& p, double step, const std::string& type) : plan(p), h(step), system(system_of(p, MPI_COMM_WORLD, h)), solver(solver_of("hybrid", 1e-12, 10000)) {
    integrator = IntegratorRegistry::instance().create(type, model_test::typed("integrators", type, {}), *solver);
    integrator->start(*system, h);
  }
  void steps(int n) {
    for (int k = 0; k < n; ++k) {
      const StepReport report = integrator->step(*system, h);
      BOOST_TEST(report.solve.converged, "t = " << system->t << ", residual " << report.solve.residual);
      deepest = std::max(deepest, report.penetration), contacts += report.contacts;
    }
  }
  std::vector<double> q() const { return gathered(*system, plan, false)[0]; }
  std::vector<double> u() const { return gathered(*system, plan, true)[0]; }

  const Plan& plan;
  double h, deepest = 0;
  std::int64_t contacts = 0;
  std::unique_ptr<System> system;
  std::unique_ptr<ContactSolver> solver;
  std::unique_ptr<Integrator> integrator;
};

/// A ball in a horizontal cylinder of radius 0.6, released at the angle alpha from the bottom and in contact.
Plan ball_in_cylinder(double alpha, double mu, bool detected) {
  const double r = 0.1, R = 0.6;
  Plan plan;
  plan.gravity = {0, 0, -g}, plan.law = {mu, 0, 0};
  const auto a = plan.add_sphere(2, r, (R - r) * Vec3(std::sin(alpha), 0, -std::cos(alpha)), {0, 0.3, 0});
  if (detected) {
    plan.walls.push_back(model_test::typed("walls", "drum", {{"point", Reals{0, -5, 0}}, {"axis", Reals{0, 1, 0}}, {"radius", R}, {"length", 10.}}));
  } else {
    plan.nodes.back().data.shape = -1;  // contact detection does not see it
    plan.connect("contact_in_cylinder", {a}, {{"radius", r}, {"cavity_radius", R}, {"axis", Reals{0, 1, 0}}, {"friction", model_test::friction({{{"mu", Reals{mu}}}})}});
  }
  return plan;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(explicit_first_stage)

// The same contact, detected (differences) and declared (exact derivatives).
BOOST_AUTO_TEST_CASE(a_drum_is_the_declared_cylinder) {
  for (const char* type : {"tr_bdf2", "trx2", "tr_theta"})
    for (const double mu : {0., 0.2}) {
      const Plan drum = ball_in_cylinder(0.8, mu, true), declared = ball_in_cylinder(0.8, mu, false);
      Run a(drum, 0.01, type), b(declared, 0.01, type);
      a.steps(60), b.steps(60);
      BOOST_TEST(a.contacts == 60);
      BOOST_TEST(b.contacts == 60);
      BOOST_TEST(a.deepest < 1e-9);
      // Differences: part of 1e-6 h^2 of accelerations of 10; Newton's method: 1e-10 on velocities, 60 steps.
      const auto p = a.q(), q = b.q(), v = a.u(), u = b.u();
      for (int k = 0; k < 3; ++k) BOOST_TEST(std::abs(p[k] - q[k]) < 1e-8, type << ", mu = " << mu);
      for (int k = 0; k < 6; ++k) BOOST_TEST(std::abs(v[k] - u[k]) < 1e-7, type << ", mu = " << mu);
    }
}

// Without friction the ball is a pendulum of length 0.5: order 2 against a run with an eighth of the finest step.
BOOST_AUTO_TEST_CASE(order_two_in_a_drum) {
  const Plan plan = ball_in_cylinder(0.8, 0, true);
  const auto end = [&](int n) {
    Run run(plan, 0.32 / n, "tr_bdf2");
    run.steps(n);
    return std::atan2(run.q()[0], -run.q()[2]);
  };
  const double exact = end(512), coarse = std::abs(end(32) - exact), fine = std::abs(end(64) - exact);
  BOOST_TEST(std::abs(std::log2(coarse / fine) - 2) < 0.15);  // 0.02 of the reference, and the next order of h
}

// A box slides on its face, four corners in contact: mu m g brings it to rest after v^2 / (2 mu g).
BOOST_AUTO_TEST_CASE(a_box_slides_and_stops) {
  const double v = 1, mu = 0.4;
  Plan plan;
  plan.gravity = {0, 0, -g}, plan.law = {mu, 0, 0};
  plan.planes.emplace_back().mu = mu;
  plan.add_body(box_shape({0.4, 0.3, 0.1}), 500, {0, 0, 0.05}, {v, 0, 0});
  for (const char* type : {"tr_bdf2", "tr_theta"}) {
    Run run(plan, 0.01, type);
    run.steps(10);
    BOOST_TEST(std::abs(run.u()[0] - (v - mu * g * 0.1)) < 1e-9);
    BOOST_TEST(std::abs(run.q()[0] - (v * 0.1 - 0.5 * mu * g * 0.01)) < 1e-9);
    run.steps(30);  // at rest from 0.25 s on, which is a grid point
    BOOST_TEST(std::abs(run.q()[0] - v * v / (2 * mu * g)) < 1e-6);
    for (const double u : run.u()) BOOST_TEST(std::abs(u) < 1e-8);
    BOOST_TEST(run.deepest < 1e-8);
  }
}

// The floor moves as a cos(w t), never faster downwards than a body falls: a ball stays on it, with m (g + a_z) as its force.
BOOST_AUTO_TEST_CASE(a_ball_stays_on_a_shaken_floor) {
  const double m = 2, r = 0.1, h = 0.01;
  Plan plan;
  plan.gravity = {0, 0, -g};
  plan.walls.push_back(model_test::typed("walls", "plane", {{"point", Reals{0, 0, 0}}, {"normal", Reals{0, 0, 1}},
                                                            {"displacement_z", "0.01*cos(20*t); -0.2*sin(20*t); -4*cos(20*t)"}}));
  plan.add_sphere(m, r, {0, 0, r + 0.01}, {0, 0, 0});
  for (const char* type : {"tr_bdf2", "trx2", "tr_theta"}) {
    Run run(plan, h, type);
    double impulse = 0;
    for (int k = 0; k < 40; ++k) {
      run.steps(1);
      std::vector<ContactRecord> contacts;
      run.integrator->contacts(*run.system, contacts);
      double P = contacts.empty() ? 0. : contacts[0].P.norm();
      MPI_Allreduce(MPI_IN_PLACE, &P, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      impulse += P;
      const double t = run.system->t;
      BOOST_TEST(std::abs(run.q()[2] - r - 0.01 * std::cos(20 * t)) < 1e-11);
      BOOST_TEST(std::abs(run.u()[2] + 0.2 * std::sin(20 * t)) < 1e-9);
      BOOST_TEST(std::abs(impulse - m * (g * t + run.u()[2])) < 1e-8);  // momentum
    }
    BOOST_TEST(run.contacts == 40);
  }
}

BOOST_AUTO_TEST_SUITE_END()

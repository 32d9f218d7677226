// Candidates of a Runge-Kutta step are found with a reach from velocities and gravity, checked afterwards: a body that forces
// drive further than that is not lost.
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "integrators/integrator.hpp"
#include "solvers/small_systems.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

constexpr double h = 0.01, radius = 0.01;

/// A sphere of 1 kg, at rest at a distance `gap` of a wall, driven towards it by a constant force: neither its velocity nor
/// gravity say where it will be.
Plan driven_sphere(double gap, double force) {
  Plan plan;
  Plane wall;
  wall.n[0] = -1, wall.n[2] = 0, wall.offset = 0, wall.e_N = 0.5;
  plan.planes = {wall};
  const auto a = plan.add_sphere(1, radius, {-gap - radius, 0, 0}, {0.1, 0, 0});
  plan.connect("force", {a}, {{"x", std::to_string(force).c_str()}});
  return plan;
}

StepReport one_step(const Plan& plan, const std::string& type, Vec3& r, Vec3& v) {
  const auto system = system_of(plan, MPI_COMM_WORLD, h);
  const auto solver = solver_of("hybrid", 1e-12, 1000);
  const auto integrator = IntegratorRegistry::instance().create(type, model_test::typed("integrators", type, {}), *solver);
  integrator->start(*system, h);
  const StepReport report = integrator->step(*system, h);
  const auto q = gathered(*system, plan, false)[0], u = gathered(*system, plan, true)[0];
  r = Vec3(q[0], q[1], q[2]), v = Vec3(u[0], u[1], u[2]);
  return report;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reach)

// First reach: 1.5 h u = 1.5e-3 m. The force takes the body 0.05 m far, the wall is at 0.03 m.
BOOST_AUTO_TEST_CASE(a_body_cannot_outrun_the_candidates) {
  for (const char* type : {"radau_iia", "lobatto_iiic", "tr_bdf2", "lobatto_iiia_iiib"})
    BOOST_TEST_CONTEXT(type) {
      Vec3 r, v;
      const StepReport report = one_step(driven_sphere(0.03, 980), type, r, v);
      BOOST_TEST(report.solve.converged);
      BOOST_TEST(report.contacts == 1);
      BOOST_TEST(std::abs(r[0] + radius) < 1e-12);  // at the wall at the end of the step: gaps are solved to 1e-12 h
      BOOST_TEST(std::abs(v[0] + 0.5 * 0.1) < 1e-9);  // the impact law between the ends of the step
    }
}

// A kilometre in one step: the step says that it is no solution. It does not pretend that nothing was there.
BOOST_AUTO_TEST_CASE(a_body_that_runs_away_is_reported) {
  Vec3 r, v;
  BOOST_TEST(!one_step(driven_sphere(10, 2e7), "radau_iia", r, v).solve.converged);
}

// The fastest thing may be the wall.
BOOST_AUTO_TEST_CASE(a_fast_wall_finds_its_bodies) {
  Plan plan;
  plan.walls.push_back(model_test::typed("walls", "plane", {{"point", model_test::Reals{0, 0, 0}}, {"normal", model_test::Reals{0, 0, 1}},
                                                            {"displacement_z", "0.05*sin(150*t); 7.5*cos(150*t); -1125*sin(150*t)"}}));
  plan.add_sphere(1, radius, {0, 0, 0.03 + radius}, {0, 0, 0});
  for (const char* type : {"radau_iia", "tr_bdf2", "lobatto_iiia_iiib"})
    BOOST_TEST_CONTEXT(type) {
      Vec3 r, v;
      const StepReport report = one_step(plan, type, r, v);
      BOOST_TEST(report.solve.converged);
      BOOST_TEST(r[2] - radius - 0.05 * std::sin(150 * h) > -1e-12);
      BOOST_TEST(r[2] - radius > 0.0299);  // it never goes down
    }
}

BOOST_AUTO_TEST_SUITE_END()

// What the tableaus become in a step: the two-stage pair is RATTLE, two systems one after the other (Breuling 5.59, 5.60).
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "assembly/stage_scheme.hpp"
#include "integrators/integrator.hpp"
#include "solvers/small_systems.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

struct Step {
  std::vector<double> q, u;
};

Step one_step(const Plan& plan, const std::string& type, double h) {
  const auto system = system_of(plan, MPI_COMM_SELF, h);
  const auto solver = solver_of("hybrid", 1e-14, 1000);
  const auto integrator = IntegratorRegistry::instance().create(type, model_test::typed("integrators", type, {{"atol", 1e-14}, {"rtol", 1e-14}}), *solver);
  integrator->start(*system, h);
  BOOST_TEST(integrator->step(*system, h).solve.converged);
  return {gathered(*system, plan, false)[0], gathered(*system, plan, true)[0]};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(stage_schemes)

BOOST_AUTO_TEST_CASE(the_pair_with_two_stages_decouples) {
  const StageScheme x = stage_scheme(lobatto_iiia_iiib(2), false);
  BOOST_TEST(x.m() == 1);  // the last stage is the velocity level
  BOOST_TEST((x.unknown == std::vector<int>{0} && x.rows == std::vector<int>{1}));
  BOOST_TEST(x.velocity(1, 0) == 0.5);
  BOOST_TEST(x.position(1, 0) == 0.5);
  BOOST_TEST((x.A_hat.col(1).isZero(0) && x.AA_hat.col(1).isZero(0)));  // neither Q nor U depends on dU_2
  BOOST_TEST(x.S(0, 0) == 1.);
}

BOOST_AUTO_TEST_CASE(percussions_of_the_laws_are_those_of_the_thesis) {
  for (int s = 2; s <= 4; ++s) {
    const PartitionedTableau t = lobatto_iiia_iiib(s);
    BOOST_TEST(stage_scheme(t, false).S.isIdentity(0));  // (5.41)
    // (5.42): dPi = A_hat^-1 mu, to rounding of an inverse
    const MatX A_hat = t.A_hat.topLeftCorner(s - 1, s - 1);
    BOOST_TEST((stage_scheme(t, true).S * A_hat).isIdentity(1e-13));
  }
  for (const char* name : {"radau_iia_3", "lobatto_iiic_2", "sdirk_3", "tr_bdf2"}) {
    const Tableau t = tableau_from_name(name);
    const StageScheme x = stage_scheme(t);
    BOOST_TEST((x.S * implicit_block(t)).isIdentity(1e-13));  // (4.72)
    BOOST_TEST(x.m() == t.s - t.explicit_first_stage);
  }
}

// Without contacts RATTLE is the leapfrog method.
BOOST_AUTO_TEST_CASE(the_pair_with_two_stages_is_leapfrog) {
  const double m = 2, k = 300, h = 0.05, q = 1, u = 0.5;
  Plan plan;
  const auto a = plan.add_point(m, {q, 0, 0}, {u, 0, 0});
  plan.connect("spring_damper", {a}, {{"stiffness", k}});
  const Step step = one_step(plan, "lobatto_iiia_iiib", h);
  const double q_1 = q + h * (u - 0.5 * h * k / m * q), u_1 = u - 0.5 * h * k / m * (q + q_1);
  BOOST_TEST(std::abs(step.q[0] - q_1) < 1e-13);
  BOOST_TEST(std::abs(step.u[0] - u_1) < 1e-12);
}

// A mass on a circle, RATTLE by hand: q_1 = q + h u_half with |q_1| = L and a percussion along q, then u_1 normal to q_1.
BOOST_AUTO_TEST_CASE(the_pair_with_two_stages_is_rattle_on_a_constraint) {
  const double g = 10, h = 0.02;
  const Vec2 q(0.6, -0.8), u(0.8, 0.6);
  Plan plan;
  plan.gravity = {0, -g, 0};
  const auto a = plan.add(NodeKind::point_2d, 1.25, {q[0], q[1]}, {u[0], u[1]});
  plan.connect("distance_joint", {a}, {{"length", "1"}});
  const Step step = one_step(plan, "lobatto_iiia_iiib", h);
  // q_1 = p + s q with p = q + h (u - h/2 g e_y): the root of |p + s q| = 1 near zero.
  const Vec2 p = q + h * (u - 0.5 * h * Vec2(0, g));
  const double b = p.dot(q), s = -b + std::sqrt(b * b - p.squaredNorm() + 1);
  const Vec2 q_1 = p + s * q, u_half = (q_1 - q) / h, free = u_half - 0.5 * h * Vec2(0, g), u_1 = free - q_1 * q_1.dot(free);
  for (int i = 0; i < 2; ++i) {
    BOOST_TEST(std::abs(step.q[i] - q_1[i]) < 1e-12);
    BOOST_TEST(std::abs(step.u[i] - u_1[i]) < 1e-11);
  }
}

BOOST_AUTO_TEST_SUITE_END()

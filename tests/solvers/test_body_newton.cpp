// Newton and hybrid on the body view: same velocities as the sweeps, tight finish on packings.
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "assembly/velocity_problem.hpp"
#include "solvers/small_systems.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

constexpr double h = 1e-2;

/// Lattice of n x n x layers spheres that overlap a little, thrown at the floor.
Plan lattice(int n, int layers, double mu) {
  Plan plan;
  const double r = 0.1;
  for (int i = 0; i < n * n * layers; ++i) {
    const Vec3 site(i % n, i / n % n, i / (n * n));
    plan.add_sphere(1 + 0.3 * (i % 5), r, 0.1999 * site + Vec3(0, 0, 0.0999), Vec3(0.1 * std::sin(i), 0.1 * std::cos(3 * i), -1),
                    Vec3(0, std::sin(2 * i), 1));
  }
  plan.planes.resize(1);
  plan.planes[0].mu = mu;
  plan.law.mu = mu;
  plan.gravity = Vec3(0, 0, -10);
  return plan;
}

struct Solved {
  SolveReport report;
  std::vector<std::vector<double>> u;
};

Solved solve(const Plan& plan, const std::string& type, double tolerance, MPI_Comm comm = MPI_COMM_WORLD) {
  const auto system = system_of(plan, comm, h);
  VelocityProblem problem;
  problem.build(*system, {0, 0, h, h});
  Solved s;
  s.report = solver_of(type, tolerance, 20000)->solve(problem.problem());
  BOOST_TEST_MESSAGE(type << ": " << s.report.iterations << " iterations, " << s.report.newton_steps << " of Newton, residual " << s.report.residual);
  problem.store(*system);
  BOOST_TEST(ghost_error(*system, plan) == 0.);
  s.u = gathered(*system, plan, true);
  return s;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(newton_on_the_body_view)

BOOST_AUTO_TEST_CASE(separate_contacts_are_regular) {
  // Pairs that collide, spheres that hit the floor, a joint: every row has its own velocities.
  Plan plan;
  const double r = 0.1;
  plan.law = {0.3, 0.5, 0.2};
  plan.planes.resize(1);
  plan.planes[0].mu = 0.4;
  for (double k = 0; k < 5; ++k) {
    plan.add_sphere(1, r, {k, 0, 1}, {1, 0.2 * k, 0}, {0, 0, 3});
    plan.add_sphere(1 + k, r, {k + 0.1999, 0, 1}, {-1, 0, 0.1}, {0, 1, 0});
    plan.add_sphere(2, r, {k, 1, 0.0999}, {0.5, 0.1 * k, -1}, {0, k, 0});
  }
  const auto a = plan.add_sphere(2, r, {1, 3, 1}, {0.2, 0.1, -0.1}, {0, 1, 2}), b = plan.add_sphere(1, r, {1.5, 3, 1}, {-0.3, 0.4, 0.1}, {3, 0, 1});
  plan.connect("spherical_joint", {a, b}, {{"point_1", std::vector{0.25, 0., 0.}}, {"point_2", std::vector{-0.25, 0., 0.}}});
  const Solved reference = solve(plan, "gauss_seidel", 1e-13, MPI_COMM_SELF);
  for (const char* type : {"semismooth_newton", "hybrid", "iterative_projection"}) {
    const Solved s = solve(plan, type, 1e-12);
    BOOST_TEST(s.report.converged);
    // Residual 1e-12 times |P| in the energy norm (below 10), through sqrt(Theta) = 0.06 into angular velocities; the steps
    // of iterative_projection are half as long as those in the residual.
    BOOST_TEST(largest_difference(s.u, reference.u) < 4e-10);
  }
}

BOOST_AUTO_TEST_CASE(hybrid_finishes_frictionless_piles) {
  const Plan plan = lattice(4, 3, 0.);
  const Solved reference = solve(plan, "gauss_seidel", 1e-12, MPI_COMM_SELF);
  const Solved s = solve(plan, "hybrid", 1e-11);
  BOOST_TEST(s.report.converged);
  // Velocities are unique without friction. The residual of 1e-11 times the sweeps it takes to move it, some hundreds.
  BOOST_TEST(largest_difference(s.u, reference.u) < 1e-8);
}

BOOST_AUTO_TEST_CASE(hybrid_finishes_packings_with_friction) {
  for (const int layers : {3, 6}) {
    const Solved s = solve(lattice(5, layers, 0.4), "hybrid", 1e-9);
    BOOST_TEST(s.report.converged);
    BOOST_TEST(s.report.residual <= 1e-9);
  }
}

BOOST_AUTO_TEST_SUITE_END()

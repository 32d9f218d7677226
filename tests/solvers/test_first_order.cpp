// ADMM, projected gradient and accelerated Gauss-Seidel: the solutions of hybrid, the laws checked by hand, redundant rows,
// units, ranks, reports.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "assembly/velocity_problem.hpp"
#include "solvers/dense_problems.hpp"
#include "solvers/small_systems.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;
using namespace percussion::test;

namespace {

const std::vector<std::string> types = {"admm", "projected_gradient", "accelerated_gauss_seidel"};

struct Solution {
  SolveReport report;
  VecX P;
};

Solution solve(const DensePlan& plan, const std::string& type, double tolerance, MPI_Comm comm = MPI_COMM_WORLD, int most = 50000) {
  const auto problem = problem_of(plan, comm);
  Solution s;
  s.report = solver_of(type, tolerance, most)->solve(*problem);
  s.P = all_percussions(*problem);
  BOOST_TEST_MESSAGE(type << ": " << s.report.iterations << " iterations, residual " << s.report.residual);
  return s;
}

/// Contacts and bilateral rows, all on the six velocities of one body; c = W'v, so that stopping the body is a solution if
/// friction is large, and there always is one.
DensePlan one_body(int contacts, int seed, double mu) {
  DensePlan plan;
  for (int k = 0; k < contacts; ++k) plan.blocks.push_back(contact(mu));
  plan.blocks.push_back(bilateral(2));
  const int rows = 3 * contacts + 2;
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto number = [&] { return normal(random); };
  MatX W = MatX::NullaryExpr(6, rows, number);
  W.col(rows - 1) = 2 * W.col(rows - 2);  // the same constraint twice
  plan.G = W.transpose() * W;
  plan.c = W.transpose() * VecX::NullaryExpr(6, number);
  return plan;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(first_order_methods)

BOOST_DATA_TEST_CASE(agree_with_hybrid_on_regular_problems, data::xrange(6), seed) {
  const DensePlan plan = random_plan(2 + 3 * seed, 40 + seed);
  const Solution reference = solve(plan, "hybrid", 1e-12, MPI_COMM_SELF);
  BOOST_TEST(reference.report.converged);
  for (const auto& type : types) {
    const Solution s = solve(plan, type, 1e-12);
    BOOST_TEST_CONTEXT(type << ", seed " << seed) {
      BOOST_TEST(s.report.converged);
      BOOST_TEST((s.report.status() == SolveStatus::solved));
      // Residual 1e-12, times the condition of G (below 20) and of the friction on top.
      BOOST_TEST((s.P - reference.P).norm() < 1e-10);
      BOOST_TEST(violation(plan, s.P) < 1e-10);
    }
  }
}

BOOST_DATA_TEST_CASE(stages_of_radau, data::xrange(4), seed) {
  const DensePlan plan = staged(random_plan(2 + seed, 10 + seed), radau_2());
  const Solution reference = solve(plan, "gauss_seidel", 1e-12, MPI_COMM_SELF);
  for (const auto& type : types) {
    const Solution s = solve(plan, type, 1e-12);
    BOOST_TEST_CONTEXT(type << ", seed " << seed) {
      // G is not symmetric: projected gradients need not converge, but then they say so and leave something finite behind.
      if (type != "projected_gradient") BOOST_TEST(s.report.converged);
      if (!s.report.converged) BOOST_TEST((s.report.status() == SolveStatus::no_progress));
      BOOST_TEST(s.P.allFinite());
      if (s.report.converged) BOOST_TEST((s.P - reference.P).norm() < 1e-9);  // A has the condition 12 on top
    }
  }
}

BOOST_DATA_TEST_CASE(redundant_contacts_and_constraints, data::xrange(5), seed) {
  const DensePlan plan = one_body(3 + seed, 60 + seed, 0.5);
  for (const auto& type : types) {
    const Solution s = solve(plan, type, 1e-10);
    BOOST_TEST_CONTEXT(type << ", seed " << seed) {
      BOOST_TEST(s.report.converged);
      BOOST_TEST(violation(plan, s.P) < 1e-8);  // residual times |P| and a condition of 10 on the range of G
    }
  }
}

BOOST_AUTO_TEST_CASE(units_do_not_matter) {
  // Powers of two, so that all arithmetic is the same up to exponents: velocities in other units, masses in others again.
  const double velocity = std::exp2(12), inverse_mass = std::exp2(-20);
  const DensePlan plan = random_plan(5, 80);
  DensePlan other = plan;
  other.c *= velocity, other.G *= inverse_mass;
  for (BlockPlan& b : other.blocks) b.P_N *= velocity / inverse_mass;
  for (const auto& type : types) {
    const Solution one = solve(plan, type, 1e-9), two = solve(other, type, 1e-9);
    BOOST_TEST_CONTEXT(type) {
      BOOST_TEST(one.report.converged);
      BOOST_TEST(one.report.iterations == two.report.iterations);
      // Roundings of sums over ranks, which may be taken in any order, and of inverses.
      BOOST_TEST((two.P * inverse_mass / velocity - one.P).norm() < 1e-11 * one.P.norm());
    }
  }
}

BOOST_AUTO_TEST_CASE(start_at_the_solution_needs_nothing) {
  const DensePlan plan = random_plan(6, 81);
  for (const auto& type : types) {
    const auto problem = problem_of(plan, MPI_COMM_WORLD);
    BOOST_TEST(solver_of(type, 1e-10, 50000)->solve(*problem).converged);
    const SolveReport again = solver_of(type, 1e-10, 50000)->solve(*problem);
    BOOST_TEST(again.converged);
    BOOST_TEST(again.iterations == 0);
    // A tighter tolerance from there takes less than from nothing.
    const SolveReport tighter = solver_of(type, 1e-12, 50000)->solve(*problem), cold = solve(plan, type, 1e-12).report;
    BOOST_TEST(tighter.converged);
    BOOST_TEST(tighter.iterations < cold.iterations);
  }
}

BOOST_AUTO_TEST_CASE(reports_say_what_was_reached) {
  const DensePlan plan = random_plan(12, 82);
  for (const auto& type : types) {
    const Solution cut = solve(plan, type, 1e-13, MPI_COMM_WORLD, 3);
    BOOST_TEST_CONTEXT(type) {
      BOOST_TEST(!cut.report.converged);
      BOOST_TEST((cut.report.status() == SolveStatus::iteration_limit));
      BOOST_TEST(cut.report.iterations == 3);
      BOOST_TEST(cut.report.residual > 1e-13);
      // The residual is that of the percussions left behind.
      const auto problem = problem_of(plan, MPI_COMM_WORLD);
      PetscInt begin = 0;
      PETSC_CALL(MatGetOwnershipRange(problem->G, &begin, nullptr));
      std::copy_n(cut.P.data() + begin, problem->rows.P.size(), problem->rows.P.data());
      // No iteration is needed to confirm it, and one would be to do better.
      const SolveReport confirmed = solver_of("gauss_seidel", cut.report.residual * (1 + 1e-9), 1)->solve(*problem);
      BOOST_TEST(confirmed.iterations == 0);
      BOOST_TEST(confirmed.residual == cut.report.residual, boost::test_tools::tolerance(1e-9));
    }
  }
}

BOOST_AUTO_TEST_CASE(nothing_to_do) {
  AssembledProblem empty;
  empty.comm = MPI_COMM_WORLD;
  empty.G = make_matrix(MPI_COMM_WORLD, 0, CompressedRows{}).release();
  for (const auto& type : types) BOOST_TEST(solver_of(type, 1e-12, 10)->solve(empty).converged);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

constexpr double h = 1e-2;

/// Lattice of spheres that overlap a little, thrown at the floor, two of them in a joint.
Plan lattice(int n, int layers, double mu) {
  Plan plan;
  const double r = 0.1;
  for (int i = 0; i < n * n * layers; ++i) {
    const Vec3 site(i % n, i / n % n, i / (n * n));
    plan.add_sphere(1 + 0.3 * (i % 5), r, 0.1999 * site + Vec3(0, 0, 0.0999), Vec3(0.1 * std::sin(i), 0.1 * std::cos(3 * i), -1),
                    Vec3(0, std::sin(2 * i), 1));
  }
  plan.connect("spherical_joint", {0, 1}, {{"point_1", std::vector{0.1, 0., 0.}}, {"point_2", std::vector{-0.1, 0., 0.}}});
  plan.planes.resize(1);
  plan.planes[0].mu = plan.law.mu = mu;
  plan.gravity = Vec3(0, 0, -10);
  return plan;
}

struct Step {
  SolveReport report;
  std::vector<std::vector<double>> u;
};

Step step(const Plan& plan, const std::string& type, double tolerance, MPI_Comm comm = MPI_COMM_WORLD) {
  const auto system = system_of(plan, comm, h);
  VelocityProblem problem;
  problem.build(*system, {0, 0, h, h});
  Step s;
  s.report = solver_of(type, tolerance, 50000)->solve(problem.problem());
  BOOST_TEST_MESSAGE(type << ": " << s.report.iterations << " iterations, residual " << s.report.residual);
  problem.store(*system);
  BOOST_TEST(ghost_error(*system, plan) == 0.);
  s.u = gathered(*system, plan, true);
  return s;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(first_order_methods_in_the_body_view)

BOOST_AUTO_TEST_CASE(velocities_without_friction_are_unique) {
  const Plan plan = lattice(4, 3, 0.);
  const Step reference = step(plan, "gauss_seidel", 1e-12, MPI_COMM_SELF);
  for (const auto& type : types) {
    const Step s = step(plan, type, 1e-11);
    BOOST_TEST_CONTEXT(type) {
      BOOST_TEST(s.report.converged);
      // The residual of 1e-11 times the sweeps it takes to move it, some hundreds, as for hybrid.
      BOOST_TEST(largest_difference(s.u, reference.u) < 1e-8);
    }
  }
}

BOOST_AUTO_TEST_CASE(friction_converges) {
  for (const auto& type : types) {
    const Step s = step(lattice(4, 4, 0.4), type, 1e-7);
    BOOST_TEST_CONTEXT(type) {
      BOOST_TEST(s.report.converged);
      BOOST_TEST(s.report.residual <= 1e-7);
    }
  }
}

BOOST_AUTO_TEST_CASE(momentum_saves_sweeps) {
  // Half at least in a pile as deep as this, on any number of ranks (measured: a third to a quarter).
  const Plan plan = lattice(4, 8, 0.4);
  const Step plain = step(plan, "gauss_seidel", 1e-4), accelerated = step(plan, "accelerated_gauss_seidel", 1e-4);
  BOOST_TEST(plain.report.converged);
  BOOST_TEST(accelerated.report.converged);
  BOOST_TEST(2 * accelerated.report.iterations <= plain.report.iterations);
}

BOOST_AUTO_TEST_CASE(no_contact_at_all) {
  Plan plan;
  plan.add_sphere(1, 0.1, {0, 0, 1}, {1, 0, 0});
  for (const auto& type : types) BOOST_TEST(step(plan, type, 1e-10).report.converged);
}

BOOST_AUTO_TEST_SUITE_END()

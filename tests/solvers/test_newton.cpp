// All solvers on assembled problems: same solutions, the laws checked by hand, quadratic convergence, redundant contacts.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "solvers/dense_problems.hpp"
#include "solvers/hybrid.hpp"
#include "solvers/semismooth_newton.hpp"
#include "solvers/small_systems.hpp"
#include "solvers/sweep_loop.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;
using namespace percussion::test;

namespace {

const std::vector<std::string> all_types = {"gauss_seidel", "projected_jacobi", "iterative_projection", "semismooth_newton", "hybrid"};
const std::vector<std::string> robust_types = {"gauss_seidel", "projected_jacobi", "iterative_projection", "hybrid"};

struct Solution {
  SolveReport report;
  VecX P;
};

Solution solve(const DensePlan& plan, const std::string& type, double tolerance, MPI_Comm comm = MPI_COMM_WORLD) {
  const auto problem = problem_of(plan, comm);
  Solution s;
  s.report = solver_of(type, tolerance, 200000)->solve(*problem);
  s.P = all_percussions(*problem);
  return s;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(newton_and_friends)

BOOST_DATA_TEST_CASE(solvers_agree_on_regular_problems, data::xrange(6), seed) {
  const DensePlan plan = random_plan(2 + seed, seed);
  const Solution reference = solve(plan, "gauss_seidel", 1e-12, MPI_COMM_SELF);
  for (const auto& type : all_types) {
    const Solution s = solve(plan, type, 1e-12);
    BOOST_TEST_MESSAGE(type << ": " << s.report.iterations << " iterations, " << s.report.newton_steps << " of Newton, residual " << s.report.residual);
    BOOST_TEST_CONTEXT(type << ", seed " << seed) {
      BOOST_TEST(s.report.converged);
      // Residual 1e-12, times the condition of G (below 20) and of the friction on top.
      BOOST_TEST((s.P - reference.P).norm() < 1e-10);
      BOOST_TEST(violation(plan, s.P) < 1e-10);
    }
  }
}

BOOST_DATA_TEST_CASE(stages_of_radau_are_relaxed_together, data::xrange(4), seed) {
  const DensePlan plan = staged(random_plan(2 + seed, 10 + seed), radau_2());
  const Solution reference = solve(plan, "gauss_seidel", 1e-12, MPI_COMM_SELF);
  BOOST_TEST(reference.report.converged);
  for (const auto& type : all_types) {
    const Solution s = solve(plan, type, 1e-12);
    BOOST_TEST_MESSAGE(type << ": " << s.report.iterations << " iterations, " << s.report.newton_steps << " of Newton, residual " << s.report.residual);
    BOOST_TEST_CONTEXT(type << ", seed " << seed) {
      BOOST_TEST(s.report.converged);
      BOOST_TEST((s.P - reference.P).norm() < 1e-9);  // A has the condition 12 on top
      BOOST_TEST(violation(plan, s.P) < 1e-9);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_group_alone_is_solved_in_one_sweep) {
  for (int seed = 0; seed < 5; ++seed) {
    DensePlan one = random_plan(1, 20 + seed);
    one.blocks.resize(1);
    one.G = one.G.topLeftCorner(3, 3).eval(), one.c = one.c.head(3).eval();
    one.c[0] = -1;
    const Solution s = solve(staged(one, radau_2()), "gauss_seidel", 1e-12);
    // The first check after sweeps finds it solved.
    BOOST_TEST(s.report.converged);
    BOOST_TEST(s.report.iterations == first_check);
  }
  // Position-level constraints at the stages: a direct inverse.
  DensePlan joint = random_plan(0, 3);
  joint.blocks = {bilateral(4)};
  const auto problem = problem_of(staged(joint, radau_2()), MPI_COMM_WORLD);
  BOOST_TEST(problem->rows.blocks.size() <= 2);  // ranks without rows take part
  const Parameters p = model_test::typed("solvers", "gauss_seidel", {{"tolerance", 1e-13}, {"max_iterations", 1}, {"check_every", 1}});
  BOOST_TEST(SolverRegistry::instance().create("gauss_seidel", p)->solve(*problem).converged);
}

BOOST_AUTO_TEST_CASE(newton_converges_quadratically) {
  SolverOptions options;
  options.tolerance = 1e-13, options.max_iterations = 50, options.history = true;
  for (int seed = 0; seed < 5; ++seed) {
    for (const int dense_rows : {newton_dense_rows, 0}) {  // 0: the sparse factorisation
      const DensePlan plan = random_plan(6, 30 + seed);
      const auto problem = problem_of(plan, MPI_COMM_WORLD);
      const SolveReport report = semismooth_newton(*problem, options, dense_rows);
      BOOST_TEST(report.converged);
      BOOST_TEST(report.iterations <= 10);
      BOOST_TEST(violation(plan, all_percussions(*problem)) < 1e-10);
      // Once the residual is small, each step at least squares it up to a factor (the curvature of the discs) and rounding.
      const auto& r = report.history;
      for (std::size_t k = 0; k + 1 < r.size(); ++k)
        if (r[k] < 1e-3) BOOST_TEST(r[k + 1] <= 100 * r[k] * r[k] + 1e-14);
    }
  }
}

BOOST_AUTO_TEST_CASE(ranks_without_rows) {
  DensePlan plan = random_plan(0, 5);
  plan.blocks = {contact(0.3), bilateral(1)};
  plan.c[0] = -1;
  const VecX reference = solve(plan, "gauss_seidel", 1e-12, MPI_COMM_SELF).P;
  SolverOptions options;
  options.tolerance = 1e-12;
  for (const int dense_rows : {newton_dense_rows, 0}) {
    const auto problem = problem_of(plan, MPI_COMM_WORLD);
    BOOST_TEST(semismooth_newton(*problem, options, dense_rows).converged);
    BOOST_TEST((all_percussions(*problem) - reference).norm() < 1e-10);  // as above
  }
  // No rows at all: nothing to do.
  AssembledProblem empty;
  empty.comm = MPI_COMM_WORLD;
  empty.G = make_matrix(MPI_COMM_WORLD, 0, CompressedRows{}).release();
  for (const auto& type : all_types) BOOST_TEST(solver_of(type, 1e-12, 10)->solve(empty).converged);
}

/// Rows of a rigid body (mass 1, inertia theta) at points r, normals n: normal and two tangents each.
DensePlan rigid_body(double theta, const std::vector<Vec3>& points, const std::vector<Vec3>& normals, const Vec3& v, double mu) {
  DensePlan plan;
  const auto n = static_cast<Eigen::Index>(points.size());
  MatX W(6, 3 * n);
  for (Eigen::Index k = 0; k < n; ++k) {
    Mat3 frame;
    frame.col(0) = normals[k];
    frame.rightCols<2>() = tangent_frame<double>(normals[k]);
    for (int r = 0; r < 3; ++r) {
      W.col(3 * k + r).head<3>() = frame.col(r);
      W.col(3 * k + r).tail<3>() = points[k].cross(frame.col(r));
    }
    plan.blocks.push_back(contact(mu));
  }
  const VecX inverse_mass = (VecX(6) << 1, 1, 1, 1 / theta, 1 / theta, 1 / theta).finished();
  plan.G = W.transpose() * inverse_mass.asDiagonal() * W;
  plan.c = W.topRows(3).transpose() * v;
  return plan;
}

BOOST_DATA_TEST_CASE(redundant_contacts, data::xrange(3), which) {
  const double r = 0.5;
  const std::vector<DensePlan> plans = {
      // Ball in a corner: turning about the line through both points moves neither. Pressed in: both stick.
      rigid_body(0.4 * r * r, {{0, 0, -r}, {-r, 0, 0}}, {{0, 0, 1}, {1, 0, 0}}, {-1, 0.1, -1}, 0.8),
      // Three legs, nine rows, six velocities.
      rigid_body(0.3, {{1, 0, -1}, {-0.5, 0.8, -1}, {-0.5, -0.8, -1}}, {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, {0.1, 0.05, -1}, 0.6),
      // Four legs: the normal percussions are redundant, too.
      rigid_body(0.3, {{1, 1, -1}, {-1, 1, -1}, {-1, -1, -1}, {1, -1, -1}}, {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, {0.1, 0.05, -1}, 0.6)};
  const DensePlan& plan = plans[which];
  for (const int dense_rows : {newton_dense_rows, 0}) {
    const auto problem = problem_of(plan, MPI_COMM_WORLD);
    SolverOptions options;
    options.tolerance = 1e-12;
    const SolveReport plain = semismooth_newton(*problem, options, dense_rows);
    BOOST_TEST(plain.singular);
    BOOST_TEST(!plain.converged);
    BOOST_TEST(all_percussions(*problem).allFinite());
  }
  const VecX reference = plan.G * solve(plan, "gauss_seidel", 1e-12, MPI_COMM_SELF).P;
  for (const auto& type : robust_types) {
    const Solution s = solve(plan, type, 1e-12);
    BOOST_TEST_MESSAGE(type << ": " << s.report.iterations << " iterations, " << s.report.newton_steps << " of Newton, residual " << s.report.residual);
    BOOST_TEST_CONTEXT(type << ", plan " << which) {
      BOOST_TEST(s.report.converged);
      BOOST_TEST(violation(plan, s.P) < 1e-10);  // residual times a condition of 10 to 100 on the range of G
      BOOST_TEST((plan.G * s.P - reference).norm() < 1e-10);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

// The residual of the comparisons: the formula written out anew, the projection by its variational inequality, solvers
// that stop by it.
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "solvers/cone_residual.hpp"
#include "solvers/dense_problems.hpp"
#include "solvers/row_velocities.hpp"
#include "solvers/small_systems.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

std::mt19937 generator(7);
double normal() { return std::normal_distribution<double>()(generator); }

/// Natural map of one contact with a disc, case by case.
Vec3 natural_map_by_cases(double mu, const Vec3& u, const Vec3& r) {
  Vec3 z = r - u;
  z[0] -= mu * std::hypot(u[1], u[2]);
  const double t = std::hypot(z[1], z[2]);
  if (mu * t <= -z[0]) return r;
  if (t <= mu * z[0]) return r - z;
  const double a = (z[0] + mu * t) / (1 + mu * mu);
  return r - Vec3(a, mu * a * z[1] / t, mu * a * z[2] / t);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(residual_on_the_friction_cone)

BOOST_AUTO_TEST_CASE(same_as_an_independent_evaluation) {
  for (int seed = 0; seed < 5; ++seed) {
    DensePlan plan = random_plan(12, seed, 0.2 + 0.2 * seed);
    const auto problem = problem_of(plan, MPI_COMM_WORLD);
    problem->measure = ResidualMeasure::cone;
    RowVelocities velocities(*problem);
    generator.seed(seed);  // the same on all ranks
    const VecX all = VecX::NullaryExpr(plan.c.size(), [] { return normal(); });
    PetscInt begin = 0;
    PETSC_CALL(MatGetOwnershipRange(problem->G, &begin, nullptr));
    for (std::size_t r = 0; r < problem->rows.P.size(); ++r) problem->rows.P[r] = all[begin + static_cast<PetscInt>(r)];
    const VecX psi = plan.G * all + plan.c;
    double F2 = 0;
    int row = 0;
    for (const BlockPlan& b : plan.blocks) {
      if (b.bilateral) F2 += psi.segment(row, b.rows).squaredNorm();
      else if (b.has_normal) F2 += natural_map_by_cases(b.laws[0].set.mu[0], psi.segment<3>(row), all.segment<3>(row)).squaredNorm();
      else F2 += std::pow(all[row] - std::clamp(all[row] - psi[row], -b.P_N * b.laws[0].set.mu[0], b.P_N * b.laws[0].set.mu[0]), 2);
      row += b.rows;
    }
    const double expected = std::sqrt(F2) / std::max({plan.c.norm(), all.norm(), psi.norm()});
    BOOST_TEST(std::abs(velocities.residual() / expected - 1) < 1e-12);  // rounding of sums of 40 terms
  }
}

BOOST_AUTO_TEST_CASE(projection_on_several_reservoirs) {
  // Sliding, rolling and pivoting; the projection p of z is the one point of K with (z - p)'(k - p) <= 0 for all k of K.
  const RowLaw laws[] = {{coulomb_disc(0.4), 1, 1.}, {coulomb_rectangle(0.1, 0.7), 3, 1.}, {constant_reservoir(SetKind::interval, 0.3), 5, 1.}};
  RowBlock block{};
  block.rows = 6, block.laws = 3, block.has_normal = true;
  const auto member = [&](const SmallVec& p, double slack) {
    return p[0] >= -slack && std::hypot(p[1], p[2]) <= 0.4 * p[0] + slack && std::abs(p[3]) <= 0.1 * p[0] + slack &&
           std::abs(p[4]) <= 0.7 * p[0] + slack && std::abs(p[5]) <= 0.3 + slack;
  };
  for (int trial = 0; trial < 300; ++trial) {
    SmallVec z(6);
    for (int r = 0; r < 6; ++r) z[r] = normal();
    SmallVec p = z;
    project_on_reservoirs(block, laws, p.data());
    BOOST_TEST(member(p, 1e-14));
    for (int k = 0; k < 50; ++k) {
      SmallVec other(6);
      other[0] = std::abs(normal());
      const double angle = 3 * normal(), radius = 0.4 * other[0];
      other[1] = radius * std::cos(angle), other[2] = radius * std::sin(angle);
      other[3] = 0.1 * other[0] * std::sin(normal()), other[4] = 0.7 * other[0] * std::sin(2 * normal()), other[5] = 0.3 * std::sin(normal());
      BOOST_TEST(member(other, 1e-14));
      BOOST_TEST((z - p).dot(other - p) < 1e-13);
    }
  }
}

BOOST_AUTO_TEST_CASE(solvers_stop_by_it) {
  const DensePlan plan = random_plan(5, 3);
  for (const char* type : {"gauss_seidel", "projected_jacobi", "semismooth_newton", "hybrid"}) {
    const auto problem = problem_of(plan, MPI_COMM_WORLD);
    problem->measure = ResidualMeasure::cone;
    const SolveReport report = solver_of(type, 1e-11, 100000)->solve(*problem);
    BOOST_TEST((report.status() == SolveStatus::solved));
    BOOST_TEST(violation(plan, all_percussions(*problem)) < 1e-9);  // residual times a condition below 20
    BOOST_TEST(std::abs(RowVelocities(*problem).residual() - report.residual) < 1e-14);
  }
}

BOOST_AUTO_TEST_SUITE_END()

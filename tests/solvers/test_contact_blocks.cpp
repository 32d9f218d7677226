// The hybrid solver on one rank: exact contacts, the sparse block factorisation, independence of units, warm starts, honest
// reports.
#include <boost/test/unit_test.hpp>

#include <Eigen/LU>

#include <cmath>

#include "solvers/block_factor.hpp"
#include "solvers/dense_problems.hpp"
#include "solvers/hybrid.hpp"
#include "solvers/row_velocities.hpp"
#include "solvers/small_systems.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

struct Random {
  explicit Random(int seed) : generator(seed) {}
  double operator()() { return std::normal_distribution<double>()(generator); }
  MatX matrix(int rows, int columns) {
    return MatX::NullaryExpr(rows, columns, [&] { return (*this)(); });
  }
  std::mt19937 generator;
};

/// Contacts of every kind that blocks know, on a chain of bodies: block k couples with its neighbours only.
DensePlan chain(int blocks, int seed, bool redundant) {
  Random random(seed);
  DensePlan plan;
  std::vector<int> first;
  int rows = 0;
  for (int k = 0; k < blocks; ++k) {
    BlockPlan planar{2, false, true, 0, {{coulomb_interval(0.4), 1, 0.}}, 1};
    plan.blocks.push_back(k % 7 == 3 ? bilateral(5) : k % 7 == 5 ? planar : contact(0.2 + 0.1 * (k % 4)));
    first.push_back(rows), rows += plan.blocks.back().rows;
  }
  // Six velocities between two blocks; with fewer bodies than rows, contacts are redundant.
  const int bodies = blocks / (redundant ? 3 : 1) + 1;
  MatX W = MatX::Zero(6 * bodies, rows);
  for (int k = 0; k < blocks; ++k) {
    const int body = k * (bodies - 1) / blocks;
    W.block(6 * body, first[k], 12, plan.blocks[k].rows) = random.matrix(12, plan.blocks[k].rows);
  }
  plan.G = W.transpose() * W;
  // Velocities of the bodies: a state with u = 0 exists, so the problem is solvable.
  plan.c = W.transpose() * random.matrix(6 * bodies, 1);
  return plan;
}

SolveReport solve(const DensePlan& plan, double tolerance, VecX& P, int most = 20000) {
  const auto problem = problem_of(plan, MPI_COMM_SELF);
  BOOST_TEST(fits_contact_blocks(problem->rows));
  std::copy(P.data(), P.data() + P.size(), problem->rows.P.data());
  HybridOptions options;
  options.sweeps.tolerance = tolerance, options.sweeps.max_iterations = most;
  const SolveReport report = hybrid(*problem, options);
  P = Eigen::Map<const VecX>(problem->rows.P.data(), P.size());
  return report;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hybrid_on_contact_blocks)

BOOST_AUTO_TEST_CASE(one_contact_is_solved_exactly) {
  Random random(1);
  int states[3] = {0, 0, 0};
  for (int trial = 0; trial < 3000; ++trial) {
    const MatX W = random.matrix(6, 3);
    Mat3 A = W.transpose() * W / 6;
    if (trial % 3 == 0) A += 0.01 * random.matrix(3, 3);  // not symmetric
    const Vec3 q = random.matrix(3, 1);
    const double mu = trial % 10 == 0 ? 0. : std::abs(random());
    const OneContact one(A.data());
    Vec3 r;
    double lambda = trial % 2 == 0 ? 0. : 0.3;
    one.solve(mu, q.data(), lambda, r.data());
    const Vec3 u = A * r + q;
    const double size = 1e-9 * (1 + q.norm() + r.norm());  // the scalar equation is solved to 1e-12, A has a condition up to 1000
    BOOST_TEST(r[0] >= 0);
    BOOST_TEST(u[0] > -size);
    BOOST_TEST(std::abs(r[0] * u[0]) < size);
    BOOST_TEST(r.tail<2>().norm() <= mu * r[0] * (1 + 1e-12));
    BOOST_TEST(std::abs(mu * r[0] * u.tail<2>().norm() + r.tail<2>().dot(u.tail<2>())) < size);
    ++states[r[0] == 0 ? 0 : r.tail<2>().norm() < mu * r[0] * (1 - 1e-9) ? 1 : 2];
  }
  for (const int count : states) BOOST_TEST(count > 100);  // open, stick and slip have all been there
}

BOOST_AUTO_TEST_CASE(factorisation_agrees_with_a_dense_one) {
  Random random(2);
  const DensePlan plan = chain(30, 5, true);
  const auto problem = problem_of(plan, MPI_COMM_SELF);
  const RowVelocities velocities(*problem);
  const ContactBlocks blocks(problem->rows, velocities.G());
  const int n = blocks.size();
  BOOST_TEST(n > 30);  // long bilateral blocks are cut
  std::vector<BlockEquation> equation(n);
  std::vector<char> takes_part(n);
  MatX J = MatX::Identity(3 * n, 3 * n);
  VecX rhs = VecX::Zero(3 * n);
  const double eps = 0.01;
  for (int k = 0; k < n; ++k) {
    takes_part[k] = k % 5 != 2;
    equation[k].A = Mat3::Identity() + 0.1 * random.matrix(3, 3), equation[k].B = 0.1 * random.matrix(3, 3);
  }
  for (int k = 0; k < n; ++k) {
    if (!takes_part[k]) continue;
    rhs.segment<3>(3 * k) = random.matrix(3, 1);
    J.block<3, 3>(3 * k, 3 * k) = equation[k].B + eps * equation[k].A;
    for (std::int32_t e = blocks.begin(k); e < blocks.end(k); ++e)
      if (takes_part[blocks.column(e)]) J.block<3, 3>(3 * k, 3 * blocks.column(e)) += equation[k].A * Eigen::Map<const Mat3>(blocks.block(e));
  }
  BlockFactor factor(blocks);
  BOOST_TEST(factor.factorise(takes_part, equation, eps));
  std::vector<double> x(rhs.data(), rhs.data() + rhs.size());
  factor.solve(x);
  const VecX error = J * Eigen::Map<const VecX>(x.data(), 3 * n) - rhs;
  // Backward error of an elimination without pivoting between blocks: growth below 1e3 here.
  BOOST_TEST(error.norm() < 1e-13 * 1e3 * J.norm() * Eigen::Map<const VecX>(x.data(), 3 * n).norm());
}

BOOST_AUTO_TEST_CASE(redundant_and_mixed_problems) {
  for (int seed = 0; seed < 12; ++seed) {
    for (const bool redundant : {false, true}) {
      DensePlan plan = chain(24, seed, redundant);
      if (seed % 3 == 2) {  // slightly unsymmetric, as stored problems are
        Random random(seed);
        plan.G.array() *= 1 + 1e-4 * random.matrix(static_cast<int>(plan.G.rows()), static_cast<int>(plan.G.cols())).array();
      }
      VecX P = VecX::Zero(plan.c.size());
      const SolveReport report = solve(plan, 1e-10, P);
      BOOST_TEST_MESSAGE("seed " << seed << (redundant ? ", redundant: " : ": ") << report.iterations << " iterations, " << report.newton_steps
                                 << " of Newton, residual " << report.residual);
      BOOST_TEST_CONTEXT("seed " << seed << ", redundant " << redundant) {
        BOOST_TEST((report.status() == SolveStatus::solved));
        // Velocities and percussions of size one to ten, G of size 20: the residual times that.
        BOOST_TEST(violation(plan, P) < 1e-10 * 20 * (1 + P.norm()));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(units_do_not_matter) {
  const DensePlan plan = chain(24, 3, true);
  VecX P = VecX::Zero(plan.c.size());
  const SolveReport report = solve(plan, 1e-9, P);
  BOOST_TEST(report.newton_steps > 0);
  // Powers of two: not even the rounding differs.
  for (const auto& [G, c] : {std::pair{0x1p20, 0x1p-30}, {0x1p-14, 1.}, {1., 0x1p14}}) {
    DensePlan scaled = plan;
    scaled.G *= G, scaled.c *= c;
    VecX P_scaled = VecX::Zero(plan.c.size());
    const SolveReport other = solve(scaled, 1e-9, P_scaled);
    BOOST_TEST(other.iterations == report.iterations);
    BOOST_TEST(other.newton_steps == report.newton_steps);
    BOOST_TEST((P_scaled * (G / c) - P).norm() < 1e-12 * P.norm());  // scales s are square roots: odd powers round
  }
}

BOOST_AUTO_TEST_CASE(units_do_not_matter_on_the_way_to_the_residual_of_files) {
  // That residual depends on units, so the ends differ; the way must not. Twenty sweeps, then Newton steps.
  const DensePlan plan = chain(24, 3, true);
  const auto after = [&](double G, double c, int most) {
    DensePlan scaled = plan;
    scaled.G *= G, scaled.c *= c;
    const auto problem = problem_of(scaled, MPI_COMM_SELF);
    problem->measure = ResidualMeasure::cone;
    HybridOptions options;
    options.sweeps.tolerance = 1e-300, options.sweeps.max_iterations = most;
    const SolveReport report = hybrid(*problem, options);
    BOOST_TEST(report.iterations == most);
    return VecX(Eigen::Map<const VecX>(problem->rows.P.data(), plan.c.size()) * (G / c));
  };
  // The last iterate is the best one as long as residuals fall.
  for (const int most : {20, 50}) {
    const VecX P = after(1, 1, most);
    for (const auto& [G, c] : {std::pair{0x1p20, 0x1p-30}, {0x1p-14, 1.}, {1., 0x1p14}}) BOOST_TEST((after(G, c, most) - P).norm() < 1e-11 * P.norm());
  }
}

BOOST_AUTO_TEST_CASE(a_solution_as_start_costs_one_check) {
  const DensePlan plan = chain(24, 4, true);
  VecX P = VecX::Zero(plan.c.size());
  BOOST_TEST(solve(plan, 1e-9, P).converged);
  const VecX start = P;
  const SolveReport again = solve(plan, 1e-9, P);
  BOOST_TEST(again.converged);
  BOOST_TEST(again.iterations == 0);
  BOOST_TEST((P - start).norm() == 0.);
}

BOOST_AUTO_TEST_CASE(no_success_without_a_solution) {
  // One body between two walls that approach each other: u_1 + u_2 = -2 whatever the percussions.
  DensePlan plan;
  plan.blocks = {contact(0.3), contact(0.3)};
  plan.G = MatX::Identity(6, 6), plan.c = VecX::Zero(6);
  plan.G(0, 3) = plan.G(3, 0) = -1, plan.c[0] = plan.c[3] = -1;
  for (const ResidualMeasure measure : {ResidualMeasure::energy, ResidualMeasure::cone}) {
    for (const int most : {30, 100000}) {
      const auto problem = problem_of(plan, MPI_COMM_SELF);
      problem->measure = measure;
      HybridOptions options;
      options.sweeps.tolerance = 1e-8, options.sweeps.max_iterations = most;
      const SolveReport report = hybrid(*problem, options);
      BOOST_TEST((report.status() == (most == 30 ? SolveStatus::iteration_limit : SolveStatus::no_progress)));
      BOOST_TEST(report.residual > 1e-8);
      BOOST_TEST(report.iterations <= most);
      BOOST_TEST(std::abs(RowVelocities(*problem).residual() - report.residual) < 1e-12);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

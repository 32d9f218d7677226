// The assembled view: same problem, same solution as the body view; properties of G; sweeps on any number of ranks.
#include <boost/test/unit_test.hpp>

#include <Eigen/Eigenvalues>

#include <cmath>

#include "assembly/implicit_problem.hpp"
#include "assembly/petsc.hpp"
#include "solvers/small_systems.hpp"
#include "assembly/velocity_problem.hpp"
#include "solvers/assembled_sweep.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

constexpr double h = 1e-3, r = 0.1;

Plane plane(Vec3 n, double offset, double e_N) {
  Plane p;
  n.normalize();
  for (int k = 0; k < 3; ++k) p.n[k] = n[k];
  p.offset = offset, p.mu = 0.3, p.e_N = e_N;
  return p;
}

// Eight spheres that touch each other, the floor and two walls; two more hang together in a spherical joint, one of them
// rests on a declared plane with friction.
Plan pile() {
  Plan plan;
  plan.gravity = {0, 0, -9.81};
  plan.law = {0.4, 0.2, 0.};
  plan.planes = {plane({0, 0, 1}, 0, 0.), plane({1, 0, 0}, 0, 0.1), plane({0, 1, 0}, 0, 0.)};
  const double d = 2 * r - 1e-6;
  for (int i = 0; i < 8; ++i) {
    const double x = r + d * (i % 2) - 1e-6, y = r + d * (i / 2 % 2) - 1e-6, z = r + d * (i / 4) - 1e-6;
    plan.add_sphere(1 + 0.1 * i, r, {x, y, z}, {0.1 * std::sin(i), 0.2 * std::cos(3 * i), -0.3 - 0.05 * i}, {0.5 * i, -1, 0.3 * i * i - 2});
  }
  const auto a = plan.add_sphere(2, r, {1, 1, r}, {0.2, 0.1, -0.1}, {0, 1, 2});
  const auto b = plan.add_sphere(1, r, {1.5, 1, 0.4}, {-0.3, 0.4, 0.1}, {3, 0, 1});
  plan.connect("spherical_joint", {a, b}, {{"point_1", std::vector{0.25, 0., 0.15}}, {"point_2", std::vector{-0.25, 0., -0.15}}});
  plan.connect("contact_plane", {b}, {{"normal", std::vector{0., 0., 1.}}, {"plane_point", std::vector{0., 0., 0.3}}, {"radius", 0.1},
                                      {"e_N", 0.5}, {"friction", model_test::friction({{{"mu", std::vector{0.3}}}})}});
  return plan;
}

const ThetaStep theta_step{0., h, 0.5};

/// All of G, on every rank.
MatX dense(const AssembledProblem& problem) {
  if (!problem.G) {
    const CompressedRows& rows = problem.G_alone;
    const auto size = static_cast<Eigen::Index>(rows.first.size()) - 1;
    MatX G = MatX::Zero(size, size);
    for (Eigen::Index i = 0; i < size; ++i)
      for (PetscInt k = rows.first[i]; k < rows.first[i + 1]; ++k) G(i, rows.column[k]) = rows.value[k];
    return G;
  }
  PetscInt n = 0;
  PETSC_CALL(MatGetSize(problem.G, &n, nullptr));
  MatX G = MatX::Zero(n, n);
  PetscInt begin = 0, end = 0;
  PETSC_CALL(MatGetOwnershipRange(problem.G, &begin, &end));
  for (PetscInt i = begin; i < end; ++i) {
    PetscInt m = 0;
    const PetscInt* column = nullptr;
    const double* value = nullptr;
    PETSC_CALL(MatGetRow(problem.G, i, &m, &column, &value));
    for (PetscInt k = 0; k < m; ++k) G(i, column[k]) = value[k];
    PETSC_CALL(MatRestoreRow(problem.G, i, &m, &column, &value));
  }
  MPI_Allreduce(MPI_IN_PLACE, G.data(), static_cast<int>(G.size()), MPI_DOUBLE, MPI_SUM, problem.comm);
  return G;
}

std::vector<std::vector<double>> body_view(const Plan& plan, MPI_Comm comm) {
  const auto system = system_of(plan, comm, h);
  VelocityProblem problem;
  problem.build(*system, {0.5 * h, 0.5 * h, h, h});
  const SolveReport report = solver_of("gauss_seidel", 1e-13, 100000)->solve(problem.problem());
  BOOST_TEST(report.converged);
  problem.store(*system);
  BOOST_TEST(ghost_error(*system, plan) == 0.);
  return gathered(*system, plan, true);
}

/// Error of a solution after linear convergence: the residual fell by its own size, so by log(1 / residual) e-foldings,
/// in n sweeps; what is left to go is the last residual times n / log(1 / residual), relative to |P| in the energy norm.
double estimated_error(const AssembledProblem& problem, const SolveReport& report) {
  const GeneralRows& rows = problem.rows;
  double P2 = 0;
  for (const RowBlock& block : rows.blocks) {
    const VecX P = Eigen::Map<const VecX>(rows.P.data() + block.first_row, block.rows);
    P2 += P.dot(block.G * P);
  }
  MPI_Allreduce(MPI_IN_PLACE, &P2, 1, MPI_DOUBLE, MPI_SUM, problem.comm);
  return report.residual * std::sqrt(P2) * report.iterations / std::log(1 / report.residual);
}

std::vector<std::vector<double>> assembled_view(const Plan& plan, MPI_Comm comm, const std::string& solver, double* error = nullptr) {
  const auto system = system_of(plan, comm, h);
  ImplicitProblem problem;
  problem.begin(*system, theta_step, system->nodes.q());
  problem.linearise(*system);
  const SolveReport report = solver_of(solver, 1e-13, 1000000)->solve(problem.problem());
  BOOST_TEST(report.converged);
  const double estimate = estimated_error(problem.problem(), report);
  BOOST_TEST_MESSAGE(solver << ": " << report.iterations << " sweeps, estimated error " << estimate);
  if (error) *error = estimate;
  const NewtonChange change = problem.advance(*system);
  BOOST_TEST(change.residual < 1e-11);  // nothing nonlinear here: rounding, or the linear solver's 1e-12
  problem.store(*system);
  BOOST_TEST(ghost_error(*system, plan) == 0.);
  return gathered(*system, plan, true);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(assembled_view_of_the_inclusion_problem)

// estimated_error() gives 1e-12 to 1e-11 for Gauss-Seidel on 1 to 4 ranks and 3e-11 for Jacobi in the pile without springs.
constexpr double agreement = 1e-10;

BOOST_AUTO_TEST_CASE(body_view_and_assembled_view_agree) {
  const Plan plan = pile();
  const auto body = body_view(plan, MPI_COMM_WORLD);
  const auto assembled = assembled_view(plan, MPI_COMM_WORLD, "gauss_seidel");
  BOOST_TEST(largest_difference(body, assembled) < agreement);
}

BOOST_AUTO_TEST_CASE(solutions_do_not_depend_on_the_ranks) {
  const Plan plan = pile();
  const auto together = assembled_view(plan, MPI_COMM_WORLD, "gauss_seidel"), alone = assembled_view(plan, MPI_COMM_SELF, "gauss_seidel");
  BOOST_TEST(largest_difference(together, alone) < agreement);
  BOOST_TEST(largest_difference(body_view(plan, MPI_COMM_WORLD), body_view(plan, MPI_COMM_SELF)) < agreement);
}

BOOST_AUTO_TEST_CASE(jacobi_and_gauss_seidel_agree) {
  const Plan plan = pile();
  BOOST_TEST(largest_difference(assembled_view(plan, MPI_COMM_WORLD, "projected_jacobi"), assembled_view(plan, MPI_COMM_WORLD, "gauss_seidel")) <
             agreement);
}

BOOST_AUTO_TEST_CASE(delassus_operator_of_springs_is_symmetric_and_positive) {
  Plan plan = pile();
  // Forces on the difference of two centres: K is symmetric.
  for (std::int64_t i = 0; i < 9; ++i) plan.connect("spring_damper", {i, i + 1}, {{"stiffness", 1e5}, {"damping", 10.}});
  const auto system = system_of(plan, MPI_COMM_WORLD, h);
  ImplicitProblem problem;
  problem.begin(*system, theta_step, system->nodes.q());
  problem.linearise(*system);
  const MatX G = dense(problem.problem());
  BOOST_TEST(G.rows() >= 3 * 20);  // 12 pairs, 12 walls in the pile, joint, declared contact
  const double size = G.norm();
  BOOST_TEST((G - G.transpose()).norm() < 1e-13 * size);  // rounding of the LU factorisation
  const VecX lambda = Eigen::SelfAdjointEigenSolver<MatX>(0.5 * (G + G.transpose())).eigenvalues();
  BOOST_TEST(lambda.minCoeff() > -1e-13 * size);
  // The diagonal blocks are those of G.
  PetscInt begin = 0, end = 0;
  if (problem.problem().G) PETSC_CALL(MatGetOwnershipRange(problem.problem().G, &begin, &end));
  for (const RowBlock& block : problem.problem().rows.blocks)
    BOOST_TEST((block.G - G.block(begin + block.first_row, begin + block.first_row, block.rows, block.rows)).norm() == 0.);
}

BOOST_AUTO_TEST_CASE(energy_falls_in_every_sweep) {
  // Bilateral and frictionless rows: then 1/2 P'GP + c'P is what the sweeps minimise, on any number of ranks.
  Plan plan = pile();
  plan.law.mu = 0;
  for (Plane& p : plan.planes) p.mu = 0;
  plan.contributions.pop_back();
  for (std::int64_t i = 0; i < 9; ++i) plan.connect("spring_damper", {i, i + 1}, {{"stiffness", 1e5}});
  const auto system = system_of(plan, MPI_COMM_WORLD, h);
  ImplicitProblem problem;
  problem.begin(*system, theta_step, system->nodes.q());
  problem.linearise(*system);
  AssembledProblem& p = problem.problem();
  const MatX G = dense(p);
  const auto global = [&](const std::vector<double>& mine) {
    PetscInt begin = 0, end = 0;
    if (p.G) PETSC_CALL(MatGetOwnershipRange(p.G, &begin, &end));
    VecX all = VecX::Zero(G.rows());
    std::copy(mine.begin(), mine.end(), all.data() + begin);
    MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, p.comm);
    return all;
  };
  const VecX c = global(p.rows.c);
  for (const bool jacobi : {false, true}) {
    std::fill(p.rows.P.begin(), p.rows.P.end(), 0.);
    SolverOptions one;
    one.tolerance = 1e-14, one.max_iterations = 1;
    double last = 0;
    for (int sweep = 0; sweep < 50; ++sweep) {
      jacobi ? assembled_jacobi(p, one) : assembled_gauss_seidel(p, one);
      const VecX P = global(p.rows.P);
      const double energy = 0.5 * P.dot(G * P) + c.dot(P);
      BOOST_TEST(energy <= last + 1e-14 * std::abs(last));  // rounding of the sum
      last = energy;
    }
    BOOST_TEST(last < 0);
  }
}

BOOST_AUTO_TEST_CASE(stiff_springs_between_contacts_agree_on_all_ranks) {
  Plan plan = pile();
  for (std::int64_t i = 0; i < 9; ++i) plan.connect("spring_damper", {i, i + 1}, {{"stiffness", 2e5}, {"damping", 100.}});
  double e_together = 0, e_alone = 0;
  const auto together = assembled_view(plan, MPI_COMM_WORLD, "gauss_seidel", &e_together);
  const auto alone = assembled_view(plan, MPI_COMM_SELF, "gauss_seidel", &e_alone);
  const double difference = largest_difference(together, alone);
  BOOST_TEST_MESSAGE("difference " << difference << ", estimated errors " << e_together << " and " << e_alone);
  // The springs prestress the pile, so |P| is in the hundreds and the sweeps converge slowly. Masses are >= 1: energy norm
  // and velocities have the same size.
  BOOST_TEST(difference < e_together + e_alone);
  BOOST_TEST(e_together + e_alone < 1e-6);  // the comparison means something
}

BOOST_AUTO_TEST_CASE(impulses_reach_bodies_that_only_another_rank_touches) {
  // A row of spheres that collide in pairs, masses 1 and 2, velocities 1 and -1, elastic: -5/3 and 1/3 afterwards. Where
  // ranks meet inside a pair, one of them owns a body without owning any contact; and all around there are ghosts that
  // take part in nothing.
  std::int64_t cut_pairs = 0;
  for (int pairs = 4; pairs < 12; ++pairs) {
    Plan plan;
    plan.law.e_N = 1;
    for (int i = 0; i < 2 * pairs; ++i)
      plan.add_sphere(1 + i % 2, r, {i / 2 * 0.402 + i % 2 * (2 * r - 1e-9), 0, 0}, {i % 2 == 0 ? 1. : -1., 0, 0});
    for (const bool assembled : {false, true}) {
      const auto system = system_of(plan, MPI_COMM_WORLD, h);
      VelocityProblem body;
      ImplicitProblem implicit;
      if (assembled) {
        implicit.begin(*system, theta_step, system->nodes.q());
        implicit.linearise(*system);
        solver_of("gauss_seidel", 1e-13, 1000)->solve(implicit.problem());
        implicit.advance(*system);
        implicit.store(*system);
      } else {
        body.build(*system, {0.5 * h, 0.5 * h, h, h});
        solver_of("gauss_seidel", 1e-13, 1000)->solve(body.problem());
        body.store(*system);
      }
      for (std::int32_t i = 0; i < system->nodes.size(); ++i) {
        const double expected = system->nodes[i].id % 2 == 0 ? -5. / 3 : 1. / 3;
        BOOST_TEST(std::abs(system->nodes.u(i)[0] - expected) < 1e-12);  // solver tolerance
        const std::int32_t partner = system->distribution.local(system->nodes[i].id ^ 1);
        cut_pairs += system->nodes.is_owned(i) && !system->nodes.is_owned(partner);
      }
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &cut_pairs, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  BOOST_TEST_MESSAGE("pairs cut by ranks: " << cut_pairs);
  BOOST_TEST((cut_pairs > 0) == (ranks > 1));
}

BOOST_AUTO_TEST_CASE(linear_solver_is_chosen_by_options) {
  Plan plan = pile();
  for (std::int64_t i = 0; i < 9; ++i) plan.connect("spring_damper", {i, i + 1}, {{"stiffness", 1e4}});
  const auto direct = assembled_view(plan, MPI_COMM_WORLD, "gauss_seidel");
  PETSC_CALL(PetscOptionsSetValue(nullptr, "-ksp_type", "gmres"));
  PETSC_CALL(PetscOptionsSetValue(nullptr, "-pc_type", "jacobi"));
  const auto iterative = assembled_view(plan, MPI_COMM_WORLD, "gauss_seidel");
  for (const char* key : {"-ksp_type", "-pc_type"}) PETSC_CALL(PetscOptionsClearValue(nullptr, key));
  // GMRES stops at 1e-12, relative.
  BOOST_TEST(largest_difference(direct, iterative) < 1e-9);
  BOOST_TEST(largest_difference(direct, iterative) > 0);  // it was another solver
}

BOOST_AUTO_TEST_SUITE_END()

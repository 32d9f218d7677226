// Local solvers of one contact, relaxation, and small problems of several ranks gathered on one.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "model/model_fixture.hpp"
#include "solvers/dense_problems.hpp"
#include "solvers/gathered_problem.hpp"
#include "solvers/local_contact.hpp"
#include "solvers/row_velocities.hpp"
#include "solvers/small_systems.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;
using namespace percussion::test;

namespace {

std::mt19937 generator(3);
double normal() { return std::normal_distribution<double>()(generator); }

struct Contact {
  Mat3 A;
  Vec3 q;
  double mu;
};

Contact random_contact(bool symmetric) {
  const MatX W = MatX::NullaryExpr(6, 3, [] { return normal(); });
  Contact c{W.transpose() * W / 6, Vec3(normal(), normal(), normal()), std::abs(normal())};
  if (!symmetric) c.A += 0.01 * Mat3::NullaryExpr([] { return normal(); });
  return c;
}

std::unique_ptr<ContactSolver> with(const std::string& type, const std::string& local, double omega, double tolerance) {
  return SolverRegistry::instance().create(
      type, model_test::typed("solvers", type, {{"tolerance", tolerance}, {"max_iterations", 200000}, {"local", local.c_str()}, {"relaxation", omega}}));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(local_solvers)

BOOST_AUTO_TEST_CASE(projection_is_the_closest_point_of_the_cone) {
  for (int trial = 0; trial < 500; ++trial) {
    const double mu = trial % 10 == 0 ? 0. : std::abs(normal());
    const Vec3 z(normal(), normal(), normal());
    Vec3 p = z;
    project_on_friction_cone(mu, p.data());
    BOOST_TEST(p.tail<2>().norm() <= mu * p[0] + 1e-15);
    // The variational inequality of a projection on a cone: z - p is in its polar, and perpendicular to p.
    BOOST_TEST(std::abs((z - p).dot(p)) < 1e-14 * (1 + z.squaredNorm()));
    BOOST_TEST((z - p)[0] + mu * (z - p).tail<2>().norm() < 1e-14 * (1 + z.norm()));
  }
}

BOOST_AUTO_TEST_CASE(all_have_the_same_fixed_points) {
  for (int trial = 0; trial < 500; ++trial) {
    const Contact c = random_contact(trial % 2 == 0);
    double lambda = 0;
    Vec3 exact = Vec3::Zero();
    LocalContact(LocalSolver::exact, c.A.data(), c.mu).solve(c.q.data(), 1, lambda, exact.data());
    const double size = 1e-8 * (1 + exact.norm());  // condition up to 1000, scalar equation to 1e-12, as for the exact solver
    for (const double omega : {1., 0.7, 1.2}) {
      for (const LocalSolver local : {LocalSolver::exact, LocalSolver::newton, LocalSolver::projection}) {
        const LocalContact contact(local, c.A.data(), c.mu);
        Vec3 r = exact;
        double own = 0;
        contact.solve(c.q.data(), omega, own, r.data());
        BOOST_TEST((r - exact).norm() < size);
      }
    }
    // Newton's method from somewhere else finds the same, in one call.
    Vec3 r(std::abs(normal()), normal(), normal());
    double own = 0;
    LocalContact(LocalSolver::newton, c.A.data(), c.mu).solve(c.q.data(), 1, own, r.data());
    BOOST_TEST((r - exact).norm() < size);
  }
}

BOOST_AUTO_TEST_CASE(relaxation_is_a_factor_on_the_change_inside_the_cone) {
  for (int trial = 0; trial < 200; ++trial) {
    const Contact c = random_contact(true);
    const Vec3 start = Vec3(1, 0.3 * c.mu, 0);
    double lambda = 0;
    const LocalContact contact(LocalSolver::exact, c.A.data(), c.mu);
    Vec3 full = start, damped = start, over = start;
    contact.solve(c.q.data(), 1, lambda, full.data());
    contact.solve(c.q.data(), 0.5, lambda, damped.data());
    contact.solve(c.q.data(), 1.8, lambda, over.data());
    BOOST_TEST((damped - 0.5 * (start + full)).norm() < 1e-9 * (1 + full.norm()));
    BOOST_TEST(over.tail<2>().norm() <= c.mu * over[0] * (1 + 1e-12));
  }
}

// Random regular problems with bilateral rows and, among them, rows that are no Coulomb contacts: both ways to store rows.
BOOST_DATA_TEST_CASE(sweeps_agree_whatever_the_local_solver, data::make({"gauss_seidel", "accelerated_gauss_seidel"}), type) {
  for (const bool contacts_only : {true, false}) {
    DensePlan plan = random_plan(6, 21);
    if (contacts_only) plan.blocks[7] = bilateral(1);
    const auto reference = problem_of(plan, MPI_COMM_SELF);
    BOOST_TEST(solver_of("semismooth_newton", 1e-12, 100)->solve(*reference).converged);
    const VecX expected = all_percussions(*reference);
    for (const std::string local : {"exact", "newton", "projection"}) {
      for (const double omega : {1., 0.8, 1.2}) {
        const auto problem = problem_of(plan, MPI_COMM_WORLD);
        BOOST_TEST(with(type, local, omega, 1e-11)->solve(*problem).converged);
        BOOST_TEST((all_percussions(*problem) - expected).norm() < 1e-8, local << ", omega " << omega);  // condition below 20, hundreds of sweeps
      }
    }
  }
}

// With omega = 0.5 a first sweep goes half as far, if every block is alone (diagonal G): on every path.
BOOST_DATA_TEST_CASE(relaxation_is_honoured_on_every_path, data::make({"gauss_seidel", "projected_jacobi", "accelerated_gauss_seidel", "hybrid"}), type) {
  for (const int kind : {0, 1, 2}) {  // contacts; with a row of known P_N; groups of two contacts
    DensePlan plan;
    for (int k = 0; k < 4; ++k) plan.blocks.push_back(contact(0.3));
    int rows = 12;
    if (kind == 1) plan.blocks.push_back(known_normal(0.5, 0.3)), ++rows;
    if (kind == 2) plan.blocks[0].group = plan.blocks[2].group = 2, plan.blocks[1].group = plan.blocks[3].group = 0;
    plan.G = MatX::Identity(rows, rows), plan.c = VecX::Constant(rows, -0.01);
    for (int k = 0; k < 4; ++k) plan.c[3 * k] = -1;
    const auto problem = problem_of(plan, MPI_COMM_SELF);
    Givens given{{"tolerance", 1e-14}, {"max_iterations", 1}, {"relaxation", 0.5}};
    const SolveReport report = SolverRegistry::instance().create(type, model_test::typed("solvers", type, given))->solve(*problem);
    BOOST_TEST(report.iterations == 1);
    const VecX P = all_percussions(*problem);
    for (int k = 0; k < 4; ++k) BOOST_TEST(P[3 * k] == 0.5, boost::test_tools::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(relaxation_is_refused_where_it_means_nothing) {
  for (const char* type : {"admm", "projected_gradient", "semismooth_newton", "fischer_burmeister", "iterative_projection"})
    BOOST_CHECK_THROW(model_test::typed("solvers", type, {{"relaxation", 1.5}}), std::exception);
}

BOOST_AUTO_TEST_CASE(a_gathered_problem_is_the_whole_problem) {
  const DensePlan plan = staged(random_plan(5, 31), radau_2());
  const auto problem = problem_of(plan, MPI_COMM_WORLD);
  const DelassusRows G(*problem);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (std::size_t r = 0; r < problem->rows.P.size(); ++r) problem->rows.P[r] = static_cast<double>(G.first_global_row()) + static_cast<double>(r);
  GatheredProblem gathered(*problem, G);
  const SolveReport report = gathered.solve(*problem, [&](AssembledProblem& whole) {
    const auto n = static_cast<int>(whole.rows.c.size());
    BOOST_TEST_REQUIRE(n == plan.c.size());
    MatX all = MatX::Zero(n, n);
    const DelassusRows rows(whole);
    for (int r = 0; r < n; ++r) {
      rows.for_own(r, [&](PetscInt c, double v) { all(r, c) += v; });
      BOOST_TEST(whole.rows.P[r] == r);
      whole.rows.P[r] = 2 * r;
    }
    BOOST_TEST((all - plan.G).norm() == 0.);
    BOOST_TEST((Eigen::Map<const VecX>(whole.rows.c.data(), n) - plan.c).norm() == 0.);
    for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
      BOOST_TEST(whole.rows.blocks[b].rows == plan.blocks[b].rows);
      BOOST_TEST(whole.rows.blocks[b].bilateral == plan.blocks[b].bilateral);
      BOOST_TEST(whole.rows.blocks[b].P_N == plan.blocks[b].P_N);
      BOOST_TEST(whole.rows.blocks[b].group == plan.blocks[b].group);
    }
    SolveReport r;
    r.iterations = 7, r.residual = 0.25, r.converged = false, r.stalled = true, r.history = {1, 2};
    return r;
  });
  BOOST_TEST(report.iterations == 7);
  BOOST_TEST(report.residual == 0.25);
  BOOST_TEST((report.status() == SolveStatus::no_progress));
  BOOST_TEST((report.history == std::vector<double>{1, 2}));
  for (std::size_t r = 0; r < problem->rows.P.size(); ++r)
    BOOST_TEST(problem->rows.P[r] == 2 * (static_cast<double>(G.first_global_row()) + static_cast<double>(r)));
  // An error on rank 0 reaches all.
  BOOST_CHECK_THROW(gathered.solve(*problem, [](AssembledProblem&) -> SolveReport { throw RunError("no"); }), RunError);
}

BOOST_AUTO_TEST_CASE(hybrid_takes_the_same_way_on_any_number_of_ranks) {
  DensePlan plan = random_plan(20, 41, 0.6);
  const auto together = problem_of(plan, MPI_COMM_WORLD), alone = problem_of(plan, MPI_COMM_SELF);
  const SolveReport a = solver_of("hybrid", 1e-10, 1000)->solve(*together), b = solver_of("hybrid", 1e-10, 1000)->solve(*alone);
  BOOST_TEST(a.converged);
  BOOST_TEST(a.iterations == b.iterations);
  BOOST_TEST(a.newton_steps == b.newton_steps);
  BOOST_TEST((all_percussions(*together) - all_percussions(*alone)).norm() < 1e-13);  // the same operations on the same numbers
  BOOST_TEST(std::abs(RowVelocities(*together).residual() - a.residual) < 1e-14);
}

BOOST_AUTO_TEST_SUITE_END()

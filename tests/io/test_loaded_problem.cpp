// A stored problem on its ranks: the same matrix, residual and solution on any number of them.
#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "io/friction_problems.hpp"
#include "io/loaded_problem.hpp"
#include "io/scratch_folder.hpp"
#include "model/model_fixture.hpp"
#include "solvers/cone_residual.hpp"
#include "solvers/delassus_rows.hpp"
#include "solvers/solver.hpp"
#include "test_paths.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

std::vector<DenseProblem> kinds(int contacts) {
  std::vector<DenseProblem> list;
  for (const bool global : {false, true})
    for (const int constraints : {0, 3})
      for (const auto& [dimension, rolling] : {std::pair(2, false), {3, false}, {3, true}, {5, true}})
        list.push_back(random_problem(contacts, constraints, dimension, rolling, global, 7));
  return list;
}

/// Collective. Rows of the file, by the rows of this rank.
std::vector<double> file_rows(const LoadedProblem& loaded, const DenseProblem& p) {
  std::vector<double> rows;
  for (const std::int64_t contact : loaded.contact)
    for (int r = 0; r < p.dimension; ++r) rows.push_back(static_cast<double>(contact * p.dimension + r));
  for (const std::int64_t constraint : loaded.constraint)
    rows.push_back(static_cast<double>(p.rows() + constraint));
  return rows;
}

/// Collective. G of all ranks in the order of the file: (W V; V' R).
MatX gathered_G(const LoadedProblem& loaded, const DenseProblem& p) {
  const DelassusRows G(loaded.problem);
  const auto number = file_rows(loaded, p), others = G.of_others(number);
  const auto n = static_cast<Eigen::Index>(p.rows() + p.s.size());
  MatX all = MatX::Zero(n, n);
  const auto at = [](double x) { return static_cast<Eigen::Index>(x); };
  for (std::size_t r = 0; r < number.size(); ++r) {
    G.for_own(static_cast<PetscInt>(r),
              [&](PetscInt c, double value) { all(at(number[r]), at(number[c])) += value; });
    G.for_others(static_cast<PetscInt>(r),
                 [&](PetscInt c, double value) { all(at(number[r]), at(others[c])) += value; });
  }
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM,
                loaded.problem.comm);
  return all;
}

/// Collective. The residual as the solvers see it.
DenseResidual solver_residual(const AssembledProblem& problem) {
  std::vector<double> psi;
  apply_G(problem, problem.rows.P, psi);
  double c = 0;
  for (std::size_t r = 0; r < psi.size(); ++r)
    psi[r] += problem.rows.c[r], c += problem.rows.c[r] * problem.rows.c[r];
  const ConeNorms local = cone_norms(problem.rows, psi.data(), problem.rows.P.data());
  double sum[4] = {local.F, local.P, local.psi, c};
  MPI_Allreduce(MPI_IN_PLACE, sum, 4, MPI_DOUBLE, MPI_SUM, problem.comm);
  return {std::sqrt(sum[0] / std::max({sum[1], sum[2], sum[3]})), std::sqrt(sum[0])};
}

FclibSolution point_of(const DenseProblem& p, const VecX& r, const VecX& l, MPI_Comm comm) {
  return {{}, share(r, comm, p.dimension), {}, share(l, comm)};
}

/// Collective. Solved on comm; u, r, v, l of all ranks.
struct DenseSolution {
  VecX u, r, v, l;
};
DenseSolution solved(const DenseProblem& p, MPI_Comm comm, double tolerance) {
  FclibProblem stored = shares_of(p, comm);
  const auto loaded = distribute(comm, stored);
  loaded->problem.measure = ResidualMeasure::cone;
  const Parameters options =
      model_test::typed("solvers", "hybrid", {{"tolerance", tolerance}, {"max_iterations", 20000}});
  const SolveReport report = SolverRegistry::instance().create("hybrid", options)->solve(loaded->problem);
  BOOST_TEST(report.converged, "residual " << report.residual);
  const FclibSolution s = solution_of(*loaded, stored);
  return {gathered(s.u, comm, p.contacts(), p.dimension), gathered(s.r, comm, p.contacts(), p.dimension),
          p.global ? gathered(s.v, comm, p.f.size()) : VecX(),
          p.s.size() > 0 ? gathered(s.l, comm, p.s.size()) : VecX(0)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(loaded_problem)

BOOST_AUTO_TEST_CASE(the_matrix_is_that_of_the_file) {
  for (const DenseProblem& p : kinds(13)) {
    FclibProblem stored = shares_of(p, MPI_COMM_WORLD);
    const auto loaded = distribute(MPI_COMM_WORLD, stored);
    const auto m = p.rows();
    MatX whole(m + p.s.size(), m + p.s.size());
    whole << p.W, p.V, p.V.transpose(), p.R;
    const double error = (gathered_G(*loaded, p) - whole).cwiseAbs().maxCoeff();
    // Local problems are copied; global ones are solved with M, whose condition is about 100.
    if (p.global)
      BOOST_TEST(error <= 1e-12 * whole.cwiseAbs().maxCoeff());
    else
      BOOST_TEST(error == 0.);
    const auto number = file_rows(*loaded, p);
    for (std::size_t r = 0; r < number.size(); ++r) {
      const auto row = static_cast<Eigen::Index>(number[r]);
      BOOST_TEST(std::abs(loaded->problem.rows.c[r] - (row < m ? p.q[row] : p.s[row - m])) <=
                 1e-12 * p.q.cwiseAbs().maxCoeff());
    }
    // Every contact is on one rank, with its own coefficients.
    std::int64_t count = static_cast<std::int64_t>(loaded->contact.size());
    for (std::size_t k = 0; k < loaded->contact.size(); ++k) {
      const RowBlock& block = loaded->problem.rows.blocks[k];
      BOOST_TEST(loaded->problem.rows.laws[block.first_law].set.mu[0] == p.mu[loaded->contact[k]]);
      if (p.rolling)
        BOOST_TEST(loaded->problem.rows.laws[block.first_law + 1].set.mu[0] == p.mu_r[loaded->contact[k]]);
    }
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    BOOST_TEST(count == p.contacts());
  }
}

BOOST_AUTO_TEST_CASE(the_residual_agrees_with_an_independent_evaluation) {
  std::mt19937 random(5);
  for (const DenseProblem& p : kinds(11)) {
    FclibProblem stored = shares_of(p, MPI_COMM_WORLD);
    const auto loaded = distribute(MPI_COMM_WORLD, stored);
    // Far from the solution, in all regions of the cone, and near zero.
    for (const double size : {1., 100., 1e-3}) {
      VecX r = size * random_matrix(p.rows(), 1, random);
      const VecX l = size * random_matrix(static_cast<int>(p.s.size()), 1, random);
      for (int k = 0; k < p.contacts(); k += 2) r[k * p.dimension] = std::abs(r[k * p.dimension]);
      set_start(*loaded, stored, point_of(p, r, l, MPI_COMM_WORLD));
      const DenseResidual ours = solver_residual(loaded->problem), independent = dense_residual(p, r, l);
      BOOST_TEST(ours.relative == independent.relative, boost::test_tools::tolerance(1e-12));
      BOOST_TEST(ours.absolute == independent.absolute, boost::test_tools::tolerance(1e-12));
      const FclibSolution back = solution_of(*loaded, stored);
      BOOST_TEST((gathered(back.r, MPI_COMM_WORLD, p.contacts(), p.dimension) == r));
      if (p.s.size() > 0) BOOST_TEST((gathered(back.l, MPI_COMM_WORLD, p.s.size()) == l));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_solution_is_the_same_on_all_ranks_and_on_one) {
  constexpr double tolerance = 1e-11;
  for (const DenseProblem& p : kinds(12)) {
    BOOST_TEST_CONTEXT("dimension " << p.dimension << " rolling " << p.rolling << " global " << p.global
                                    << " constraints " << p.s.size()) {
      const DenseSolution together = solved(p, MPI_COMM_WORLD, tolerance),
                          alone = solved(p, MPI_COMM_SELF, tolerance);
      BOOST_TEST(dense_residual(p, together.r, together.l).relative <=
                 1.01 * tolerance);  // summed in another order
      // W is regular with a condition of some thousand.
      BOOST_TEST((together.r - alone.r).norm() <= 1e-7 * alone.r.norm());
      BOOST_TEST((p.W * together.r + p.V * together.l + p.q - together.u).norm() <= 1e-11 * p.q.norm());
      if (!p.global) continue;
      BOOST_TEST((p.M * together.v - p.H * together.r - p.G * together.l - p.f).norm() <= 1e-11 * p.f.norm());
      BOOST_TEST((p.H.transpose() * together.v + p.w - together.u).norm() <= 1e-11 * p.q.norm());
    }
  }
}

BOOST_AUTO_TEST_CASE(fewer_contacts_than_ranks) {
  const DenseProblem p = random_problem(1, 0, 3, false, false);
  const DenseSolution s = solved(p, MPI_COMM_WORLD, 1e-10);
  BOOST_TEST(dense_residual(p, s.r, s.l).relative <= 1.01e-10);
}

BOOST_AUTO_TEST_CASE(a_singular_mass_matrix_is_refused) {
  DenseProblem p = random_problem(5, 0, 3, false, true);
  p.M.row(4).setZero(), p.M.col(4).setZero();
  FclibProblem stored = shares_of(p, MPI_COMM_WORLD);
  BOOST_CHECK_THROW(distribute(MPI_COMM_WORLD, stored), InputError);
}

BOOST_AUTO_TEST_CASE(problems_of_the_folder) {
  const char* given = std::getenv("PERCUSSION_PROBLEMS");
  const std::filesystem::path folder = given ? given : PERCUSSION_TEST_SOURCE_DIR "/../shared/problems";
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  if (files.empty()) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::printf("skipped: no problems in %s; set PERCUSSION_PROBLEMS\n", folder.c_str());
    return;
  }
  std::sort(files.begin(), files.end());
  std::mt19937 random(3);
  for (const auto& file : files) {
    FclibProblem stored = read_fclib(MPI_COMM_WORLD, file);
    if (stored.global || stored.constraints > 0) continue;
    DenseProblem p;
    p.dimension = stored.dimension, p.rolling = stored.rolling;
    p.W = gathered(stored.W, MPI_COMM_WORLD),
    p.q = gathered(stored.q, MPI_COMM_WORLD, stored.contacts, stored.dimension);
    p.mu = gathered(stored.mu, MPI_COMM_WORLD, stored.contacts);
    if (p.rolling) p.mu_r = gathered(stored.mu_r, MPI_COMM_WORLD, stored.contacts);
    const auto loaded = distribute(MPI_COMM_WORLD, stored);
    const VecX r = p.q.norm() / p.W.norm() * random_matrix(p.rows(), 1, random);
    set_start(*loaded, stored, point_of(p, r, VecX(0), MPI_COMM_WORLD));
    BOOST_TEST(solver_residual(loaded->problem).relative == dense_residual(p, r, VecX(0)).relative,
               boost::test_tools::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_SUITE_END()

// The parts under ADMM: Cholesky factorisation on panels, shifted systems on one and several ranks, Anderson mixing.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <Eigen/LU>

#include <numeric>

#include "solvers/anderson_mixing.hpp"
#include "solvers/block_cholesky.hpp"
#include "solvers/dense_problems.hpp"
#include "solvers/shifted_factor.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;
using namespace percussion::test;

namespace {

/// Bodies in a random graph, `rows` rows per pair: W has an entry where a pair has a body. Symmetric, of low rank.
MatX delassus(int pairs, int rows, int bodies, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> body(0, bodies - 1);
  MatX W = MatX::Zero(3 * bodies, pairs * rows);
  for (int p = 0; p < pairs; ++p)
    for (const int b : {body(random), body(random)}) W.block(3 * b, p * rows, 3, rows) = MatX::NullaryExpr(3, rows, [&] { return normal(random); });
  return W.transpose() * W;
}

CompressedRows compressed(const MatX& A) {
  CompressedRows rows;
  for (Eigen::Index r = 0; r < A.rows(); ++r) {
    for (Eigen::Index c = 0; c < A.cols(); ++c)
      if (A(r, c) != 0) rows.column.push_back(static_cast<PetscInt>(c)), rows.value.push_back(A(r, c));
    rows.first.push_back(static_cast<PetscInt>(rows.column.size()));
  }
  return rows;
}

VecX vector_of(const std::vector<double>& v) { return Eigen::Map<const VecX>(v.data(), static_cast<Eigen::Index>(v.size())); }

std::vector<double> numbers(std::size_t n, std::mt19937& random) {
  std::vector<double> v(n);
  std::normal_distribution<double> normal;
  for (double& x : v) x = normal(random);
  return v;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(parts_of_admm)

BOOST_DATA_TEST_CASE(cholesky_solves, data::make({1, 3, 12}) * data::xrange(4), rows, seed) {
  std::mt19937 random(100 * rows + seed);
  const MatX G = delassus(40, rows, 15 + 10 * seed, random);
  const auto n = static_cast<std::size_t>(G.rows());
  const CompressedRows A = compressed(G);
  BlockCholesky cholesky(A);
  for (const double shift : {1., 1e-2}) {  // the pattern is analysed once
    BOOST_TEST_REQUIRE(cholesky.factorise(A.value, std::vector<double>(n, shift)));
    const std::vector<double> b = numbers(n, random);
    std::vector<double> x(n);
    cholesky.solve(b, x);
    // Rounding: |A| |x| eps, some thousand operations.
    BOOST_TEST((G * vector_of(x) + shift * vector_of(x) - vector_of(b)).norm() < 1e-13 * G.norm() * vector_of(x).norm());
  }
  // The smallest eigenvalue of G is below the average one.
  BOOST_TEST(!cholesky.factorise(A.value, std::vector<double>(n, -G.trace() / static_cast<double>(n))));
}

BOOST_AUTO_TEST_CASE(rows_without_a_diagonal_entry) {
  // Equal patterns that do not couple are not one node.
  MatX G = MatX::Zero(4, 4);
  G(2, 2) = G(3, 3) = 2;
  for (const int r : {0, 1})
    for (const int c : {2, 3}) G(r, c) = G(c, r) = 0.3 + 0.1 * r - 0.2 * c;
  const CompressedRows A = compressed(G);
  BlockCholesky cholesky(A);
  BOOST_TEST_REQUIRE(cholesky.factorise(A.value, std::vector<double>(4, 1.)));
  std::vector<double> x(4);
  const std::vector<double> b = {1, -2, 3, 4};
  cholesky.solve(b, x);
  BOOST_TEST((G * vector_of(x) + vector_of(x) - vector_of(b)).norm() < 1e-14);
}

BOOST_AUTO_TEST_CASE(shifted_systems_on_any_number_of_ranks) {
  for (const double skew : {0., 1e-3, 0.5}) {
    DensePlan plan = random_plan(6, 7);
    plan.G(0, 5) += skew, plan.G(5, 0) -= skew;
    const auto problem = problem_of(plan, MPI_COMM_WORLD);
    const DelassusRows G(*problem);
    const std::size_t n = problem->rows.c.size();
    std::vector<double> s(n), b(n), x(n), shift(n, 0.2);
    const PetscInt first = G.first_global_row();
    for (std::size_t r = 0; r < n; ++r) s[r] = 1 + 0.1 * static_cast<double>((first + static_cast<PetscInt>(r)) % 7), b[r] = std::sin(first + r);
    const auto rows = static_cast<Eigen::Index>(plan.c.size());
    VecX scale(rows), rhs(rows);
    for (Eigen::Index r = 0; r < rows; ++r) scale[r] = 1 / (1 + 0.1 * static_cast<double>(r % 7)), rhs[r] = std::sin(r);
    MatX A = scale.asDiagonal() * plan.G * scale.asDiagonal();
    A.diagonal().array() += 0.2;
    const VecX reference = A.partialPivLu().solve(rhs);
    for (const int replicated : {factor_replicated_rows, 0}) {  // 0: the distributed factorisation, if there are ranks
      const auto factor = make_shifted_factor(*problem, G, s, replicated);
      for (int again = 0; again < 2; ++again) {
        BOOST_TEST_REQUIRE(factor->factorise(shift));
        factor->solve(b, x);
        double worst = 0;
        for (std::size_t r = 0; r < n; ++r) worst = std::max(worst, std::abs(x[r] - reference[first + static_cast<PetscInt>(r)]));
        BOOST_TEST(worst < 1e-12);  // the condition of A is below 100
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(mixing_solves_linear_maps_in_as_many_steps_as_unknowns) {
  // w := w + b - A w diverges here (|1 - 3| > 1). With memory for all differences the mixing is equivalent to GMRES.
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int n = 4;  // eigenvalues, each of which every rank has once
  std::vector<double> w(n, 0.), g(n);
  AndersonMixing mixing(MPI_COMM_WORLD, n, n);
  const auto A = [](int i) { return 1. + 2. * i / 3; };
  int steps = 0;
  for (; steps < 20; ++steps) {
    for (int i = 0; i < n; ++i) g[i] = w[i] + (1 + i + rank) - A(i) * w[i];
    mixing.next(w, g);
    if (mixing.step() < 1e-9) break;
  }
  BOOST_TEST(steps <= n + 2);
  for (int i = 0; i < n; ++i) BOOST_TEST(std::abs(w[i] - (1 + i + rank) / A(i)) < 1e-8);
}

BOOST_AUTO_TEST_CASE(mixing_falls_back_where_it_misleads) {
  // A contraction with kinks everywhere: plain iteration converges at the rate 0.9; mixing must not stop that.
  const int n = 30;
  std::vector<double> w(n, 3.), g(n);
  AndersonMixing mixing(MPI_COMM_SELF, n, 8);
  const auto map = [&](int i, double x) { return 0.9 * std::abs(x - 0.1 * i) * (i % 2 ? 1 : -1); };
  int steps = 0;
  for (; steps < 1000; ++steps) {
    for (int i = 0; i < n; ++i) g[i] = map(i, w[(i + 7) % n]);
    mixing.next(w, g);
    if (mixing.step() < 1e-10) break;
  }
  // log(1e-10 / 30) / log(0.9) = 250 plain steps, and as many again for what mixing may waste.
  BOOST_TEST(steps < 500);
}

BOOST_AUTO_TEST_SUITE_END()

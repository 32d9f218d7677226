// Small positive semidefinite solves (regular, singular, badly scaled) and Gauss-Legendre rules.
#include <boost/test/unit_test.hpp>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "math/quadrature.hpp"
#include "math/small_dense.hpp"

using namespace percussion;

namespace {

std::mt19937 engine(99);

MatX random_matrix(int rows, int cols) {
  std::normal_distribution<double> normal;
  MatX B(rows, cols);
  for (Eigen::Index i = 0; i < B.size(); ++i) B.data()[i] = normal(engine);
  return B;
}

// Storage inside the object: nothing to allocate.
static_assert(SmallMat::MaxSizeAtCompileTime == 36 && sizeof(SmallMat) >= 36 * sizeof(double));

}  // namespace

BOOST_AUTO_TEST_SUITE(small_dense)

BOOST_AUTO_TEST_CASE(regular_blocks_are_solved_to_roundoff) {
  for (int n = 1; n <= 6; ++n)
    for (int k = 0; k < 20; ++k) {
      const MatX B = random_matrix(n, n);
      const SmallMat A = B * B.transpose() + 0.1 * MatX::Identity(n, n);
      const SmallVec b = random_matrix(n, 1);
      SmallVec x = b;
      SmallMat A_inv;
      BOOST_TEST(solve_spd(A, x) == n);
      BOOST_TEST(inverse_spd(A, A_inv) == n);
      BOOST_TEST((A * x - b).norm() < 1e-12 * (1 + x.norm() * A.norm()));  // condition up to 1e3
      BOOST_TEST((A * A_inv - MatX::Identity(n, n)).norm() < 1e-11);
    }
}

BOOST_AUTO_TEST_CASE(rank_deficient_blocks_get_the_least_norm_solution) {
  for (int n = 2; n <= 6; ++n)
    for (int rank = 0; rank < n; ++rank)
      for (int k = 0; k < 5; ++k) {
        const MatX B = random_matrix(n, rank);
        const SmallMat A = B * B.transpose();
        const VecX y = B * random_matrix(rank, 1);  // in the range of A
        const SmallVec b = A * y;
        SmallVec x = b;
        SmallMat P;
        const double size = 1 + A.norm(), loss = 1e-9;  // eps times the condition of the regular part
        BOOST_TEST(solve_spd(A, x) == rank);
        BOOST_TEST(inverse_spd(A, P) == rank);
        BOOST_TEST((A * x - b).norm() < loss * size);
        BOOST_TEST((x - y).norm() < loss * (1 + y.norm()) * size);  // least norm: x in range(A), so x = y
        // Moore-Penrose conditions
        BOOST_TEST((A * P * A - A).norm() < loss * size);
        BOOST_TEST((P * A * P - P).norm() < loss * size * (1 + P.norm() * P.norm()));
        BOOST_TEST((P - P.transpose()).norm() < 1e-12 * (1 + P.norm()));
      }
}

BOOST_AUTO_TEST_CASE(units_of_the_rows_do_not_decide_about_rank) {
  // Mass 1e3 kg and inertia 1e-12 kg m^2 in one block: regular, although badly scaled.
  Mat2 A;
  A << 1e3, 1e-5, 1e-5, 1e-12;
  const Vec2 b(2.0, -3e-7);
  Vec2 x = b;
  BOOST_TEST(solve_spd(A, x) == 2);
  const Vec2 residual = A * x - b, size = A.cwiseAbs() * x.cwiseAbs();  // backward stable, row by row
  for (int i = 0; i < 2; ++i) BOOST_TEST(std::abs(residual[i]) < 1e-15 * size[i]);
}

BOOST_AUTO_TEST_CASE(zero_block_gives_zero) {
  Vec3 x(1, 2, 3);
  BOOST_TEST(solve_spd<Mat3>(Mat3::Zero(), x) == 0);
  BOOST_TEST(x.norm() == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(quadrature)

BOOST_AUTO_TEST_CASE(gauss_legendre_is_exact_up_to_degree_2n_minus_1_and_not_beyond) {
  for (int n = 1; n <= 5; ++n) {
    for (int degree = 0; degree <= 2 * n; ++degree) {
      const double got = integrate([&](double x) { return std::pow(x, degree); }, -0.5, 2.0, n);
      const double exact = (std::pow(2.0, degree + 1) - std::pow(-0.5, degree + 1)) / (degree + 1);
      const double error = std::abs(got - exact) / std::abs(exact);
      if (degree < 2 * n) BOOST_TEST(error < 1e-14);
      else BOOST_TEST(error > 1e-8);
    }
    const QuadratureRule rule = gauss_legendre(n);
    for (int i = 0; i + 1 < n; ++i) BOOST_TEST(rule.points[i] < rule.points[i + 1]);
  }
}

BOOST_AUTO_TEST_CASE(integrates_vectors) {
  const Vec2 got = integrate([](double x) { return Vec2(x, x * x * x); }, 0.0, 2.0, 2);
  BOOST_TEST((got - Vec2(2, 4)).norm() < 1e-14);
}

BOOST_AUTO_TEST_SUITE_END()

// Stability functions, algebraic stability, and the unique solvability of the bouncing ball (Breuling 4.12, 5.2).
#include <boost/test/unit_test.hpp>

#include <Eigen/Dense>
#include <cmath>
#include <complex>

#include "tableau_samples.hpp"

using namespace percussion;
using namespace tableau_samples;

namespace {

using Complex = std::complex<double>;

// (4.15)
Complex R(const Tableau& t, Complex z) {
  const Eigen::MatrixXcd M = Eigen::MatrixXcd::Identity(t.s, t.s) - z * t.A.cast<Complex>();
  const Eigen::VectorXcd x = M.partialPivLu().solve(Eigen::VectorXcd::Ones(t.s));
  return 1.0 + z * (t.b.cast<Complex>().transpose() * x).value();
}

// (k, j) Pade approximant of exp(z): numerator of degree k, denominator of degree j.
Complex pade(int k, int j, Complex z) {
  const auto polynomial = [&](int n, Complex x) {
    Complex sum = 0.0, term = 1.0;
    for (int i = 0; i <= n; ++i) {
      sum += term;
      term *= x * double(n - i) / (double(k + j - i) * (i + 1));
    }
    return sum;
  };
  return polynomial(k, z) / polynomial(j, -z);
}

// exp(z) (1 - gamma z)^s up to z^(s-1), over (1 - gamma z)^s.
Complex alexander(int s, double gamma, Complex z) {
  const double binomial[4][4] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 2, 1, 0}, {1, 3, 3, 1}};
  Complex numerator = 0.0;
  for (int k = 0; k < s; ++k) {
    double coefficient = 0.0;
    for (int i = 0; i <= k; ++i) coefficient += binomial[s][i] * std::pow(-gamma, i) / std::tgamma(k - i + 1);
    numerator += coefficient * std::pow(z, k);
  }
  return numerator / std::pow(1.0 - gamma * z, s);
}

Complex closed_form(const Tableau& t, Complex z) {
  const int s = t.s;
  if (t.name.starts_with("radau_iia")) return pade(s - 1, s, z);
  if (t.name.starts_with("lobatto_iiic")) return pade(s - 2, s, z);
  if (t.name.starts_with("lobatto")) return pade(s - 1, s - 1, z);
  if (t.name.starts_with("sdirk")) return alexander(s, t.A(0, 0), z);
  const double th = t.c[1];  // (4.47)
  return ((th * th - 4 * th + 2) * z * z + 4 * (1 - th) * z + 4.0) / ((2.0 - th * z) * (2.0 - th * z));
}

double smallest_principal_minor(const MatX& M) {
  const int n = static_cast<int>(M.rows());
  double smallest = M(0, 0);
  for (unsigned subset = 1; subset < 1u << n; ++subset) {
    std::vector<int> rows;
    for (int i = 0; i < n; ++i)
      if (subset >> i & 1u) rows.push_back(i);
    smallest = std::min(smallest, MatX(M(rows, rows)).determinant());
  }
  return smallest;
}

constexpr double zero = 1e-15;  // a principal minor that vanishes exactly

double smallest_eigenvalue(const MatX& M) {
  return Eigen::SelfAdjointEigenSolver<MatX>(M, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tableau_stability)

BOOST_AUTO_TEST_CASE(stability_function_is_the_closed_form) {
  const Complex points[] = {{-0.3, 0.0}, {-2.0, 0.0}, {-1.0, 3.0}, {0.0, 1.0}, {0.5, -2.0}, {-40.0, 7.0}, {0.0, 100.0}};
  for (const Sample& sample : samples())
    for (const Complex z : points)
      BOOST_TEST_CONTEXT(sample.tableau.name << " " << z)
        // backward error of the solve times |z| |b| |(1 - z A)^-1|
        BOOST_TEST(std::abs(R(sample.tableau, z) - closed_form(sample.tableau, z)) < 1e-12 * (1 + std::abs(z)));
}

BOOST_AUTO_TEST_CASE(all_are_A_stable) {
  for (const Sample& sample : samples()) {
    const Tableau& t = sample.tableau;
    BOOST_TEST_CONTEXT(t.name) {
      double largest = 0.0;
      for (double y = 1e-3; y < 1e6; y *= 1.1) largest = std::max(largest, std::abs(R(t, {0.0, y})));
      BOOST_TEST(largest < 1.0 + 1e-9);  // roundoff of the solve at y = 1e6; instability shows from 1e-3 on
      // poles of R are 1 / lambda: none in the left half plane
      BOOST_TEST(Eigen::EigenSolver<MatX>(t.A, false).eigenvalues().real().minCoeff() > -1e-7);  // double root zero
    }
  }
}

BOOST_AUTO_TEST_CASE(damping_at_infinity) {
  for (const Sample& sample : samples()) {
    const Tableau& t = sample.tableau;
    BOOST_TEST_CONTEXT(t.name) {
      const double z = 1e7;  // R(z) = R(inf) + O(s^2 / z), and roundoff z * 1e-16
      BOOST_TEST(std::abs(R(t, -z) - sample.R_inf) < 1e-5);
      BOOST_TEST(std::abs(R(t, {0.0, z}) - sample.R_inf) < 1e-5);
      if (t.A_inv.size() > 0) BOOST_TEST(std::abs(1.0 - t.b.dot(t.A_inv.rowwise().sum())) < 1e-12);  // (4.18)
    }
  }
}

BOOST_AUTO_TEST_CASE(algebraic_stability) {
  for (const Sample& sample : samples()) {
    const Tableau& t = sample.tableau;
    const MatX BA = t.b.asDiagonal() * t.A;
    const double lambda = smallest_eigenvalue(BA + BA.transpose() - t.b * t.b.transpose());  // Proposition 4.8
    BOOST_TEST_CONTEXT(t.name) {
      if (sample.algebraically_stable) {
        BOOST_TEST(lambda > -1e-15);  // the matrix has rank one: roundoff of its zero eigenvalues
        BOOST_TEST(t.b.minCoeff() > 0.0);
      } else {
        BOOST_TEST(lambda < -1e-4);  // A-stable only: with an explicit first stage the first entry is -b_1^2
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(projected_methods_have_P_matrices) {
  for (const std::string& name : tableau_names())
    for (const double r : rho) {
      if (name == "lobatto_iiic_3") continue;
      const Tableau t = tableau_from_name(name, r);
      BOOST_TEST_CONTEXT(name) BOOST_TEST(smallest_principal_minor(implicit_block(t)) > 1e-3);  // (4.83)
    }
  // Against Example 4.12, Lobatto IIIC with s >= 3 is only P_0. For s = 3: a_11 = a_31 = b_1 and a_13 = a_33 = b_3, so
  // the minor of the stages {1, 3} vanishes.
  for (int s = 3; s <= most; ++s) BOOST_TEST(std::abs(smallest_principal_minor(lobatto_iiic(s).A)) < zero);
  const MatX A = radau_iia(2).A;
  BOOST_TEST(std::abs(smallest_principal_minor(A * A)) < zero);  // Example 2.20: only P_0
}

BOOST_AUTO_TEST_CASE(partitioned_methods_have_P_matrices_only_with_the_index_shift) {
  for (int s = 2; s <= 4; ++s) {
    const PartitionedTableau t = lobatto_iiia_iiib(s);
    BOOST_TEST_CONTEXT(t.name) {
      BOOST_TEST(smallest_principal_minor(t.A_alpha * t.A_hat_beta) > 1e-6);  // (5.54)
      // (5.55): without the shift
      MatX plain_inv = MatX::Zero(s, s);
      plain_inv.row(0) << -t.b.tail(s - 1).transpose() / t.b[0], 1.0 / t.b[0];
      plain_inv.bottomLeftCorner(s - 1, s - 1).setIdentity();
      const MatX plain = t.A_alpha * t.A_hat * plain_inv;
      BOOST_TEST(smallest_principal_minor(plain.leftCols(s - 1)) < -1e-3);
      // (5.56): percussion differences with and without the shift
      const MatX shifted = t.A_alpha * t.A_hat_beta * t.A_hat.topLeftCorner(s - 1, s - 1).inverse();
      const MatX unshifted = t.A_alpha * t.A_hat_beta * t.A_hat.bottomLeftCorner(s - 1, s - 1).inverse();
      BOOST_TEST(smallest_principal_minor(shifted) > 1e-3);
      if (s == 2) BOOST_TEST(smallest_principal_minor(unshifted) > 1e-3);
      else BOOST_TEST(smallest_principal_minor(unshifted) < zero);  // vanishes: only P_0
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

#include "math/collocation.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <cassert>
#include <cmath>

namespace percussion::collocation {

namespace {

// Zeros of the polynomial of degree n orthogonal on [0, 1] with the weight (1 - x)^a x^b: eigenvalues of the
// Jacobi matrix of the three-term recurrence (Golub and Welsch).
Vec orthogonal_zeros(int n, int a, int b) {
  if (n == 0) return Vec(0);
  Vec diagonal(n), off(n - 1);
  for (int k = 0; k < n; ++k) {
    const Real m = 2 * k + a + b;
    diagonal[k] = b == a ? Real(0) : Real(b * b - a * a) / (m * (m + 2));
    if (k > 0) off[k - 1] = std::sqrt(Real(4 * k * (k + a) * (k + b) * (k + a + b)) / (m * m * (m + 1) * (m - 1)));
  }
  Eigen::SelfAdjointEigenSolver<Mat> eig;
  eig.computeFromTridiagonal(diagonal, off, Eigen::EigenvaluesOnly);
  return (eig.eigenvalues().array() + Real(1)) / Real(2);
}

}  // namespace

// (P_s - P_{s-1}) / (x - 1) and (P_s - P_{s-2}) / (x^2 - x) are, up to a factor, the polynomials orthogonal with the
// weights 1 - x and (1 - x) x.
Vec radau_right_nodes(int s) {
  assert(s >= 1);
  Vec c(s);
  c << orthogonal_zeros(s - 1, 1, 0), Real(1);
  return c;
}

Vec lobatto_nodes(int s) {
  assert(s >= 2);
  Vec c(s);
  c << Real(0), orthogonal_zeros(s - 2, 1, 1), Real(1);
  return c;
}

Mat legendre_values(const Vec& c, int n) {
  Mat V(n, c.size());
  for (int k = 0; k < n; ++k)
    for (Eigen::Index j = 0; j < c.size(); ++j) {
      const Real x = 2 * c[j] - 1;
      if (k == 0) V(k, j) = 1;
      else if (k == 1) V(k, j) = x;
      else V(k, j) = ((2 * k - 1) * x * V(k - 1, j) - (k - 1) * V(k - 2, j)) / k;
    }
  return V;
}

Mat legendre_integrals(const Vec& c, int n) {
  const Mat V = legendre_values(c, n + 1);
  Mat I(n, c.size());
  for (int k = 0; k < n; ++k) {
    if (k == 0) I.row(k) = c.transpose();
    else I.row(k) = (V.row(k + 1) - V.row(k - 1)) / Real(2 * (2 * k + 1));
  }
  return I;
}

Vec weights(const Vec& c, Real x) {
  const int n = static_cast<int>(c.size());
  return legendre_values(c, n).partialPivLu().solve(legendre_integrals(Vec::Constant(1, x), n).col(0));
}

Vec weights(const Vec& c, Real x, int fixed, Real value) {
  const int n = static_cast<int>(c.size());
  Mat V(n, n);
  Vec rhs(n);
  V << legendre_values(c, n - 1), Vec::Unit(n, fixed).transpose();
  rhs << legendre_integrals(Vec::Constant(1, x), n - 1).col(0), value;
  return V.partialPivLu().solve(rhs);
}

Real polynomial_root(const Vec& coefficients, Real a, Real b) {
  const auto p = [&](Real x) {
    Real value = 0;
    for (Eigen::Index k = coefficients.size() - 1; k >= 0; --k) value = value * x + coefficients[k];
    return value;
  };
  const bool rising = p(b) > 0;
  assert(rising == (p(a) < 0));
  for (Real m = (a + b) / 2; a < m && m < b; m = (a + b) / 2) ((p(m) > 0) == rising ? b : a) = m;
  return b;
}

}  // namespace percussion::collocation

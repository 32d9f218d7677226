// Symmetric positive (semi)definite systems up to 6x6, as they occur per contact or per body.
// No allocation. Sizes are fixed or bounded at compile time (Mat3, Mat6, SmallMat).
// The regular case is one Cholesky factorisation; a rank-deficient block (redundant friction
// directions, a body without inertia about an axis) is solved with the Moore-Penrose inverse, i.e.
// by the solution of least norm. Eigenvalues below rank_tolerance * lambda_max count as zero.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <cassert>

#include "math/types.hpp"

namespace percussion {

constexpr int max_small_size = 6;
using SmallMat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, max_small_size, max_small_size>;
using SmallVec = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, max_small_size, 1>;

constexpr double rank_tolerance = 1e-12;

namespace detail {

template <class M>
constexpr bool is_small = M::MaxRowsAtCompileTime > 0 && M::MaxRowsAtCompileTime <= max_small_size &&
                          int(M::MaxRowsAtCompileTime) == int(M::MaxColsAtCompileTime);

// Lower Cholesky factor in place; false as soon as a pivot is small against its own diagonal
// entry (a test that does not depend on the units of the rows). Only the lower half is read.
template <class M>
bool cholesky_in_place(M& A) {
  const Eigen::Index n = A.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    const double diagonal = A(j, j);
    double pivot = diagonal;
    for (Eigen::Index k = 0; k < j; ++k) pivot -= A(j, k) * A(j, k);
    if (!(pivot > rank_tolerance * diagonal)) return false;
    const double l = std::sqrt(pivot);
    A(j, j) = l;
    for (Eigen::Index i = j + 1; i < n; ++i) {
      double s = A(i, j);
      for (Eigen::Index k = 0; k < j; ++k) s -= A(i, k) * A(j, k);
      A(i, j) = s / l;
    }
  }
  return true;
}

}  // namespace detail

// Moore-Penrose inverse of a symmetric positive semidefinite matrix; returns its rank.
template <class M>
int pseudo_inverse_spd(const M& A, M& A_plus) {
  static_assert(detail::is_small<M>);
  Eigen::SelfAdjointEigenSolver<M> eig(A);
  auto lambda = eig.eigenvalues();
  const double threshold = rank_tolerance * lambda[lambda.size() - 1];
  int rank = 0;
  for (Eigen::Index i = 0; i < lambda.size(); ++i) {
    const bool counts = lambda[i] > threshold && lambda[i] > 0.0;
    rank += counts;
    lambda[i] = counts ? 1.0 / lambda[i] : 0.0;
  }
  const M& V = eig.eigenvectors();
  M scaled = V;
  for (Eigen::Index j = 0; j < V.cols(); ++j) scaled.col(j) *= lambda[j];
  A_plus = scaled.lazyProduct(V.transpose());
  return rank;
}

// Inverse, or pseudo-inverse if A is rank-deficient; returns the rank. For blocks inverted once
// and applied in many sweeps.
template <class M>
int inverse_spd(const M& A, M& A_inv) {
  static_assert(detail::is_small<M>);
  M L = A;
  if (!detail::cholesky_in_place(L)) return pseudo_inverse_spd(A, A_inv);
  A_inv.setIdentity(A.rows(), A.cols());
  L.template triangularView<Eigen::Lower>().solveInPlace(A_inv);
  L.template triangularView<Eigen::Lower>().transpose().solveInPlace(A_inv);
  return static_cast<int>(A.rows());
}

// x := A^-1 x, or A^+ x if A is rank-deficient; returns the rank.
template <class M, class V>
int solve_spd(const M& A, V& x) {
  static_assert(detail::is_small<M>);
  assert(A.rows() == x.size());
  M L = A;
  if (detail::cholesky_in_place(L)) {
    L.template triangularView<Eigen::Lower>().solveInPlace(x);
    L.template triangularView<Eigen::Lower>().transpose().solveInPlace(x);
    return static_cast<int>(A.rows());
  }
  M A_plus;
  const int rank = pseudo_inverse_spd(A, A_plus);
  x = A_plus.lazyProduct(x).eval();
  return rank;
}

}  // namespace percussion

#include "solvers/cone_residual.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace percussion {

namespace {

/// |part of z| <= mu P_N + r0.
struct Bound {
  int first, rows;
  double mu, r0, size;
};

constexpr std::size_t most_bounds = max_small_size;
using Bounds = std::array<Bound, most_bounds>;

/// All bounds of a block, with the sizes of z; a rectangle is two intervals.
int bounds_of(const RowBlock& block, const RowLaw* laws, const double* z, Bounds& bounds) {
  int n = 0;
  for (int l = 0; l < block.laws; ++l) {
    const FrictionSet& set = laws[l].set;
    const bool rectangle = set.kind == SetKind::rectangle;
    for (int part = 0; part < (rectangle ? 2 : 1); ++part) {
      const int first = laws[l].first + part, rows = rectangle ? 1 : set.dim();
      double size = 0;
      for (int i = first; i < first + rows; ++i) size += z[i] * z[i];
      bounds[n++] = {first, rows, set.mu[part], set.r0[part], std::sqrt(size)};
    }
  }
  return n;
}

/// P_N of the projection: the minimiser of (P_N - z_N)^2 + sum_l max(|z_l| - mu_l P_N - r0_l, 0)^2 over P_N >= 0. The
/// derivative is piecewise linear and increasing: with all bounds below their kinks at first, each one drops out when
/// the root lies beyond it.
double projected_normal(double z_N, const Bounds& bounds, int n) {
  std::array<double, most_bounds> kink;
  for (int l = 0; l < n; ++l) {
    const double reach = bounds[l].size - bounds[l].r0;
    kink[l] = bounds[l].mu > 0 ? reach / bounds[l].mu : -1.;  // without mu: P_N does not matter
  }
  double lower = 0;
  for (;;) {
    double numerator = z_N, denominator = 1, next = INFINITY;
    for (int l = 0; l < n; ++l) {
      if (kink[l] <= lower) continue;
      numerator += bounds[l].mu * (bounds[l].size - bounds[l].r0), denominator += bounds[l].mu * bounds[l].mu;
      next = std::min(next, kink[l]);
    }
    const double root = numerator / denominator;
    if (root <= next) return std::max(root, lower);
    lower = next;
  }
}

}  // namespace

void project_on_reservoirs(const RowBlock& block, const RowLaw* laws, double* P) {
  if (block.bilateral) return;
  Bounds bounds;
  const int n = bounds_of(block, laws, P, bounds);
  const double P_N = block.has_normal ? projected_normal(P[0], bounds, n) : block.P_N;
  if (block.has_normal) P[0] = P_N;
  for (int l = 0; l < n; ++l) {
    const double radius = bounds[l].mu * std::max(P_N, 0.) + bounds[l].r0;
    if (bounds[l].size <= radius) continue;
    for (int i = bounds[l].first; i < bounds[l].first + bounds[l].rows; ++i) P[i] *= radius / bounds[l].size;
  }
}

SmallVec cone_natural_map(const RowBlock& block, const RowLaw* laws, const double* psi, const double* P) {
  SmallVec z(block.rows);
  if (block.bilateral) {
    std::copy_n(psi, block.rows, z.data());
    return z;
  }
  for (int r = 0; r < block.rows; ++r) z[r] = P[r] - psi[r];
  if (block.has_normal) {
    Bounds bounds;
    const int n = bounds_of(block, laws, psi, bounds);
    for (int l = 0; l < n; ++l) z[0] -= bounds[l].mu * bounds[l].size;
  }
  project_on_reservoirs(block, laws, z.data());
  for (int r = 0; r < block.rows; ++r) z[r] = P[r] - z[r];
  return z;
}

ConeNorms cone_norms(const GeneralRows& rows, const double* psi, const double* P) {
  ConeNorms sum;
  for (const RowBlock& block : rows.blocks)
    sum.F += cone_natural_map(block, rows.laws.data() + block.first_law, psi + block.first_row, P + block.first_row).squaredNorm();
  for (std::size_t r = 0; r < rows.c.size(); ++r) sum.P += P[r] * P[r], sum.psi += psi[r] * psi[r];
  return sum;
}

}  // namespace percussion

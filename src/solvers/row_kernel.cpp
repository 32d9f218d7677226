#include "solvers/row_kernel.hpp"

#include <cmath>

namespace percussion {

namespace {

constexpr int local_sweeps = 20;
constexpr double local_tolerance = 1e-12;  // of the percussions of the block: below, the sweep changes digits nobody reads

}  // namespace

SmallVec row_psi(const GeneralRows& rows, const RowBlock& block, const double* x) {
  SmallVec psi = Eigen::Map<const VecX>(rows.c.data() + block.first_row, block.rows);
  for (int k = 0; k < block.arms; ++k) {
    const Arm& arm = rows.arms[block.first_arm + k];
    const double *w = rows.Wt.data() + arm.offset, *v = x + std::size_t(arm.line) * line_size;
    for (int r = 0; r < block.rows; ++r)
      for (int c = 0; c < arm.columns; ++c) psi[r] += *w++ * v[c];
  }
  return psi;
}

void row_apply(const GeneralRows& rows, const RowBlock& block, const double* dP, double* x) {
  for (int k = 0; k < block.arms; ++k) {
    const Arm& arm = rows.arms[block.first_arm + k];
    const double* w = rows.MW.data() + arm.offset;
    double* v = x + std::size_t(arm.line) * line_size;
    for (int r = 0; r < block.rows; ++r)
      for (int c = 0; c < arm.columns; ++c) v[c] += *w++ * dP[r];
  }
}

void solve_block(const RowBlock& block, const RowLaw* laws, double scale, double omega, SmallVec psi, double* P) {
  if (block.bilateral) {
    Eigen::Map<VecX>(P, block.rows) -= omega / scale * (block.G_inv * psi);
    return;
  }
  for (int sweep = 0; sweep < local_sweeps; ++sweep) {
    double change = 0, size = 0;
    // New value for the rows [first, first + n): book the change in psi.
    const auto accept = [&](int first, int n, const double* value) {
      for (int i = 0; i < n; ++i) {
        const double d = value[i] - P[first + i];
        psi += scale * d * block.G.col(first + i);
        change += d * d, size += value[i] * value[i];
        P[first + i] = value[i];
      }
    };
    if (block.has_normal) {
      const double P_N = prox_step_N(omega / (scale * block.G(0, 0)), psi[0], P[0]);
      accept(0, 1, &P_N);
    }
    const double P_N = block.has_normal ? P[0] : block.P_N;
    for (int l = 0; l < block.laws; ++l) {
      double P_F[max_friction_dim];
      std::copy_n(P + laws[l].first, laws[l].set.dim(), P_F);
      prox_step_F(laws[l].set, omega * laws[l].rho / scale, psi.data() + laws[l].first, P_N, P_F);
      accept(laws[l].first, laws[l].set.dim(), P_F);
    }
    if (change <= local_tolerance * local_tolerance * size) return;
  }
}

SmallVec row_natural_map(const RowBlock& block, const RowLaw* laws, const SmallVec& psi, const double* P) {
  SmallVec F = SmallVec::Zero(block.rows);
  if (block.bilateral) return block.G_inv * psi;
  if (block.has_normal) F[0] = natural_map_N(1 / block.G(0, 0), psi[0], P[0]);
  const double P_N = block.has_normal ? P[0] : block.P_N;
  for (int l = 0; l < block.laws; ++l)
    natural_map_F(laws[l].set, laws[l].rho, psi.data() + laws[l].first, P_N, P + laws[l].first, F.data() + laws[l].first);
  return F;
}

}  // namespace percussion

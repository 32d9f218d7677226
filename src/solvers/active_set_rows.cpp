#include "solvers/active_set_rows.hpp"

#include <cmath>

namespace percussion {

namespace {

double rho_N(const RowBlock& block) { return 1 / block.G(0, 0); }

double normal_percussion(const RowBlock& block, const double* P) { return block.has_normal ? P[0] : block.P_N; }

}  // namespace

std::vector<double> row_scales(const GeneralRows& rows) {
  std::vector<double> s(rows.c.size(), 1.);
  for (const RowBlock& block : rows.blocks) {
    double* s_block = s.data() + block.first_row;
    for (int r = 0; r < block.rows; ++r)
      if (block.G(r, r) > 0) s_block[r] = std::sqrt(block.G(r, r));
    for (int l = 0; l < block.laws; ++l) {
      const RowLaw& law = rows.laws[block.first_law + l];
      if (law.rho > 0) std::fill_n(s_block + law.first, law.set.dim(), 1 / std::sqrt(law.rho));
    }
  }
  return s;
}

BlockMap active_set_map(const RowBlock& block, const RowLaw* laws, const double* s, const SmallVec& psi, const double* P) {
  const int n = block.rows;
  BlockMap map{SmallVec(n), SmallMat::Zero(n, n), SmallMat::Zero(n, n)};
  if (block.bilateral) {
    for (int r = 0; r < n; ++r) map.F[r] = psi[r] / s[r];
    map.dF_dpsi.setIdentity();
    return map;
  }
  if (block.has_normal) {
    const NormalMap m = active_set_N(rho_N(block), psi[0], P[0]);
    map.F[0] = m.closed ? m.F / s[0] : m.F * s[0];
    map.dF_dpsi(0, 0) = m.dF_dpsi_N, map.dF_dP(0, 0) = m.dF_dP_N;
  }
  const double P_N = normal_percussion(block, P);
  for (int l = 0; l < block.laws; ++l) {
    const int first = laws[l].first, dim = laws[l].set.dim();
    const FrictionMap m = active_set_F(laws[l].set, laws[l].rho, psi.data() + first, P_N, P + first);
    for (int i = 0; i < dim; ++i) {
      const int r = first + i;
      const double t = m.stick >> i & 1u ? 1 / s[r] : s[r];
      map.F[r] = t * m.F[i];
      for (int j = 0; j < dim; ++j) {
        map.dF_dpsi(r, first + j) = t * m.dF_dpsi_F(i, j) * s[first + j];
        map.dF_dP(r, first + j) = t * m.dF_dP_F(i, j) / s[first + j];
      }
      if (block.has_normal) map.dF_dP(r, 0) = t * m.dF_dP_N[i] / s[0];
    }
  }
  return map;
}

std::uint32_t active_bits(const RowBlock& block, const RowLaw* laws, const SmallVec& psi, const double* P) {
  if (block.bilateral) return 0;
  std::uint32_t bits = block.has_normal && active_set_N(rho_N(block), psi[0], P[0]).closed;
  for (int l = 0; l < block.laws; ++l) {
    const int first = laws[l].first;
    bits |= std::uint32_t(stick_rows(laws[l].set, laws[l].rho, psi.data() + first, normal_percussion(block, P), P + first)) << (first + 1);
  }
  return bits;
}

void project_on_cone(const RowBlock& block, const RowLaw* laws, const SmallVec& psi, double* P) {
  if (block.bilateral) return;
  if (block.has_normal) P[0] = active_set_N(rho_N(block), psi[0], P[0]).closed ? std::max(P[0], 0.) : 0.;
  for (int l = 0; l < block.laws; ++l) prox(laws[l].set, normal_percussion(block, P), P + laws[l].first);
}

}  // namespace percussion

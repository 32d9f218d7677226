// The primal-dual active set (Breuling 6.8) of one row block with one element of its generalized Jacobian, in scaled
// variables
//   psi^ = psi / s,   P^ = s P,   s_r = sqrt(g_r),   g = G_NN; largest eigenvalue of G_FF per friction law; G_rr else,
// so that G^ = G / (s s') has a unit diagonal, all rows of J = dF/dpsi^ G^ + dF/dP^ have the size one, and a pivot or a
// condition number means something.
#pragma once
#include <cstdint>
#include <vector>

#include "assembly/inclusion_problem.hpp"

namespace percussion {

struct BlockMap {
  SmallVec F;
  SmallMat dF_dpsi, dF_dP;
};

/// s of all rows.
std::vector<double> row_scales(const GeneralRows& rows);

/// F of the block and its derivatives, all scaled; psi and P are not. `s` are the scales of the block.
BlockMap active_set_map(const RowBlock& block, const RowLaw* laws, const double* s, const SmallVec& psi, const double* P);

/// Bit 0: closed; bits of friction rows: stick. Bilateral blocks: 0.
std::uint32_t active_bits(const RowBlock& block, const RowLaw* laws, const SmallVec& psi, const double* P);

/// P of an open contact := 0, P of the others into its cone.
void project_on_cone(const RowBlock& block, const RowLaw* laws, const SmallVec& psi, double* P);

}  // namespace percussion

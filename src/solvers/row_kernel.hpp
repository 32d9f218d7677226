// One general row block: bilateral constraints, contacts with any friction laws. The local problem is solved exactly
// (bilateral) or by alternating projections on its own Delassus block (contacts), never touching other blocks.
#pragma once
#include "assembly/inclusion_problem.hpp"

namespace percussion {

/// psi = W^T x + c of block k.
SmallVec row_psi(const GeneralRows& rows, const RowBlock& block, const double* x);

/// x += M^-1 W dP.
void row_apply(const GeneralRows& rows, const RowBlock& block, const double* dP, double* x);

/// Changes P (block.rows entries) so that psi + scale G dP and P fulfil the laws of the block; `psi` is at the old P.
/// `laws` are those of the block. omega damps the steps of contacts; bilateral blocks are solved with omega G^-1.
void solve_block(const RowBlock& block, const RowLaw* laws, double scale, double omega, SmallVec psi, double* P);

/// Natural map F(psi, P) of the block (Breuling 6.4; bilateral: G^-1 psi), scaled like a percussion, and P' G F etc. are
/// left to the caller. P_N <= 0 where the block has a known normal percussion is taken as given.
SmallVec row_natural_map(const RowBlock& block, const RowLaw* laws, const SmallVec& psi, const double* P);

}  // namespace percussion

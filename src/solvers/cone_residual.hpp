// The residual by which this community compares contact solvers (Acary, Bremond, Huber, "On solving contact problems with
// Coulomb friction", 2018): the natural map on the friction cone with de Saxce's correction, with step one,
//
//   F_k = P_k - proj_K(P_k - v_k),   v = psi + e_N sum_l mu_l |psi_F^l|,   residual = |F| / max(|c|, |P|, |psi|)
//
// K = {P_N >= 0, |P_F^l| <= mu_l P_N + r0_l for every law l of the contact}: Coulomb's cone, with rolling friction its
// intersection with a second one. Bilateral rows: F = psi. Known P_N: projection on the reservoir. Unlike the energy
// residual (solvers/residual.hpp) it depends on the units of the rows; it is for problems read from files.
#pragma once
#include "assembly/inclusion_problem.hpp"

namespace percussion {

/// Squared norms of one residual, to be added over blocks and ranks.
struct ConeNorms {
  double F = 0, P = 0, psi = 0;
};

/// P := its projection on K. `P_N` is known if the block has no normal row.
void project_on_reservoirs(const RowBlock& block, const RowLaw* laws, double* P);

/// F of the block; psi and P have block.rows entries.
SmallVec cone_natural_map(const RowBlock& block, const RowLaw* laws, const double* psi, const double* P);

/// Local. psi and P of all rows.
ConeNorms cone_norms(const GeneralRows& rows, const double* psi, const double* P);

}  // namespace percussion

// The linear systems inside ADMM: (G^ + diag(shift)) x = b with G^ = S^-1 G S^-1 in the scaled variables of
// solvers/active_set_rows.hpp. Factorised anew when the shift changes, the pattern is analysed once.
//
// One rank: sparse Cholesky, or sparse LU where G is not symmetric (slightly in problems from files, thoroughly in stages of
// Runge-Kutta steps) or the Cholesky factorisation fails. Several ranks: the same on every rank for problems with fewer
// than `replicated_rows` rows, beyond that a sparse LU through a KSP with the options prefix percussion_admm_ (MUMPS, if
// PETSc has it).
#pragma once
#include <memory>
#include <vector>

#include "solvers/delassus_rows.hpp"

namespace percussion {

class ShiftedFactor {
 public:
  virtual ~ShiftedFactor() = default;
  /// Collective. False on all ranks if the matrix is singular to working precision.
  virtual bool factorise(const std::vector<double>& shift) = 0;
  /// Collective. x has the right size; b and x may not be the same.
  virtual void solve(const std::vector<double>& b, std::vector<double>& x) = 0;
};

/// Rows over all ranks up to which every rank keeps a copy. A distributed factorisation of such a size is all latency: with
/// 1700 rows on two ranks ADMM takes 36 ms with copies and 400 ms without. The limit bounds the memory.
constexpr int factor_replicated_rows = 20000;

/// Collective. `s`: row_scales().
std::unique_ptr<ShiftedFactor> make_shifted_factor(const AssembledProblem& problem, const DelassusRows& G, const std::vector<double>& s,
                                                   int replicated_rows = factor_replicated_rows);

}  // namespace percussion

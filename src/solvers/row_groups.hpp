// Groups of row blocks that are relaxed together (RowBlock::group): the stages of one contact in a Runge-Kutta step, say.
//
// The problem of a group alone, psi + scale G_gg dP with its laws, is solved to rounding on its dense matrix, taken once
// from G: bilateral groups by the (pseudo-)inverse, others by the semismooth Newton method (6.8) in the few rows of the
// group; where that fails, by passes over its blocks. G_gg need not be symmetric.
#pragma once
#include <vector>

#include "solvers/delassus_rows.hpp"
#include "solvers/local_contact.hpp"

namespace percussion {

struct RowGroup {
  std::int32_t first_block, blocks;
  std::int32_t first_row, rows;
  bool bilateral;
  MatX G, G_inv;  ///< empty for a single block, which has its own; G_inv: bilateral groups
  std::int32_t contact = -1;  ///< a single spatial contact with a Coulomb disc: its place among these
};

class RowGroups {
 public:
  RowGroups(const GeneralRows& rows, const DelassusRows& G, LocalSolver local = LocalSolver::exact);

  std::size_t size() const { return groups_.size(); }
  const RowGroup& operator[](std::size_t g) const { return groups_[g]; }

  /// Changes P (of the group, as psi: at the old P). omega acts as in solve_block() and LocalContact on single blocks, as a
  /// factor on the change of others; beyond 1 percussions are taken back into their reservoirs, P_N first.
  void solve(const RowGroup& group, double scale, double omega, const double* psi, double* P);

  /// Collective. Per group: number of groups on all ranks that couple with it, itself included.
  std::vector<int> coupled(const DelassusRows& G, MPI_Comm comm) const;

 private:
  void solve_contact(const RowGroup& group, double scale, double omega, const double* psi, double* P);
  void relax(const RowGroup& group, double omega, double* P) const;
  bool newton(const RowGroup& group, double scale, const double* psi, double* P);
  void passes(const RowGroup& group, double scale, const double* psi, double* P);

  const GeneralRows& rows_;
  std::vector<RowGroup> groups_;
  std::vector<LocalContact> contacts_;
  std::vector<double> lambda_;  ///< of the contacts
  std::vector<double> s_;       ///< scales, if there are groups of several blocks
  MatX J_;
  VecX F_, old_, before_, psi_, dP_;
};

}  // namespace percussion

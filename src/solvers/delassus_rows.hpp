// The rows of G on this rank: the columns of this rank as compressed rows, those of other ranks through PETSc.
//
// A view: G must not change while it lives. On one rank nothing of PETSc is touched after construction, so that problems
// of a few rows cost a few operations.
#pragma once
#include <span>
#include <vector>

#include "assembly/assembled_problem.hpp"
#include "assembly/petsc.hpp"

namespace percussion {

class DelassusRows {
 public:
  explicit DelassusRows(const AssembledProblem& problem);
  ~DelassusRows();
  DelassusRows(const DelassusRows&) = delete;
  DelassusRows& operator=(const DelassusRows&) = delete;

  /// No other rank has rows of this matrix.
  bool alone() const { return !others_; }
  PetscInt first_global_row() const { return first_global_; }
  PetscInt global_rows() const { return global_; }

  /// Row r on the columns of this rank, times x.
  double dot(PetscInt r, const double* x) const {
    double sum = 0;
    for (PetscInt k = first_[r]; k < first_[r + 1]; ++k) sum += value_[k] * x[column_[k]];
    return sum;
  }
  /// Collective. y := G x + c.
  void multiply(const std::vector<double>& x, const std::vector<double>& c, std::vector<double>& y) const;

  /// Entries on the columns of this rank.
  std::size_t own_entries() const { return global_ == 0 ? 0 : static_cast<std::size_t>(first_[problem_.rows.c.size()]); }
  /// visit(local column, value) on the columns of this rank.
  template <class Visit>
  void for_own(PetscInt r, Visit&& visit) const {
    for (PetscInt k = first_[r]; k < first_[r + 1]; ++k) visit(column_[k], value_[k]);
  }
  /// visit(k, value) on the columns of other ranks; k counts other_columns().
  template <class Visit>
  void for_others(PetscInt r, Visit&& visit) const {
    if (!others_) return;
    PetscInt n = 0;
    const PetscInt* column = nullptr;
    const double* value = nullptr;
    PETSC_CALL(MatGetRow(others_, r, &n, &column, &value));
    for (PetscInt k = 0; k < n; ++k) visit(column[k], value[k]);
    PETSC_CALL(MatRestoreRow(others_, r, &n, &column, &value));
  }
  /// Global numbers of the columns of other ranks that this rank couples with.
  std::span<const PetscInt> other_columns() const { return {other_column_, static_cast<std::size_t>(n_others_)}; }
  /// Collective. One value per row of this rank in, those of other_columns() out.
  std::vector<double> of_others(const std::vector<double>& mine) const;

  /// 1 + number of ranks whose rows couple with ours.
  int coupled_ranks() const;

 private:
  const AssembledProblem& problem_;
  Mat own_ = nullptr, others_ = nullptr;
  PetscInt first_global_ = 0, global_ = 0, n_others_ = 0;
  const PetscInt *first_ = nullptr, *column_ = nullptr, *other_column_ = nullptr;
  const double* value_ = nullptr;
  PetscVec x_, y_;  ///< several ranks only
};

}  // namespace percussion

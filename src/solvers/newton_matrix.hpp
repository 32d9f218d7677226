// The matrix of the semismooth Newton method, J = dF/dpsi (G + eps I) + dF/dP in the scaled variables of
// solvers/active_set_rows.hpp: the Schur complement S of (6.12, 6.13) for psi = G P + c.
//
// Small problems (fewer rows than `dense_rows` over all ranks) are solved densely: every rank gathers J and factorises
// the same matrix, which beats any distributed factorisation there. Others go to a sparse LU through a KSP with the
// options prefix percussion_newton_ (MUMPS with detection of null pivots, if PETSc has it). The pattern is that of G
// for every active set, so it is analysed once.
#pragma once
#include <Eigen/LU>

#include <vector>

#include "solvers/active_set_rows.hpp"
#include "solvers/delassus_rows.hpp"

namespace percussion {

class NewtonMatrix {
 public:
  /// Collective. `s`: row_scales().
  NewtonMatrix(const AssembledProblem& problem, const DelassusRows& G, const std::vector<double>& s, int dense_rows);

  /// Local. Rows of block b.
  void set_block(std::size_t b, const BlockMap& map, double eps);
  /// Collective. dP^ := -J^-1 F^ on the rows of this rank; false on all ranks if J is singular to working precision.
  bool solve(const std::vector<double>& F, std::vector<double>& dP);

 private:
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  /// The rows of a block on the columns that any of them has.
  struct Strip {
    std::size_t first;              ///< in G_ and J_, rows x columns
    std::size_t first_column;       ///< in column_
    std::int32_t columns, diagonal; ///< place of the block's own columns
  };
  bool solve_dense(const std::vector<double>& F, std::vector<double>& dP);
  bool solve_sparse(const std::vector<double>& F, std::vector<double>& dP);
  void set_up_dense();
  void set_up_sparse();

  const AssembledProblem& problem_;
  const PetscInt first_global_, global_;
  const bool dense_, alone_;
  std::vector<Strip> strips_;
  std::vector<PetscInt> column_;
  std::vector<double> G_, J_;
  // dense
  std::vector<int> counts_, begins_;
  RowMajor local_, all_;
  VecX F_all_;
  Eigen::PartialPivLU<MatX> lu_;
  // sparse
  PetscMat matrix_;
  PetscKsp ksp_;
  PetscVec rhs_, solution_;
};

}  // namespace percussion

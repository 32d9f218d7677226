// The Delassus operator G = Psi H^-1 F as a distributed PETSc matrix, with its factors.
//
// A block couples a few unknowns of H: F says how its percussions act on them, Psi how its rows see them. For velocity
// problems Psi = F^T = W^T; stages of a Runge-Kutta method make them differ.
// Cost of build: O(rows) where H is block-diagonal (free bodies; any M without elements): products of sparse matrices. Else
// one solution of H per row, in batches, and O(n x 256) memory beside G: meant for structures and mechanisms. Round grains
// belong to the body view.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "assembly/assembled_problem.hpp"
#include "assembly/petsc.hpp"
#include "assembly/stage_matrix.hpp"

namespace percussion {

struct CoupledBlock {
  std::vector<PetscInt> dofs;  ///< distinct
  MatX Psi;                    ///< rows x dofs
  MatX F;                      ///< dofs x rows
};

/// Collective. Psi H^-1 F, rows on this rank; solve(B, X) leaves H^-1 B in X, both dense with columns of F.
CompressedRows inverse_product(Mat Psi, Mat F, const std::function<void(Mat, Mat)>& solve);

class Delassus {
 public:
  /// Collective. Sets G of the problem, whose rows on this rank are those of its blocks, in their order; H is assembled.
  void build(StageMatrix& H, std::span<const CoupledBlock> blocks, AssembledProblem& problem);

  /// Collective. rows := Psi x, f := F P.
  void psi(Vec x, std::span<double> rows);
  void force(std::span<const double> P, Vec f);

 private:
  void build_dense(StageMatrix& H, std::span<const CoupledBlock> blocks, AssembledProblem& problem);
  void build_factors(MPI_Comm comm, StageMatrix& H, std::span<const CoupledBlock> blocks);

  bool dense_ = false;
  MatX Psi_dense_, F_dense_;
  PetscMat Psi_, F_;
  PetscVec rows_;
};

}  // namespace percussion

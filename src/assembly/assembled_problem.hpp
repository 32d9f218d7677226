// The inclusion problem in the assembled view: psi = G P + c with the Delassus operator as a distributed PETSc matrix.
//
// For systems whose H_xx couples bodies: implicit springs, elements, joints inside a Newton method; also problems read
// from a file. Rows are distributed in whole blocks; `rows` holds the local blocks (arms, Wt and MW stay empty), with
// G of a block its diagonal block. Ranks relax their own rows; see solvers/assembled_sweep.hpp.
#pragma once
#include <petscmat.h>

#include <vector>

#include "assembly/inclusion_problem.hpp"
#include "assembly/petsc.hpp"

namespace percussion {

/// What judges a solution: the energy residual of time stepping (solvers/residual.hpp), or that of the community's
/// comparisons (solvers/cone_residual.hpp).
enum class ResidualMeasure : std::uint8_t { energy, cone };

struct AssembledProblem {
  AssembledProblem() = default;
  AssembledProblem(const AssembledProblem&) = delete;
  AssembledProblem& operator=(const AssembledProblem&) = delete;
  ~AssembledProblem() { MatDestroy(&G); }

  MPI_Comm comm = MPI_COMM_SELF;
  /// MPIAIJ (SEQAIJ on one rank), symmetric in value if H_xx is. nullptr: one rank has all rows, in G_alone; making a
  /// matrix object would cost more than solving a problem of a few rows.
  Mat G = nullptr;
  CompressedRows G_alone;
  GeneralRows rows;  ///< blocks, laws, c and P of this rank
  /// Per row: |c| + sum of |w_i u_i|, the size of the velocities that meet in it. The residual is not asked to resolve
  /// their rounding (solvers/residual.hpp). Empty: |c|.
  std::vector<double> speed;
  ResidualMeasure measure = ResidualMeasure::energy;
};

/// Collective. y := G P.
void apply_G(const AssembledProblem& problem, const std::vector<double>& P, std::vector<double>& y);

/// Sets G and G_inv of the blocks and rho of the laws from the local diagonal part of G. Local.
void set_diagonal_blocks(AssembledProblem& problem);

}  // namespace percussion

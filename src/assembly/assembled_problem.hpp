// The inclusion problem in the assembled view: psi = G P + c with the Delassus operator as a distributed PETSc matrix.
//
// For systems whose H_xx couples bodies: implicit springs, elements, joints inside a Newton method; also problems read
// from a file. Rows are distributed in whole blocks; `rows` holds the local blocks (arms, Wt and MW stay empty), with
// G of a block its diagonal block. Ranks relax their own rows; see solvers/assembled_sweep.hpp.
#pragma once
#include <petscmat.h>

#include <vector>

#include "assembly/inclusion_problem.hpp"

namespace percussion {

struct AssembledProblem {
  AssembledProblem() = default;
  AssembledProblem(const AssembledProblem&) = delete;
  AssembledProblem& operator=(const AssembledProblem&) = delete;
  ~AssembledProblem() { MatDestroy(&G); }

  MPI_Comm comm = MPI_COMM_SELF;
  Mat G = nullptr;   ///< MPIAIJ (SEQAIJ on one rank), symmetric in value if H_xx is
  GeneralRows rows;  ///< blocks, laws, c and P of this rank
  /// Per row: |c| + sum of |w_i u_i|, the size of the velocities that meet in it. The residual is not asked to resolve
  /// their rounding (solvers/residual.hpp). Empty: |c|.
  std::vector<double> speed;
};

/// Sets G and G_inv of the blocks and rho of the laws from the local diagonal part of problem.G. Local.
void set_diagonal_blocks(AssembledProblem& problem);

}  // namespace percussion

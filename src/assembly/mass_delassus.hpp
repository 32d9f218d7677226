// The Delassus operator of M v = Psi' P + f, psi = Psi v + c with a given sparse mass matrix M:
//
//   G = Psi M^-1 Psi',   psi = G P + c + Psi M^-1 f
//
// M is factorised once: by PETSc's LU on one rank, by MUMPS on several or for large systems; PETSc options
// (-ksp_type, -pc_type) choose anything else. Cost of product(): one solution per row, in batches
// (assembly/delassus.hpp).
#pragma once
#include "assembly/petsc.hpp"

namespace percussion {

class MassDelassus {
 public:
  /// Collective. M: square, rows of this rank; Psi: columns as the rows of M. InputError if M is singular.
  MassDelassus(MPI_Comm comm, const CompressedRows& M, const CompressedRows& Psi);

  /// Collective. G, rows of this rank.
  CompressedRows product() const;
  /// Collective. Psi M^-1 f, for the rows of this rank.
  std::vector<double> psi(const std::vector<double>& f) const;
  /// Collective. v = M^-1 (Psi' P + f) of this rank.
  std::vector<double> velocities(const std::vector<double>& P, const std::vector<double>& f) const;

 private:
  void solve(Vec b, Vec x) const;
  PetscMat M_, Psi_, Psi_t_;
  PetscKsp ksp_;
};

}  // namespace percussion

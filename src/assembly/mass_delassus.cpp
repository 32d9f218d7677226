#include "assembly/mass_delassus.hpp"

#include <algorithm>

#include "assembly/delassus.hpp"

namespace percussion {

namespace {

constexpr PetscInt small_system = 2000;  // as in stage_matrix.cpp

void set(Vec v, const std::vector<double>& values) {
  VecValues out(v);
  std::ranges::copy(values, out.data());
}

std::vector<double> values_of(Vec v) {
  PetscInt n = 0;
  PETSC_CALL(VecGetLocalSize(v, &n));
  VecValues in(v);
  return {in.data(), in.data() + n};
}

}  // namespace

MassDelassus::MassDelassus(MPI_Comm comm, const CompressedRows& M, const CompressedRows& Psi) {
  const auto own = static_cast<PetscInt>(M.first.size()) - 1;
  M_ = make_matrix(comm, own, M), Psi_ = make_matrix(comm, own, Psi);
  PETSC_CALL(MatTranspose(Psi_, MAT_INITIAL_MATRIX, Psi_t_.out()));
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  PetscInt n = 0;
  PETSC_CALL(MatGetSize(M_, &n, nullptr));
  PC pc = nullptr;
  PETSC_CALL(KSPCreate(comm, ksp_.out()));
  PETSC_CALL(KSPSetType(ksp_, KSPPREONLY));
  PETSC_CALL(KSPGetPC(ksp_, &pc));
  PETSC_CALL(PCSetType(pc, PCLU));
#ifdef PETSC_HAVE_MUMPS
  if (ranks > 1 || n > small_system) PETSC_CALL(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
#endif
  PETSC_CALL(KSPSetTolerances(ksp_, 1e-14, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  PETSC_CALL(KSPSetOperators(ksp_, M_, M_));
  PETSC_CALL(KSPSetFromOptions(ksp_));
  PETSC_CALL(KSPSetUp(ksp_));
  PCFailedReason failed = PC_NOERROR;
  PETSC_CALL(PCGetFailedReason(pc, &failed));
  all_or_none(comm, [&] {
    if (failed != PC_NOERROR)
      throw InputError(Complaint{{},
                                 "M",
                                 "",
                                 "the mass matrix is singular: it cannot be factorised",
                                 "a regular matrix",
                                 "give every velocity an inertia"});
  });
}

void MassDelassus::solve(Vec b, Vec x) const {
  PETSC_CALL(KSPSolve(ksp_, b, x));
}

CompressedRows MassDelassus::product() const {
  return inverse_product(Psi_, Psi_t_, [&](Mat B, Mat X) { PETSC_CALL(KSPMatSolve(ksp_, B, X)); });
}

std::vector<double> MassDelassus::psi(const std::vector<double>& f) const {
  PetscVec b, x, rows;
  PETSC_CALL(MatCreateVecs(M_, x.out(), b.out()));
  PETSC_CALL(MatCreateVecs(Psi_, nullptr, rows.out()));
  set(b, f);
  solve(b, x);
  PETSC_CALL(MatMult(Psi_, x, rows));
  return values_of(rows);
}

std::vector<double> MassDelassus::velocities(const std::vector<double>& P,
                                             const std::vector<double>& f) const {
  PetscVec b, x, rows;
  PETSC_CALL(MatCreateVecs(M_, x.out(), b.out()));
  PETSC_CALL(MatCreateVecs(Psi_, nullptr, rows.out()));
  set(rows, P), set(b, f);
  PETSC_CALL(MatMultAdd(Psi_t_, rows, b, b));
  solve(b, x);
  return values_of(x);
}

}  // namespace percussion

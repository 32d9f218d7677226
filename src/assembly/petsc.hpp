// PETSc objects as values that clean up after themselves, and its return codes as RunError. The only place that looks at
// a PETSc return code: everybody else writes PETSC_CALL(MatMult(A, x, y)).
#pragma once
#include <petscksp.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace percussion {

/// Owner of a PETSc object; `destroy` is the Destroy function of its class.
template <class T, PetscErrorCode (*destroy)(T*)>
class PetscHandle {
 public:
  PetscHandle() = default;
  PetscHandle(PetscHandle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  PetscHandle& operator=(PetscHandle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~PetscHandle() { reset(); }

  operator T() const { return object_; }
  /// Where a create function puts a new object; the old one is given up.
  T* out() {
    reset();
    return &object_;
  }
  T release() { return std::exchange(object_, nullptr); }
  void reset() {
    if (object_) destroy(&object_);  // nothing to be done about an error here
    object_ = nullptr;
  }

 private:
  T object_ = nullptr;
};

using PetscMat = PetscHandle<Mat, MatDestroy>;
using PetscVec = PetscHandle<Vec, VecDestroy>;
using PetscKsp = PetscHandle<KSP, KSPDestroy>;
using PetscIs = PetscHandle<IS, ISDestroy>;
using PetscScatter = PetscHandle<VecScatter, VecScatterDestroy>;

namespace detail {
inline void check_petsc(PetscErrorCode code, const char* call) {
  if (code == 0) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw RunError(std::string("PETSc: ") + (text ? text : "unknown error") + " in " + call);
}
}  // namespace detail

}  // namespace percussion

#define PETSC_CALL(call) ::percussion::detail::check_petsc(call, #call)

namespace percussion {

static_assert(std::is_same_v<PetscScalar, double>, "PETSc must be built with real double precision");

/// The values of a vector on this rank, for as long as it lives.
class VecValues {
 public:
  explicit VecValues(Vec v) : vec_(v) { PETSC_CALL(VecGetArray(vec_, &data_)); }
  ~VecValues() { VecRestoreArray(vec_, &data_); }
  VecValues(const VecValues&) = delete;
  VecValues& operator=(const VecValues&) = delete;
  double* data() { return data_; }
  double& operator[](PetscInt i) { return data_[i]; }

 private:
  Vec vec_;
  double* data_ = nullptr;
};

/// Rows of a distributed matrix on this rank: first[i] .. first[i + 1] are the entries of row i, columns ascending.
struct CompressedRows {
  std::vector<PetscInt> first{0}, column;
  std::vector<double> value;
};

/// Collective. MPIAIJ, SEQAIJ on one rank, with `columns` columns on this rank.
inline PetscMat make_matrix(MPI_Comm comm, PetscInt columns, const CompressedRows& rows) {
  PetscMat A;
  PETSC_CALL(MatCreate(comm, A.out()));
  PETSC_CALL(MatSetSizes(A, static_cast<PetscInt>(rows.first.size()) - 1, columns, PETSC_DETERMINE, PETSC_DETERMINE));
  PETSC_CALL(MatSetType(A, MATAIJ));
  // Only the one that fits the type does something.
  PETSC_CALL(MatSeqAIJSetPreallocationCSR(A, rows.first.data(), rows.column.data(), rows.value.data()));
  PETSC_CALL(MatMPIAIJSetPreallocationCSR(A, rows.first.data(), rows.column.data(), rows.value.data()));
  return A;
}

}  // namespace percussion

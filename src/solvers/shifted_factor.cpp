#include "solvers/shifted_factor.hpp"

#include <Eigen/SparseLU>

#include <algorithm>
#include <cmath>

#include "solvers/block_cholesky.hpp"

namespace percussion {

namespace {

// Of the largest entry: beyond, G counts as unsymmetric. Well below any tolerance a solver is asked for.
constexpr double symmetric = 1e-12;

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor, PetscInt>;

/// Largest |A - A'| over largest |A|.
double asymmetry(const CompressedRows& A) {
  double largest = 0, difference = 0;
  std::vector<PetscInt> next(A.first.begin(), A.first.end() - 1);  // in each row, the first entry not yet met by its mirror image
  for (PetscInt r = 0; r + 1 < static_cast<PetscInt>(A.first.size()); ++r) {
    for (PetscInt e = A.first[r]; e < A.first[r + 1]; ++e) {
      const PetscInt c = A.column[e];
      largest = std::max(largest, std::abs(A.value[e]));
      if (c < r) continue;
      // Rows r ascend, so the mirror images in row c do: those skipped have none.
      PetscInt& k = next[c];
      for (; k < A.first[c + 1] && A.column[k] < r; ++k) difference = std::max(difference, std::abs(A.value[k]));
      const bool found = k < A.first[c + 1] && A.column[k] == r;
      difference = std::max(difference, std::abs(A.value[e] - (found ? A.value[k] : 0.)));
      k += found && c != r;
    }
  }
  return largest > 0 ? difference / largest : 0.;
}

class OneRank final : public ShiftedFactor {
 public:
  explicit OneRank(CompressedRows G) : G_(std::move(G)) {
    if (G_.column.empty()) return;
    if (asymmetry(G_) <= symmetric) cholesky_ = std::make_unique<BlockCholesky>(G_);
  }

  bool factorise(const std::vector<double>& shift) override {
    if (cholesky_ && cholesky_->factorise(G_.value, shift)) return true;
    cholesky_.reset();
    const auto n = static_cast<PetscInt>(G_.first.size()) - 1;
    Sparse A = Eigen::Map<const Sparse>(n, n, static_cast<PetscInt>(G_.column.size()), G_.first.data(), G_.column.data(), G_.value.data());
    for (PetscInt r = 0; r < n; ++r) A.coeffRef(r, r) += shift[r];
    A.makeCompressed();
    const Eigen::SparseMatrix<double, Eigen::ColMajor, PetscInt> columns = A;
    lu_.compute(columns);
    return lu_.info() == Eigen::Success;
  }

  void solve(const std::vector<double>& b, std::vector<double>& x) override {
    if (cholesky_) return cholesky_->solve(b, x);
    const auto n = static_cast<Eigen::Index>(b.size());
    Eigen::Map<VecX>(x.data(), n) = lu_.solve(Eigen::Map<const VecX>(b.data(), n));
  }

 private:
  CompressedRows G_;
  std::unique_ptr<BlockCholesky> cholesky_;
  Eigen::SparseLU<Eigen::SparseMatrix<double, Eigen::ColMajor, PetscInt>> lu_;
};

class SeveralRanks final : public ShiftedFactor {
 public:
  SeveralRanks(const AssembledProblem& problem, const std::vector<double>& s) : comm_(problem.comm) {
    PETSC_CALL(MatDuplicate(problem.G, MAT_COPY_VALUES, G_.out()));
    PETSC_CALL(MatCreateVecs(G_, x_.out(), b_.out()));
    {
      VecValues values(x_);
      for (std::size_t r = 0; r < s.size(); ++r) values[static_cast<PetscInt>(r)] = 1 / s[r];
    }
    PETSC_CALL(MatDiagonalScale(G_, x_, x_));
    PETSC_CALL(MatDuplicate(G_, MAT_COPY_VALUES, A_.out()));
    PC pc = nullptr;
    PETSC_CALL(KSPCreate(comm_, ksp_.out()));
    PETSC_CALL(KSPSetOptionsPrefix(ksp_, "percussion_admm_"));
    PETSC_CALL(KSPSetType(ksp_, KSPPREONLY));
    PETSC_CALL(KSPGetPC(ksp_, &pc));
#ifdef PETSC_HAVE_MUMPS
    PETSC_CALL(PCSetType(pc, PCLU));
    PETSC_CALL(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
#else
    PETSC_CALL(PCSetType(pc, PCREDUNDANT));
#endif
    PETSC_CALL(KSPSetOperators(ksp_, A_, A_));
    PETSC_CALL(KSPSetFromOptions(ksp_));
  }

  bool factorise(const std::vector<double>& shift) override {
    PETSC_CALL(MatCopy(G_, A_, SAME_NONZERO_PATTERN));
    {
      VecValues values(x_);
      std::ranges::copy(shift, values.data());
    }
    PETSC_CALL(MatDiagonalSet(A_, x_, ADD_VALUES));
    PETSC_CALL(KSPSetUp(ksp_));
    PC pc = nullptr;
    PCFailedReason failed = PC_NOERROR;
    PETSC_CALL(KSPGetPC(ksp_, &pc));
    PETSC_CALL(PCGetFailedReason(pc, &failed));
    int bad = failed != PC_NOERROR;
    MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, comm_);
    return bad == 0;
  }

  void solve(const std::vector<double>& b, std::vector<double>& x) override {
    {
      VecValues values(b_);
      std::ranges::copy(b, values.data());
    }
    PETSC_CALL(KSPSolve(ksp_, b_, x_));
    VecValues values(x_);
    std::copy_n(values.data(), x.size(), x.data());
  }

 private:
  MPI_Comm comm_;
  PetscMat G_, A_;
  PetscVec x_, b_;
  PetscKsp ksp_;
};

}  // namespace

std::unique_ptr<ShiftedFactor> make_shifted_factor(const AssembledProblem& problem, const DelassusRows& G, const std::vector<double>& s) {
  if (!G.alone()) return std::make_unique<SeveralRanks>(problem, s);
  CompressedRows rows;
  for (PetscInt r = 0; r < static_cast<PetscInt>(s.size()); ++r) {
    G.for_own(r, [&](PetscInt c, double v) { rows.column.push_back(c), rows.value.push_back(v / (s[r] * s[c])); });
    rows.first.push_back(static_cast<PetscInt>(rows.column.size()));
  }
  return std::make_unique<OneRank>(std::move(rows));
}

}  // namespace percussion

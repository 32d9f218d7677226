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

/// G^ of one rank.
CompressedRows scaled_rows(const DelassusRows& G, const std::vector<double>& s) {
  CompressedRows rows;
  for (PetscInt r = 0; r < static_cast<PetscInt>(s.size()); ++r) {
    G.for_own(r, [&](PetscInt c, double v) { rows.column.push_back(c), rows.value.push_back(v / (s[r] * s[c])); });
    rows.first.push_back(static_cast<PetscInt>(rows.column.size()));
  }
  return rows;
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

/// Every rank has all of a small matrix and does the same: a distributed factorisation would be all latency.
class Replicated final : public ShiftedFactor {
 public:
  Replicated(const AssembledProblem& problem, const std::vector<double>& s) : comm_(problem.comm) {
    int ranks = 1;
    MPI_Comm_size(comm_, &ranks);
    counts_.resize(ranks), begins_.resize(ranks);
    const PetscInt* begin = nullptr;
    PETSC_CALL(MatGetOwnershipRanges(problem.G, &begin));
    for (int r = 0; r < ranks; ++r) begins_[r] = static_cast<int>(begin[r]), counts_[r] = static_cast<int>(begin[r + 1] - begin[r]);
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    first_ = begins_[rank];
    const auto n = static_cast<std::size_t>(begin[ranks]);
    shift_.resize(n), b_.resize(n), x_.resize(n);
    PetscIs all;
    Mat* copy = nullptr;
    PETSC_CALL(ISCreateStride(PETSC_COMM_SELF, static_cast<PetscInt>(n), 0, 1, all.out()));
    const IS rows = all;
    PETSC_CALL(MatCreateSubMatrices(problem.G, 1, &rows, &rows, MAT_INITIAL_MATRIX, &copy));
    AssembledProblem whole;
    whole.G = copy[0];
    whole.rows.c.resize(n), whole.rows.P.resize(n);
    gather(s, b_);
    factor_ = std::make_unique<OneRank>(scaled_rows(DelassusRows(whole), b_));
    whole.G = nullptr;
    PETSC_CALL(MatDestroySubMatrices(1, &copy));
  }

  bool factorise(const std::vector<double>& shift) override { return gather(shift, shift_), factor_->factorise(shift_); }

  void solve(const std::vector<double>& b, std::vector<double>& x) override {
    gather(b, b_);
    factor_->solve(b_, x_);
    std::copy_n(x_.begin() + first_, x.size(), x.begin());
  }

 private:
  void gather(const std::vector<double>& mine, std::vector<double>& all) const {
    MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, all.data(), counts_.data(), begins_.data(), MPI_DOUBLE, comm_);
  }
  MPI_Comm comm_;
  int first_ = 0;
  std::vector<int> counts_, begins_;
  std::unique_ptr<OneRank> factor_;
  std::vector<double> shift_, b_, x_;
};

}  // namespace

std::unique_ptr<ShiftedFactor> make_shifted_factor(const AssembledProblem& problem, const DelassusRows& G, const std::vector<double>& s,
                                                   int replicated_rows) {
  if (G.alone()) return std::make_unique<OneRank>(scaled_rows(G, s));
  if (G.global_rows() < replicated_rows) return std::make_unique<Replicated>(problem, s);
  return std::make_unique<SeveralRanks>(problem, s);
}

}  // namespace percussion

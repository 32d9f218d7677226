#include "solvers/shifted_factor.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include <algorithm>
#include <cmath>

namespace percussion {

namespace {

// Of the largest entry: beyond, G counts as unsymmetric. Well below any tolerance a solver is asked for.
constexpr double symmetric = 1e-12;

using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, PetscInt>;

/// G^ by columns, with its diagonal. Rows of G are compressed; columns come from them by counting.
Sparse scaled_matrix(const DelassusRows& G, const std::vector<double>& s) {
  const auto n = static_cast<PetscInt>(s.size());
  Sparse A(n, n);
  Eigen::Matrix<PetscInt, Eigen::Dynamic, 1> count = Eigen::Matrix<PetscInt, Eigen::Dynamic, 1>::Ones(n);
  for (PetscInt r = 0; r < n; ++r) G.for_own(r, [&](PetscInt c, double) { count[c] += c != r; });
  A.reserve(count);
  for (PetscInt r = 0; r < n; ++r) {
    bool has_diagonal = false;
    G.for_own(r, [&](PetscInt c, double v) {
      A.insertBackUncompressed(r, c) = v / (s[r] * s[c]);
      has_diagonal |= c == r;
    });
    if (!has_diagonal) A.insertBackUncompressed(r, r) = 0;
  }
  A.makeCompressed();
  return A;
}

class OneRank final : public ShiftedFactor {
 public:
  OneRank(const DelassusRows& G, const std::vector<double>& s) : G_(scaled_matrix(G, s)), A_(G_) {
    if (G_.rows() == 0) return;
    const Sparse difference = G_ - Sparse(G_.transpose());
    const auto largest = [](const Sparse& m) { return m.nonZeros() > 0 ? m.coeffs().abs().maxCoeff() : 0.; };
    unsymmetric_ = largest(difference) > symmetric * largest(G_);
    unsymmetric_ ? lu_.analyzePattern(A_) : cholesky_.analyzePattern(A_);
  }

  bool factorise(const std::vector<double>& shift) override {
    if (G_.rows() == 0) return true;
    A_.coeffs() = G_.coeffs();
    for (Eigen::Index r = 0; r < A_.rows(); ++r) A_.coeffRef(r, r) += shift[r];
    if (!unsymmetric_) {
      cholesky_.factorize(A_);
      if (cholesky_.info() == Eigen::Success) return true;
      unsymmetric_ = true;
      lu_.analyzePattern(A_);
    }
    lu_.factorize(A_);
    return lu_.info() == Eigen::Success;
  }

  void solve(const std::vector<double>& b, std::vector<double>& x) override {
    if (G_.rows() == 0) return;
    const Eigen::Map<const VecX> rhs(b.data(), G_.rows());
    Eigen::Map<VecX> result(x.data(), G_.rows());
    if (unsymmetric_)
      result = lu_.solve(rhs);
    else
      result = cholesky_.solve(rhs);
  }

 private:
  Sparse G_, A_;
  bool unsymmetric_ = false;
  Eigen::SimplicialLLT<Sparse> cholesky_;
  Eigen::SparseLU<Sparse> lu_;
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
  if (G.alone()) return std::make_unique<OneRank>(G, s);
  return std::make_unique<SeveralRanks>(problem, s);
}

}  // namespace percussion

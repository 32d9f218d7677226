#include "solvers/newton_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace percussion {

namespace {

// Rows and unknowns have the size one: redundant rows leave pivots and condition numbers at the rounding, 1e-16 to 1e-15.
constexpr double singular = 1e-14;

bool all_agree(MPI_Comm comm, bool good) {
  int value = good;
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MIN, comm);
  return value != 0;
}

}  // namespace

NewtonMatrix::NewtonMatrix(const AssembledProblem& problem, const DelassusRows& G, const std::vector<double>& s, int dense_rows)
    : problem_(problem), first_global_(G.first_global_row()), global_(G.global_rows()), dense_(global_ < dense_rows), alone_(G.alone()) {
  const std::vector<double> s_others = G.of_others(s);
  std::vector<PetscInt> columns;
  for (const RowBlock& block : problem.rows.blocks) {
    const PetscInt own = first_global_ + block.first_row;
    columns.clear();
    for (int r = 0; r < block.rows; ++r) {
      columns.push_back(own + r);
      G.for_own(block.first_row + r, [&](PetscInt c, double) { columns.push_back(first_global_ + c); });
      G.for_others(block.first_row + r, [&](PetscInt k, double) { columns.push_back(G.other_columns()[k]); });
    }
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const auto place = [&](PetscInt column) { return std::ranges::lower_bound(columns, column) - columns.begin(); };
    const Strip strip{G_.size(), column_.size(), static_cast<std::int32_t>(columns.size()), static_cast<std::int32_t>(place(own))};
    strips_.push_back(strip);
    column_.insert(column_.end(), columns.begin(), columns.end());
    G_.resize(G_.size() + static_cast<std::size_t>(block.rows) * columns.size(), 0.);
    for (int r = 0; r < block.rows; ++r) {
      double* value = G_.data() + strip.first + static_cast<std::size_t>(r) * columns.size();
      const double s_r = s[block.first_row + r];
      G.for_own(block.first_row + r, [&](PetscInt c, double v) { value[place(first_global_ + c)] = v / (s_r * s[c]); });
      G.for_others(block.first_row + r, [&](PetscInt k, double v) { value[place(G.other_columns()[k])] = v / (s_r * s_others[k]); });
    }
  }
  J_.resize(G_.size());
  dense_ ? set_up_dense() : set_up_sparse();
}

void NewtonMatrix::set_up_dense() {
  const auto rows = static_cast<PetscInt>(problem_.rows.c.size());
  local_.setZero(rows, global_);
  F_all_.resize(global_);
  if (alone_) return;
  int ranks = 1;
  MPI_Comm_size(problem_.comm, &ranks);
  counts_.resize(ranks), begins_.resize(ranks);
  const int mine[2] = {static_cast<int>(rows), static_cast<int>(first_global_)};
  std::vector<int> all(2 * ranks);
  MPI_Allgather(mine, 2, MPI_INT, all.data(), 2, MPI_INT, problem_.comm);
  for (int r = 0; r < ranks; ++r) counts_[r] = all[2 * r], begins_[r] = all[2 * r + 1];
  all_.resize(global_, global_);
}

void NewtonMatrix::set_up_sparse() {
  std::vector<PetscInt> rows, columns;
  rows.reserve(G_.size()), columns.reserve(G_.size());
  for (std::size_t b = 0; b < strips_.size(); ++b) {
    const RowBlock& block = problem_.rows.blocks[b];
    const Strip& strip = strips_[b];
    for (int r = 0; r < block.rows; ++r) {
      rows.insert(rows.end(), strip.columns, first_global_ + block.first_row + r);
      columns.insert(columns.end(), column_.begin() + static_cast<std::ptrdiff_t>(strip.first_column),
                     column_.begin() + static_cast<std::ptrdiff_t>(strip.first_column) + strip.columns);
    }
  }
  const auto n = static_cast<PetscInt>(problem_.rows.c.size());
  PETSC_CALL(MatCreate(problem_.comm, matrix_.out()));
  PETSC_CALL(MatSetSizes(matrix_, n, n, global_, global_));
  PETSC_CALL(MatSetType(matrix_, MATAIJ));
  PETSC_CALL(MatSetPreallocationCOO(matrix_, static_cast<PetscCount>(rows.size()), rows.data(), columns.data()));
  PETSC_CALL(MatCreateVecs(matrix_, solution_.out(), rhs_.out()));
  PC pc = nullptr;
  PETSC_CALL(KSPCreate(problem_.comm, ksp_.out()));
  PETSC_CALL(KSPSetOptionsPrefix(ksp_, "percussion_newton_"));
  PETSC_CALL(KSPSetType(ksp_, KSPPREONLY));
  PETSC_CALL(KSPGetPC(ksp_, &pc));
#ifdef PETSC_HAVE_MUMPS
  PETSC_CALL(PCSetType(pc, PCLU));
  PETSC_CALL(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
#else
  PETSC_CALL(PCSetType(pc, alone_ ? PCLU : PCREDUNDANT));
#endif
  PETSC_CALL(KSPSetOperators(ksp_, matrix_, matrix_));
#ifdef PETSC_HAVE_MUMPS
  Mat factor = nullptr;
  PETSC_CALL(PCFactorSetUpMatSolverType(pc));
  PETSC_CALL(PCFactorGetMatrix(pc, &factor));
  PETSC_CALL(MatMumpsSetIcntl(factor, 14, 60));  // per cent of memory beyond the estimate: pivoting is frequent here
  PETSC_CALL(MatMumpsSetIcntl(factor, 24, 1));   // detect null pivots instead of dividing by them
  PETSC_CALL(MatMumpsSetCntl(factor, 3, singular));
#endif
  PETSC_CALL(KSPSetFromOptions(ksp_));
}

void NewtonMatrix::set_block(std::size_t b, const BlockMap& map, double eps) {
  const Strip& strip = strips_[b];
  const Eigen::Index rows = map.F.size();
  const Eigen::Map<const RowMajor> G(G_.data() + strip.first, rows, strip.columns);
  Eigen::Map<RowMajor> J(J_.data() + strip.first, rows, strip.columns);
  for (Eigen::Index r = 0; r < rows; ++r) {
    J.row(r).setZero();
    for (Eigen::Index k = 0; k < rows; ++k) {
      if (map.dF_dpsi(r, k) != 0) J.row(r) += map.dF_dpsi(r, k) * G.row(k);
      J(r, strip.diagonal + k) += map.dF_dP(r, k) + eps * map.dF_dpsi(r, k);
    }
  }
  if (!dense_) return;
  const std::int32_t first = problem_.rows.blocks[b].first_row;
  for (Eigen::Index r = 0; r < rows; ++r)
    for (std::int32_t c = 0; c < strip.columns; ++c) local_(first + r, column_[strip.first_column + c]) = J(r, c);
}

bool NewtonMatrix::solve(const std::vector<double>& F, std::vector<double>& dP) {
  return dense_ ? solve_dense(F, dP) : solve_sparse(F, dP);
}

bool NewtonMatrix::solve_dense(const std::vector<double>& F, std::vector<double>& dP) {
  if (global_ == 0) return true;
  if (alone_) {
    std::ranges::copy(F, F_all_.data());
  } else {
    MPI_Datatype row;
    MPI_Type_contiguous(static_cast<int>(global_), MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    MPI_Allgatherv(local_.data(), static_cast<int>(local_.rows()), row, all_.data(), counts_.data(), begins_.data(), row, problem_.comm);
    MPI_Type_free(&row);
    MPI_Allgatherv(F.data(), static_cast<int>(F.size()), MPI_DOUBLE, F_all_.data(), counts_.data(), begins_.data(), MPI_DOUBLE, problem_.comm);
  }
  lu_.compute(alone_ ? local_ : all_);
  bool good = lu_.matrixLU().allFinite() && lu_.matrixLU().diagonal().cwiseAbs().minCoeff() > 0 && lu_.rcond() > singular;
  if (good) {
    const VecX x = lu_.solve(F_all_);
    good = x.allFinite();
    for (std::size_t r = 0; good && r < dP.size(); ++r) dP[r] = -x[first_global_ + static_cast<PetscInt>(r)];
  }
  return alone_ ? good : all_agree(problem_.comm, good);
}

bool NewtonMatrix::solve_sparse(const std::vector<double>& F, std::vector<double>& dP) {
  PETSC_CALL(MatSetValuesCOO(matrix_, J_.data(), INSERT_VALUES));
  {
    VecValues values(rhs_);
    std::ranges::copy(F, values.data());
  }
  PETSC_CALL(KSPSolve(ksp_, rhs_, solution_));
  KSPConvergedReason reason = KSP_CONVERGED_ITS;
  PETSC_CALL(KSPGetConvergedReason(ksp_, &reason));
  bool good = reason > 0;
#ifdef PETSC_HAVE_MUMPS
  PC pc = nullptr;
  Mat factor = nullptr;
  const char* type = nullptr;
  PETSC_CALL(KSPGetPC(ksp_, &pc));
  PETSC_CALL(PCFactorGetMatSolverType(pc, &type));
  if (type && std::string(type) == MATSOLVERMUMPS) {
    PetscInt null_pivots = 0;
    PETSC_CALL(PCFactorGetMatrix(pc, &factor));
    PETSC_CALL(MatMumpsGetInfog(factor, 28, &null_pivots));
    good = good && null_pivots == 0;
  }
#endif
  VecValues values(solution_);
  for (std::size_t r = 0; r < dP.size(); ++r) {
    dP[r] = -values[static_cast<PetscInt>(r)];
    good = good && std::isfinite(dP[r]);
  }
  return all_agree(problem_.comm, good);
}

}  // namespace percussion

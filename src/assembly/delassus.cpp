#include "assembly/delassus.hpp"

#include <algorithm>

namespace percussion {

namespace {

constexpr PetscInt batch = 256;  // columns of H^-1 F at a time

PetscMat from_triplets(MPI_Comm comm, PetscInt rows, PetscInt columns, std::vector<PetscInt>& row, std::vector<PetscInt>& column, const std::vector<double>& value) {
  PetscMat A;
  PETSC_CALL(MatCreate(comm, A.out()));
  PETSC_CALL(MatSetSizes(A, rows, columns, PETSC_DETERMINE, PETSC_DETERMINE));
  PETSC_CALL(MatSetType(A, MATAIJ));
  PETSC_CALL(MatSetPreallocationCOO(A, static_cast<PetscCount>(row.size()), row.data(), column.data()));
  PETSC_CALL(MatSetValuesCOO(A, value.data(), INSERT_VALUES));
  return A;
}

/// Columns [first, first + columns) of A, dense.
PetscMat dense_columns(MPI_Comm comm, Mat A, PetscInt first, PetscInt columns) {
  PetscInt local = 0, size = 0, begin = 0, end = 0, lda = 0;
  PETSC_CALL(MatGetLocalSize(A, &local, nullptr));
  PETSC_CALL(MatGetSize(A, &size, nullptr));
  PETSC_CALL(MatGetOwnershipRange(A, &begin, &end));
  PetscMat B;
  PETSC_CALL(MatCreateDense(comm, local, PETSC_DECIDE, size, columns, nullptr, B.out()));
  double* b = nullptr;
  PETSC_CALL(MatDenseGetArray(B, &b));
  PETSC_CALL(MatDenseGetLDA(B, &lda));
  for (PetscInt i = begin; i < end; ++i) {
    PetscInt n = 0;
    const PetscInt* column = nullptr;
    const double* value = nullptr;
    PETSC_CALL(MatGetRow(A, i, &n, &column, &value));
    for (PetscInt k = 0; k < n; ++k)
      if (column[k] >= first && column[k] < first + columns) b[(column[k] - first) * std::size_t(lda) + (i - begin)] = value[k];
    PETSC_CALL(MatRestoreRow(A, i, &n, &column, &value));
  }
  PETSC_CALL(MatDenseRestoreArray(B, &b));
  PETSC_CALL(MatAssemblyBegin(B, MAT_FINAL_ASSEMBLY));
  PETSC_CALL(MatAssemblyEnd(B, MAT_FINAL_ASSEMBLY));
  return B;
}

}  // namespace

CompressedRows inverse_product(Mat Psi, Mat F, const std::function<void(Mat, Mat)>& solve) {
  MPI_Comm comm = MPI_COMM_NULL;
  PETSC_CALL(PetscObjectGetComm(reinterpret_cast<PetscObject>(Psi), &comm));
  PetscInt local_rows = 0, all_columns = 0, lda = 0;
  PETSC_CALL(MatGetSize(F, nullptr, &all_columns));
  PETSC_CALL(MatGetLocalSize(Psi, &local_rows, nullptr));
  std::vector<std::vector<std::pair<PetscInt, double>>> entries(local_rows);
  for (PetscInt first = 0; first < all_columns; first += batch) {
    const PetscInt columns = std::min(batch, all_columns - first);
    const PetscMat B = dense_columns(comm, F, first, columns);
    PetscMat X, product;
    PETSC_CALL(MatDuplicate(B, MAT_DO_NOT_COPY_VALUES, X.out()));
    solve(B, X);
    PETSC_CALL(MatMatMult(Psi, X, MAT_INITIAL_MATRIX, PETSC_DEFAULT, product.out()));
    const double* g = nullptr;
    PETSC_CALL(MatDenseGetArrayRead(product, &g));
    PETSC_CALL(MatDenseGetLDA(product, &lda));
    for (PetscInt c = 0; c < columns; ++c)
      for (PetscInt r = 0; r < local_rows; ++r)
        if (const double value = g[c * std::size_t(lda) + r]; value != 0) entries[r].emplace_back(first + c, value);
    PETSC_CALL(MatDenseRestoreArrayRead(product, &g));
  }
  CompressedRows G;
  for (const auto& row : entries) {
    for (const auto& [column, value] : row) G.column.push_back(column), G.value.push_back(value);
    G.first.push_back(static_cast<PetscInt>(G.column.size()));
  }
  return G;
}

void Delassus::build_factors(MPI_Comm comm, StageMatrix& H, std::span<const CoupledBlock> blocks) {
  PetscInt rows = 0, first_row = 0, columns = 0;
  for (const CoupledBlock& block : blocks) rows += static_cast<PetscInt>(block.Psi.rows());
  MPI_Exscan(&rows, &first_row, 1, MPIU_INT, MPI_SUM, comm);
  const PetscVec x = H.make_vector();
  PETSC_CALL(VecGetLocalSize(x, &columns));
  std::vector<PetscInt> row, column;
  std::vector<double> Psi, F;
  PetscInt r = first_row;
  for (const CoupledBlock& block : blocks)
    for (Eigen::Index k = 0; k < block.Psi.rows(); ++k, ++r)
      for (std::size_t d = 0; d < block.dofs.size(); ++d) {
        row.push_back(r), column.push_back(block.dofs[d]);
        Psi.push_back(block.Psi(k, static_cast<Eigen::Index>(d))), F.push_back(block.F(static_cast<Eigen::Index>(d), k));
      }
  std::vector<PetscInt> row_copy = row, column_copy = column;  // PETSc sorts them in place
  Psi_ = from_triplets(comm, rows, columns, row, column, Psi);
  const PetscMat Ft = from_triplets(comm, rows, columns, row_copy, column_copy, F);
  PETSC_CALL(MatTranspose(Ft, MAT_INITIAL_MATRIX, F_.out()));
  PETSC_CALL(MatCreateVecs(Psi_, nullptr, rows_.out()));
}

void Delassus::build_dense(StageMatrix& H, std::span<const CoupledBlock> blocks, AssembledProblem& problem) {
  Eigen::Index rows = 0, row = 0;
  for (const CoupledBlock& block : blocks) rows += block.Psi.rows();
  Psi_dense_ = MatX::Zero(rows, H.size()), F_dense_ = MatX::Zero(H.size(), rows);
  for (const CoupledBlock& block : blocks) {
    for (std::size_t d = 0; d < block.dofs.size(); ++d) {
      Psi_dense_.col(block.dofs[d]).segment(row, block.Psi.rows()) = block.Psi.col(static_cast<Eigen::Index>(d));
      F_dense_.row(block.dofs[d]).segment(row, block.Psi.rows()) = block.F.row(static_cast<Eigen::Index>(d));
    }
    row += block.Psi.rows();
  }
  const MatX G = Psi_dense_ * H.solve_dense(F_dense_);
  CompressedRows& out = problem.G_alone;
  out.first.assign(1, 0), out.column.clear(), out.value.clear();
  for (Eigen::Index r = 0; r < rows; ++r) {
    for (Eigen::Index c = 0; c < rows; ++c) out.column.push_back(static_cast<PetscInt>(c)), out.value.push_back(G(r, c));
    out.first.push_back(static_cast<PetscInt>(out.column.size()));
  }
}

void Delassus::build(StageMatrix& H, std::span<const CoupledBlock> blocks, AssembledProblem& problem) {
  const MPI_Comm comm = problem.comm;
  MatDestroy(&problem.G);
  dense_ = H.is_dense();
  if (dense_) return build_dense(H, blocks, problem);
  build_factors(comm, H, blocks);
  if (H.block_diagonal()) {
    PetscMat H_inv_F, G;
    PETSC_CALL(MatMatMult(H.inverse_blocks(), F_, MAT_INITIAL_MATRIX, PETSC_DEFAULT, H_inv_F.out()));
    PETSC_CALL(MatMatMult(Psi_, H_inv_F, MAT_INITIAL_MATRIX, PETSC_DEFAULT, G.out()));
    problem.G = G.release();
    return;
  }
  const CompressedRows G = inverse_product(Psi_, F_, [&](Mat B, Mat X) { H.solve(B, X); });
  problem.G = make_matrix(comm, static_cast<PetscInt>(G.first.size()) - 1, G).release();
}

void Delassus::psi(Vec x, std::span<double> rows) {
  if (dense_) {
    VecValues values(x);
    Eigen::Map<VecX>(rows.data(), static_cast<Eigen::Index>(rows.size())).noalias() = Psi_dense_ * Eigen::Map<const VecX>(values.data(), Psi_dense_.cols());
    return;
  }
  PETSC_CALL(MatMult(Psi_, x, rows_));
  VecValues values(rows_);
  std::copy_n(values.data(), rows.size(), rows.data());
}

void Delassus::force(std::span<const double> P, Vec f) {
  if (dense_) {
    VecValues values(f);
    Eigen::Map<VecX>(values.data(), F_dense_.rows()).noalias() = F_dense_ * Eigen::Map<const VecX>(P.data(), static_cast<Eigen::Index>(P.size()));
    return;
  }
  {
    VecValues values(rows_);
    std::ranges::copy(P, values.data());
  }
  PETSC_CALL(MatMult(F_, rows_, f));
}

}  // namespace percussion

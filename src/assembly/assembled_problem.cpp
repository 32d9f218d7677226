#include "assembly/assembled_problem.hpp"

#include <algorithm>

#include "assembly/contact_rows.hpp"
#include "assembly/petsc.hpp"

namespace percussion {

void apply_G(const AssembledProblem& problem, const std::vector<double>& P, std::vector<double>& y) {
  y.assign(P.size(), 0.);
  if (!problem.G) {
    const CompressedRows& G = problem.G_alone;
    for (std::size_t r = 0; r < y.size(); ++r)
      for (PetscInt k = G.first[r]; k < G.first[r + 1]; ++k) y[r] += G.value[k] * P[G.column[k]];
    return;
  }
  PetscVec x, G_x;
  PETSC_CALL(MatCreateVecs(problem.G, x.out(), G_x.out()));
  {
    VecValues values(x);
    std::ranges::copy(P, values.data());
  }
  PETSC_CALL(MatMult(problem.G, x, G_x));
  VecValues values(G_x);
  std::copy_n(values.data(), y.size(), y.data());
}

namespace {

/// Entries (row[i], row[j]) of a matrix on this rank, row by row.
void local_values(const AssembledProblem& problem, Mat local, int n, const PetscInt* row, double* value) {
  if (local) {
    PETSC_CALL(MatGetValues(local, n, row, n, row, value));
    return;
  }
  const CompressedRows& G = problem.G_alone;
  std::fill_n(value, n * n, 0.);
  for (int r = 0; r < n; ++r)
    for (PetscInt k = G.first[row[r]]; k < G.first[row[r] + 1]; ++k)
      if (const PetscInt c = G.column[k] - row[0]; c >= 0 && c < n) value[r * n + c] = G.value[k];
}

}  // namespace

void set_diagonal_blocks(AssembledProblem& problem) {
  Mat local = nullptr;
  if (problem.G) PETSC_CALL(MatGetDiagonalBlock(problem.G, &local));  // belongs to G
  for (RowBlock& block : problem.rows.blocks) {
    PetscInt row[max_small_size];
    for (int r = 0; r < block.rows; ++r) row[r] = block.first_row + r;
    double value[max_small_size * max_small_size];
    local_values(problem, local, block.rows, row, value);
    block.G.resize(block.rows, block.rows);
    for (int r = 0; r < block.rows; ++r)
      for (int c = 0; c < block.rows; ++c) block.G(r, c) = value[r * block.rows + c];
    set_block_steps(problem.rows, block);
  }
}

}  // namespace percussion

#include "assembly/assembled_problem.hpp"

#include "assembly/contact_rows.hpp"
#include "assembly/petsc.hpp"

namespace percussion {

void set_diagonal_blocks(AssembledProblem& problem) {
  Mat local = nullptr;
  PETSC_CALL(MatGetDiagonalBlock(problem.G, &local));  // belongs to G
  for (RowBlock& block : problem.rows.blocks) {
    PetscInt row[max_small_size];
    for (int r = 0; r < block.rows; ++r) row[r] = block.first_row + r;
    double value[max_small_size * max_small_size];
    PETSC_CALL(MatGetValues(local, block.rows, row, block.rows, row, value));
    block.G.resize(block.rows, block.rows);
    for (int r = 0; r < block.rows; ++r)
      for (int c = 0; c < block.rows; ++c) block.G(r, c) = value[r * block.rows + c];
    set_block_steps(problem.rows, block);
  }
}

}  // namespace percussion

#include "solvers/delassus_rows.hpp"

#include <algorithm>
#include <set>

namespace percussion {

DelassusRows::DelassusRows(const AssembledProblem& problem) : problem_(problem) {
  if (!problem.G) {
    const CompressedRows& G = problem.G_alone;
    PERCUSSION_CHECK(G.first.size() == problem.rows.c.size() + 1, "G and the rows of this rank do not belong together");
    first_ = G.first.data(), column_ = G.column.data(), value_ = G.value.data();
    global_ = static_cast<PetscInt>(problem.rows.c.size());
    return;
  }
  PETSC_CALL(MatGetDiagonalBlock(problem.G, &own_));
  PetscInt n = 0;
  PetscBool done = PETSC_FALSE;
  PETSC_CALL(MatGetRowIJ(own_, 0, PETSC_FALSE, PETSC_FALSE, &n, &first_, &column_, &done));
  PERCUSSION_CHECK(done, "G must be an AIJ matrix");
  PERCUSSION_CHECK(n == static_cast<PetscInt>(problem.rows.c.size()), "G and the rows of this rank do not belong together");
  PETSC_CALL(MatSeqAIJGetArrayRead(own_, &value_));
  PETSC_CALL(MatGetSize(problem.G, &global_, nullptr));
  PETSC_CALL(MatGetOwnershipRange(problem.G, &first_global_, nullptr));
  PetscBool distributed = PETSC_FALSE;
  PETSC_CALL(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(problem.G), MATMPIAIJ, &distributed));
  if (!distributed) return;
  PETSC_CALL(MatMPIAIJGetSeqAIJ(problem.G, nullptr, &others_, &other_column_));
  PETSC_CALL(MatGetSize(others_, nullptr, &n_others_));
  PETSC_CALL(MatCreateVecs(problem.G, x_.out(), y_.out()));
}

DelassusRows::~DelassusRows() {
  if (!own_) return;
  PetscInt n = 0;
  PetscBool done = PETSC_FALSE;
  MatSeqAIJRestoreArrayRead(own_, &value_);
  MatRestoreRowIJ(own_, 0, PETSC_FALSE, PETSC_FALSE, &n, &first_, &column_, &done);
}

void DelassusRows::multiply(const std::vector<double>& x, const std::vector<double>& c, std::vector<double>& y) const {
  y = c;
  if (alone()) {
    for (std::size_t r = 0; r < y.size(); ++r) y[r] += dot(static_cast<PetscInt>(r), x.data());
    return;
  }
  {
    VecValues values(x_);
    std::ranges::copy(x, values.data());
  }
  PETSC_CALL(MatMult(problem_.G, x_, y_));
  VecValues values(y_);
  for (std::size_t r = 0; r < y.size(); ++r) y[r] += values[static_cast<PetscInt>(r)];
}

std::vector<double> DelassusRows::of_others(const std::vector<double>& mine) const {
  std::vector<double> result(n_others_);
  if (alone()) return result;
  {
    VecValues values(x_);
    std::ranges::copy(mine, values.data());
  }
  PetscVec fetched;
  PetscIs from;
  PetscScatter scatter;
  PETSC_CALL(VecCreateSeq(PETSC_COMM_SELF, n_others_, fetched.out()));
  PETSC_CALL(ISCreateGeneral(PETSC_COMM_SELF, n_others_, other_column_, PETSC_COPY_VALUES, from.out()));
  PETSC_CALL(VecScatterCreate(x_, from, fetched, nullptr, scatter.out()));
  PETSC_CALL(VecScatterBegin(scatter, x_, fetched, INSERT_VALUES, SCATTER_FORWARD));
  PETSC_CALL(VecScatterEnd(scatter, x_, fetched, INSERT_VALUES, SCATTER_FORWARD));
  VecValues values(fetched);
  std::copy_n(values.data(), n_others_, result.begin());
  return result;
}

int DelassusRows::coupled_ranks() const {
  if (alone()) return 1;
  std::set<std::ptrdiff_t> ranks;
  const PetscInt* begin = nullptr;
  int size = 1;
  MPI_Comm_size(problem_.comm, &size);
  PETSC_CALL(MatGetOwnershipRanges(problem_.G, &begin));
  for (const PetscInt column : other_columns()) ranks.insert(std::upper_bound(begin, begin + size + 1, column) - begin);
  return 1 + static_cast<int>(ranks.size());
}

}  // namespace percussion

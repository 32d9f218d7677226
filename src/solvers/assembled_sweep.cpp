#include "solvers/assembled_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "assembly/petsc.hpp"
#include "base/timer.hpp"
#include "solvers/residual.hpp"
#include "solvers/row_kernel.hpp"

namespace percussion {

namespace {

/// The rows of this rank, split into the columns of this rank and those of others.
class LocalRows {
 public:
  explicit LocalRows(const AssembledProblem& problem) : problem_(problem) {
    PETSC_CALL(MatGetDiagonalBlock(problem.G, &own_));
    PetscInt n = 0;
    PetscBool done = PETSC_FALSE;
    PETSC_CALL(MatGetRowIJ(own_, 0, PETSC_FALSE, PETSC_FALSE, &n, &first_, &column_, &done));
    PERCUSSION_CHECK(done, "G must be an AIJ matrix");
    PETSC_CALL(MatSeqAIJGetArrayRead(own_, &value_));
    PetscBool distributed = PETSC_FALSE;
    PETSC_CALL(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(problem.G), MATMPIAIJ, &distributed));
    if (distributed) PETSC_CALL(MatMPIAIJGetSeqAIJ(problem.G, nullptr, &others_, &other_column_));
  }
  ~LocalRows() {
    PetscInt n = 0;
    PetscBool done = PETSC_FALSE;
    MatSeqAIJRestoreArrayRead(own_, &value_);
    MatRestoreRowIJ(own_, 0, PETSC_FALSE, PETSC_FALSE, &n, &first_, &column_, &done);
  }
  LocalRows(const LocalRows&) = delete;
  LocalRows& operator=(const LocalRows&) = delete;

  /// Row r of the local part times x.
  double dot(PetscInt r, const double* x) const {
    double sum = 0;
    for (PetscInt k = first_[r]; k < first_[r + 1]; ++k) sum += value_[k] * x[column_[k]];
    return sum;
  }

  /// 1 + number of ranks whose rows couple with ours.
  int coupled_ranks() const {
    std::set<std::ptrdiff_t> ranks;
    const PetscInt* begin = nullptr;
    int size = 1;
    MPI_Comm_size(problem_.comm, &size);
    PETSC_CALL(MatGetOwnershipRanges(problem_.G, &begin));
    for (PetscInt k = 0; k < other_columns(); ++k) ranks.insert(std::upper_bound(begin, begin + size + 1, other_column_[k]) - begin);
    return 1 + static_cast<int>(ranks.size());
  }

  /// Collective. Per block: number of blocks on all ranks that couple with it, itself included.
  std::vector<int> coupled_blocks() const {
    const std::vector<RowBlock>& blocks = problem_.rows.blocks;
    // Global number of the block of each row, as a vector so that PETSc can fetch those of other ranks.
    std::int64_t before = 0, mine = static_cast<std::int64_t>(blocks.size());
    MPI_Scan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, problem_.comm);
    before -= mine;
    PetscVec number, fetched;
    PETSC_CALL(MatCreateVecs(problem_.G, number.out(), nullptr));
    {
      VecValues values(number);
      for (std::size_t b = 0; b < blocks.size(); ++b)
        std::fill_n(values.data() + blocks[b].first_row, blocks[b].rows, static_cast<double>(before + static_cast<std::int64_t>(b)));
    }
    PETSC_CALL(VecCreateSeq(PETSC_COMM_SELF, other_columns(), fetched.out()));
    PetscIs from;
    PetscScatter scatter;
    PETSC_CALL(ISCreateGeneral(PETSC_COMM_SELF, other_columns(), other_column_, PETSC_COPY_VALUES, from.out()));
    PETSC_CALL(VecScatterCreate(number, from, fetched, nullptr, scatter.out()));
    PETSC_CALL(VecScatterBegin(scatter, number, fetched, INSERT_VALUES, SCATTER_FORWARD));
    PETSC_CALL(VecScatterEnd(scatter, number, fetched, INSERT_VALUES, SCATTER_FORWARD));

    VecValues own(number), other(fetched);
    std::vector<int> result;
    for (const RowBlock& block : blocks) {
      std::set<double> seen{own[block.first_row]};
      for (PetscInt r = block.first_row; r < block.first_row + block.rows; ++r) {
        for (PetscInt k = first_[r]; k < first_[r + 1]; ++k) seen.insert(own[column_[k]]);
        for_other_columns(r, [&](PetscInt k) { seen.insert(other[k]); });
      }
      result.push_back(static_cast<int>(seen.size()));
    }
    return result;
  }

 private:
  PetscInt other_columns() const {
    PetscInt n = 0;
    if (others_) PETSC_CALL(MatGetSize(others_, nullptr, &n));
    return n;
  }
  template <class Visit>
  void for_other_columns(PetscInt r, Visit&& visit) const {
    if (!others_) return;
    PetscInt n = 0;
    const PetscInt* column = nullptr;
    PETSC_CALL(MatGetRow(others_, r, &n, &column, nullptr));
    for (PetscInt k = 0; k < n; ++k) visit(column[k]);
    PETSC_CALL(MatRestoreRow(others_, r, &n, &column, nullptr));
  }

  const AssembledProblem& problem_;
  Mat own_ = nullptr, others_ = nullptr;
  const PetscInt *first_ = nullptr, *column_ = nullptr, *other_column_ = nullptr;
  const double* value_ = nullptr;
};

/// psi = G P + c of the rows of this rank.
class RowVelocities {
 public:
  explicit RowVelocities(const AssembledProblem& problem) : problem_(problem) {
    PETSC_CALL(MatCreateVecs(problem.G, P_.out(), psi_.out()));
  }
  /// Collective: one PETSc scatter.
  void update() {
    {
      VecValues P(P_);
      std::ranges::copy(problem_.rows.P, P.data());
    }
    PETSC_CALL(MatMult(problem_.G, P_, psi_));
    VecValues psi(psi_);
    value_.assign(psi.data(), psi.data() + problem_.rows.c.size());
    for (std::size_t r = 0; r < value_.size(); ++r) value_[r] += problem_.rows.c[r];
  }
  SmallVec of(const RowBlock& block) const { return Eigen::Map<const VecX>(value_.data() + block.first_row, block.rows); }

 private:
  const AssembledProblem& problem_;
  PetscVec P_, psi_;
  std::vector<double> value_;
};

/// |F| and |P| in the energy norm of solvers/residual.hpp, over all ranks. `psi_of(block)`, `P_of(block)`.
template <class PsiOf, class POf>
std::pair<double, double> energy_norms(const AssembledProblem& problem, PsiOf&& psi_of, POf&& P_of) {
  double sum[2] = {0, 0};
  const GeneralRows& rows = problem.rows;
  for (const RowBlock& block : rows.blocks) {
    const SmallVec P = P_of(block), F = row_natural_map(block, rows.laws.data() + block.first_law, psi_of(block), P.data());
    sum[0] += F.dot(block.G * F), sum[1] += P.dot(block.G * P);
  }
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, problem.comm);
  return {std::sqrt(std::max(sum[0], 0.)), std::sqrt(std::max(sum[1], 0.))};
}

/// Energy norm of the percussions that would stop the bodies at each row alone (S of solvers/residual.hpp).
double stopping_norm(const AssembledProblem& problem) {
  const std::vector<double>& speed = problem.speed.empty() ? problem.rows.c : problem.speed;
  double sum = 0;
  for (const RowBlock& block : problem.rows.blocks)
    for (int r = 0; r < block.rows; ++r)
      if (block.G(r, r) > 0) sum += std::pow(speed[block.first_row + r], 2) / block.G(r, r);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, problem.comm);
  return std::sqrt(sum);
}

SmallVec block_part(const std::vector<double>& values, const RowBlock& block) {
  return Eigen::Map<const VecX>(values.data() + block.first_row, block.rows);
}

/// `sweep(psi)` changes P of this rank; psi is G P + c before it.
template <class Sweep>
SolveReport sweep_until_solved(AssembledProblem& problem, const SolverOptions& options, Sweep&& sweep) {
  SolveReport report;
  RowVelocities psi(problem);
  const GeneralRows& rows = problem.rows;
  const double F_0 = energy_norms(problem, [&](const RowBlock& b) { return block_part(rows.c, b); },
                                  [](const RowBlock& b) -> SmallVec { return SmallVec::Zero(b.rows); }).first;
  const double start = std::max(F_0, velocity_floor * stopping_norm(problem));
  for (;;) {
    psi.update();
    const auto [F, P] = energy_norms(problem, [&](const RowBlock& b) { return psi.of(b); }, [&](const RowBlock& b) { return block_part(rows.P, b); });
    const double scale = std::max(P, start);
    report.residual = scale > 0 ? F / scale : 0.;
    if (options.history) report.history.push_back(report.residual);
    report.converged = report.residual <= options.tolerance;
    if (report.converged || report.iterations >= options.max_iterations) return report;
    const int sweeps = std::min(options.check_every, options.max_iterations - report.iterations);
    for (int k = 0; k < sweeps; ++k) {
      if (k > 0) psi.update();
      sweep(psi);
    }
    report.iterations += sweeps;
  }
}

}  // namespace

SolveReport assembled_gauss_seidel(AssembledProblem& problem, const SolverOptions& options) {
  const PhaseScope phase(Phase::solve);
  const LocalRows local(problem);
  const double k_r = local.coupled_ranks();
  GeneralRows& rows = problem.rows;
  std::vector<double> dP(rows.P.size());
  return sweep_until_solved(problem, options, [&](const RowVelocities& psi_before) {
    std::fill(dP.begin(), dP.end(), 0.);
    for (const RowBlock& block : rows.blocks) {
      // Gradient of the majoriser: the changes of this sweep count k_r times.
      SmallVec psi = psi_before.of(block);
      for (int r = 0; r < block.rows; ++r) psi[r] += k_r * local.dot(block.first_row + r, dP.data());
      double* P = rows.P.data() + block.first_row;
      const SmallVec before = block_part(rows.P, block);
      solve_block(block, rows.laws.data() + block.first_law, k_r, options.relaxation, psi, P);
      for (int r = 0; r < block.rows; ++r) dP[block.first_row + r] = P[r] - before[r];
    }
  });
}

SolveReport assembled_jacobi(AssembledProblem& problem, const SolverOptions& options) {
  const PhaseScope phase(Phase::solve);
  const std::vector<int> scale = LocalRows(problem).coupled_blocks();
  GeneralRows& rows = problem.rows;
  return sweep_until_solved(problem, options, [&](const RowVelocities& psi) {
    for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
      const RowBlock& block = rows.blocks[b];
      solve_block(block, rows.laws.data() + block.first_law, scale[b], options.relaxation, psi.of(block), rows.P.data() + block.first_row);
    }
  });
}

}  // namespace percussion

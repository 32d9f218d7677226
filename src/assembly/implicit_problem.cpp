#include "assembly/implicit_problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assembly/lent_state.hpp"
#include "assembly/node_forces.hpp"
#include "base/timer.hpp"

namespace percussion {

namespace {

constexpr PetscInt batch = 256;  // columns of H^-1 W at a time

}  // namespace

void ImplicitProblem::reshape(System& system) {
  if (!dofs_.update(system)) return;
  problem_.comm = system.comm();
  channel_.reset();
  if (system.distribution.ranks() > 1) channel_ = std::make_unique<HaloChannel<double>>(system.distribution.halo(), system.nodes.u_offset());
  matrix_.reshape(system, dofs_);
  rhs_ = matrix_.make_vector(), u_free_ = matrix_.make_vector(), du_ = matrix_.make_vector();
}

void ImplicitProblem::sum_over_ranks(std::vector<double>& values) {
  if (channel_) channel_->reduce_add(values);
}

void ImplicitProblem::begin(System& system, const ThetaStep& step, std::span<const double> q_n) {
  const PhaseScope phase(Phase::assembly);
  step_ = step;
  reshape(system);
  const NodeStore& nodes = system.nodes;
  q_n_.assign(q_n.begin(), q_n.end());
  q_B_ = nodes.q(), u_n_ = nodes.u(), u_ = nodes.u();

  const double t_q = step.t + 0.5 * step.h;
  active_.detect(system);
  all_or_none(system.comm(), [&] {
    active_.evaluate(system, {step.t_theta(), t_q, step.t + step.h, step.h}, DetectedRows::all);
    matrix_.set_mass(system, t_q);
  });
  mass_diagonal_.assign(u_.size(), 0.);
  matrix_.add_mass_diagonal(system, mass_diagonal_);
  sum_over_ranks(mass_diagonal_);
  build_rows(system);
  evaluate(system);
}

void ImplicitProblem::build_rows(const System& system) {
  GeneralRows& rows = problem_.rows;
  rows.clear();
  CompressedRows Wt;
  std::vector<std::size_t> order;
  for (const PendingRows& pending : active_.blocks()) {
    append_block(rows, pending);
    // Columns must ascend.
    std::vector<Eigen::Index> offset{0};
    for (const std::int32_t i : pending.nodes) offset.push_back(offset.back() + nu(system.nodes[i].kind, system.nodes[i].dofs));
    order.resize(pending.nodes.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::size_t m) { return dofs_.first(pending.nodes[m]); });
    for (Eigen::Index r = 0; r < pending.c.size(); ++r) {
      for (const std::size_t m : order)
        for (Eigen::Index k = offset[m]; k < offset[m + 1]; ++k) {
          Wt.column.push_back(dofs_.first(pending.nodes[m]) + static_cast<PetscInt>(k - offset[m]));
          Wt.value.push_back(pending.W(k, r));
        }
      Wt.first.push_back(static_cast<PetscInt>(Wt.column.size()));
    }
  }
  c_ = rows.c;
  Wt_ = make_matrix(system.comm(), dofs_.owned(), Wt);
  PETSC_CALL(MatTranspose(Wt_, MAT_INITIAL_MATRIX, W_.out()));
  PETSC_CALL(MatCreateVecs(Wt_, nullptr, rows_.out()));
}

void ImplicitProblem::set_theta_state(const NodeStore& nodes) {
  const double theta = step_.theta;
  u_theta_.resize(u_.size());
  for (std::size_t i = 0; i < u_.size(); ++i) u_theta_[i] = theta * u_[i] + (1 - theta) * u_n_[i];
  q_theta_ = q_n_;
  VecX rate;
  for (std::int32_t i = 0; i < nodes.size(); ++i) {
    const std::int32_t first = nodes.q_offset()[i], n = nodes.q_offset()[i + 1] - first;
    rate.resize(n);
    q_dot<double>(nodes[i].kind, nodes[i].dofs, q_B_.data() + first, u_theta_.data() + nodes.u_offset()[i], rate.data());
    for (std::int32_t k = 0; k < n; ++k) q_theta_[first + k] += step_.h * theta * rate[k];
  }
}

void ImplicitProblem::evaluate(System& system) {
  set_theta_state(system.nodes);
  std::vector<double> du(u_.size());
  for (std::size_t i = 0; i < u_.size(); ++i) du[i] = u_[i] - u_n_[i];
  inertia_.assign(u_.size(), 0.), force_.assign(u_.size(), 0.);
  all_or_none(system.comm(), [&] {
    const LentState lent(system.nodes, q_theta_, u_theta_);
    add_forces(system, step_.t_theta(), step_.h, gathered_, force_);
  });
  matrix_.add_mass(system, du, inertia_);
  sum_over_ranks(inertia_), sum_over_ranks(force_);
}

void ImplicitProblem::linearise(System& system) {
  const PhaseScope phase(Phase::assembly);
  {
    const LentState lent(system.nodes, q_theta_, u_theta_);
    matrix_.linearise(system, step_, q_B_);
  }
  {
    VecValues rhs(rhs_);
    for (PetscInt i = 0; i < dofs_.owned(); ++i) rhs[i] = force_[i] - inertia_[i];
  }
  matrix_.solve(rhs_, u_free_);
  {
    VecValues u_free(u_free_);
    for (PetscInt i = 0; i < dofs_.owned(); ++i) u_free[i] += u_[i];
  }
  build_delassus(system);
  PETSC_CALL(MatMult(Wt_, u_free_, rows_));
  VecValues rows(rows_);
  for (std::size_t r = 0; r < c_.size(); ++r) problem_.rows.c[r] = c_[r] + rows[static_cast<PetscInt>(r)];
  set_speed(system.nodes);
}

void ImplicitProblem::set_speed(const NodeStore& nodes) {
  problem_.speed.clear();
  for (const PendingRows& pending : active_.blocks())
    for (Eigen::Index r = 0; r < pending.c.size(); ++r) {
      double v = std::abs(problem_.rows.c[problem_.speed.size()]);
      const double* w = pending.W.col(r).data();
      for (const std::int32_t i : pending.nodes)
        for (std::int32_t k = nodes.u_offset()[i]; k < nodes.u_offset()[i + 1]; ++k) v += std::abs(*w++ * u_[k]);
      problem_.speed.push_back(v);
    }
}

void ImplicitProblem::build_delassus(const System& system) {
  PetscInt rows = 0, local_rows = 0, lda = 0;
  PETSC_CALL(MatGetSize(Wt_, &rows, nullptr));
  PETSC_CALL(MatGetLocalSize(Wt_, &local_rows, nullptr));
  std::vector<std::vector<std::pair<PetscInt, double>>> entries(local_rows);
  for (PetscInt first = 0; first < rows; first += batch) {
    const PetscInt columns = std::min(batch, rows - first);
    PetscMat B, X, product;
    PETSC_CALL(MatCreateDense(system.comm(), dofs_.owned(), PETSC_DECIDE, dofs_.size(), columns, nullptr, B.out()));
    double* b = nullptr;
    PetscInt begin = 0, end = 0;
    PETSC_CALL(MatDenseGetArray(B, &b));
    PETSC_CALL(MatDenseGetLDA(B, &lda));
    PETSC_CALL(MatGetOwnershipRange(W_, &begin, &end));
    for (PetscInt i = begin; i < end; ++i) {
      PetscInt n = 0;
      const PetscInt* column = nullptr;
      const double* value = nullptr;
      PETSC_CALL(MatGetRow(W_, i, &n, &column, &value));
      for (PetscInt k = 0; k < n; ++k)
        if (column[k] >= first && column[k] < first + columns) b[(column[k] - first) * std::size_t(lda) + (i - begin)] = value[k];
      PETSC_CALL(MatRestoreRow(W_, i, &n, &column, &value));
    }
    PETSC_CALL(MatDenseRestoreArray(B, &b));
    PETSC_CALL(MatAssemblyBegin(B, MAT_FINAL_ASSEMBLY));
    PETSC_CALL(MatAssemblyEnd(B, MAT_FINAL_ASSEMBLY));
    PETSC_CALL(MatDuplicate(B, MAT_DO_NOT_COPY_VALUES, X.out()));
    matrix_.solve(B, X);
    PETSC_CALL(MatMatMult(Wt_, X, MAT_INITIAL_MATRIX, PETSC_DEFAULT, product.out()));
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
  PETSC_CALL(MatDestroy(&problem_.G));
  problem_.G = make_matrix(system.comm(), local_rows, G).release();
  set_diagonal_blocks(problem_);
}

NewtonChange ImplicitProblem::advance(System& system) {
  const PhaseScope phase(Phase::assembly);
  {
    VecValues P(rows_);
    std::ranges::copy(problem_.rows.P, P.data());
  }
  PETSC_CALL(MatMult(W_, rows_, rhs_));
  matrix_.solve(rhs_, du_);
  std::vector<double> before(u_.begin(), u_.begin() + dofs_.owned());
  {
    VecValues u_free(u_free_), du(du_);
    for (PetscInt i = 0; i < dofs_.owned(); ++i) u_[i] = u_free[i] + du[i];
  }
  if (channel_) channel_->broadcast(u_);
  evaluate(system);

  enum { residual, inertia, force, contact, increment, velocity, velocity_n, norms };
  double sum[norms] = {};
  const auto add = [](double& s, double weight, double x) { s += weight * x * x; };
  VecValues WP(rhs_);
  for (PetscInt i = 0; i < dofs_.owned(); ++i) {
    const double m = mass_diagonal_[i], w = m > 0 ? 1 / m : 0.;
    add(sum[residual], w, inertia_[i] - force_[i] - WP[i]);
    add(sum[inertia], w, inertia_[i]), add(sum[force], w, force_[i]), add(sum[contact], w, WP[i]);
    add(sum[increment], m, u_[i] - before[i]), add(sum[velocity], m, u_[i]), add(sum[velocity_n], m, u_n_[i]);
  }
  MPI_Allreduce(MPI_IN_PLACE, sum, norms, MPI_DOUBLE, MPI_SUM, system.comm());
  for (double& s : sum) s = std::sqrt(s);
  const auto relative = [](double x, double scale) { return scale > 0 ? x / scale : 0.; };
  return {relative(sum[residual], sum[inertia] + sum[force] + sum[contact]), relative(sum[increment], sum[velocity] + sum[velocity_n])};
}

void ImplicitProblem::store(System& system) {
  const PhaseScope phase(Phase::update);
  system.nodes.u() = u_;
  active_.forget(system);
  for (std::size_t k = 0; k < active_.blocks().size(); ++k)
    active_.remember(system, active_.blocks()[k], problem_.rows.P.data() + problem_.rows.blocks[k].first_row);
}

std::size_t ImplicitProblem::memory() const {
  return (q_n_.capacity() + q_B_.capacity() + q_theta_.capacity() + u_n_.capacity() + u_.capacity() + u_theta_.capacity() +
          inertia_.capacity() + force_.capacity() + mass_diagonal_.capacity() + c_.capacity()) * sizeof(double);
}

}  // namespace percussion

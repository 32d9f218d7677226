#include "assembly/stage_matrix.hpp"

#include <algorithm>

#include "assembly/body_slot.hpp"
#include "assembly/node_forces.hpp"
#include "model/node_terms.hpp"

namespace percussion {

namespace {

constexpr PetscInt dense_system = 96;    // up to here a dense LU is cheaper than the making of PETSc objects
constexpr PetscInt small_system = 2000;  // below, PETSc's own LU on one rank beats the set-up of MUMPS

bool all_ranks(MPI_Comm comm, bool flag) {
  int all = flag;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, comm);
  return all;
}

int velocities(const NodeData& node) { return nu(node.kind, node.dofs); }

/// B of the nodes one after the other applied from the right: nu x nq -> nu x nu, at the present positions.
void times_B(const NodeStore& nodes, std::span<const std::int32_t> local, const MatX& K, MatX& KB) {
  Eigen::Index first_q = 0, first_u = 0;
  MatX B;
  VecX unit;
  for (const std::int32_t i : local) {
    const NodeData& node = nodes[i];
    const int n_q = nq(node.kind, node.dofs), n_u = velocities(node);
    B.resize(n_q, n_u);
    for (int c = 0; c < n_u; ++c) {
      unit = VecX::Unit(n_u, c);
      q_dot<double>(node.kind, node.dofs, nodes.q(i).data(), unit.data(), B.col(c).data());
    }
    KB.middleCols(first_u, n_u).noalias() = K.middleCols(first_q, n_q) * B;
    first_q += n_q, first_u += n_u;
  }
}

}  // namespace

bool StageMatrix::has_block(const Contribution& c) const { return c.inertia() || (!mass_only_ && (c.force() || c.constraint())); }

void StageMatrix::append_numbers(const NodeStore& nodes, const DofMap& dofs, std::span<const std::int32_t> local, int j, std::vector<PetscInt>& numbers) const {
  for (const std::int32_t i : local) {
    const int n = velocities(nodes[i]);
    for (int r = 0; r < n; ++r) numbers.push_back(number(dofs.first(i), n, j, r));
  }
}

void StageMatrix::reshape(const System& system, const DofMap& dofs, int m, bool mass_only) {
  m_ = m, mass_only_ = mass_only;
  const NodeStore& nodes = system.nodes;
  std::vector<PetscInt> row, column, block;
  block_size_.clear();
  const auto add_dense = [&] {
    for (const PetscInt r : block)
      for (const PetscInt c : block) row.push_back(r), column.push_back(c);
  };
  node_entry_.assign(nodes.owned(), 0);
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    node_entry_[i] = row.size();
    block.clear();
    for (int j = 0; j < m; ++j) append_numbers(nodes, dofs, std::span(&i, 1), j, block);
    add_dense();
    block_size_.push_back(static_cast<PetscInt>(block.size()));
  }
  int coupled = 0;
  contribution_entry_.assign(system.contributions.size(), 0);
  for (std::int32_t k = 0; k < system.contributions.size(); ++k) {
    if (!has_block(*system.contributions[k].contribution)) continue;
    const auto local = system.contributions.local_nodes(k);
    coupled |= local.size() > 1;
    contribution_entry_[k] = row.size();
    block.clear();
    for (int j = 0; j < m; ++j) append_numbers(nodes, dofs, local, j, block);
    add_dense();
  }
  MPI_Allreduce(MPI_IN_PLACE, &coupled, 1, MPI_INT, MPI_MAX, system.comm());
  block_diagonal_ = !coupled;
  value_.assign(row.size(), 0.), factorised_.clear();
  size_ = m * dofs.size();
  int ranks = 1;
  PetscBool asked = PETSC_FALSE, asked_pc = PETSC_FALSE;
  MPI_Comm_size(system.comm(), &ranks);
  PETSC_CALL(PetscOptionsHasName(nullptr, nullptr, "-ksp_type", &asked));
  PETSC_CALL(PetscOptionsHasName(nullptr, nullptr, "-pc_type", &asked_pc));
  dense_ = ranks == 1 && size_ <= dense_system && !asked && !asked_pc;
  if (dense_) {
    row_ = std::move(row), column_ = std::move(column);
    return;
  }
  PETSC_CALL(MatCreate(system.comm(), H_.out()));
  PETSC_CALL(MatSetSizes(H_, m * dofs.owned(), m * dofs.owned(), size_, size_));
  PETSC_CALL(MatSetType(H_, MATAIJ));
  PETSC_CALL(MatSetPreallocationCOO(H_, static_cast<PetscCount>(row.size()), row.data(), column.data()));
  if (block_diagonal_) PETSC_CALL(MatSetVariableBlockSizes(H_, static_cast<PetscInt>(block_size_.size()), block_size_.data()));
  choose_solver(system.comm());
}

void StageMatrix::choose_solver(MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  PC pc = nullptr;
  PETSC_CALL(KSPCreate(comm, ksp_.out()));
  PETSC_CALL(KSPSetType(ksp_, KSPPREONLY));
  PETSC_CALL(KSPGetPC(ksp_, &pc));
  PETSC_CALL(PCSetType(pc, block_diagonal_ ? PCVPBJACOBI : PCLU));
#ifdef PETSC_HAVE_MUMPS
  if (!block_diagonal_ && (ranks > 1 || size_ > small_system)) PETSC_CALL(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
#endif
  // For iterative methods: far below what the Newton method asks for.
  PETSC_CALL(KSPSetTolerances(ksp_, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  PETSC_CALL(KSPSetOperators(ksp_, H_, H_));
  PETSC_CALL(KSPSetFromOptions(ksp_));
}

void StageMatrix::set_values(MPI_Comm comm) {
  if (all_ranks(comm, factorisations_ > 0 && value_ == factorised_)) return;
  factorised_ = value_;
  ++factorisations_;
  if (dense_) {
    H_dense_.setZero(size_, size_);
    for (std::size_t k = 0; k < value_.size(); ++k) H_dense_(row_[k], column_[k]) += value_[k];
    lu_.compute(H_dense_);
    return;
  }
  PETSC_CALL(MatSetValuesCOO(H_, value_.data(), INSERT_VALUES));  // entries that meet are added
  PETSC_CALL(KSPSetOperators(ksp_, H_, H_));
}

PetscMat StageMatrix::inverse_blocks() const {
  // Not MatInvertVariableBlockEnvelope, which PETSc 3.18 spoils on ranks without rows.
  std::size_t entries = 0;
  for (const PetscInt n : block_size_) entries += static_cast<std::size_t>(n) * n;
  std::vector<double> inverse(entries);
  PETSC_CALL(MatInvertVariableBlockDiagonal(H_, static_cast<PetscInt>(block_size_.size()), block_size_.data(), inverse.data()));
  MPI_Comm comm = MPI_COMM_NULL;
  PetscInt begin = 0, end = 0;
  PETSC_CALL(PetscObjectGetComm(reinterpret_cast<PetscObject>(static_cast<Mat>(H_)), &comm));
  PETSC_CALL(MatGetOwnershipRange(H_, &begin, &end));
  CompressedRows rows;
  const PetscInt own = end - begin;
  const double* block = inverse.data();  // column by column
  for (const PetscInt n : block_size_) {
    for (PetscInt r = 0; r < n; ++r) {
      for (PetscInt c = 0; c < n; ++c) rows.column.push_back(begin + c), rows.value.push_back(block[c * n + r]);
      rows.first.push_back(static_cast<PetscInt>(rows.column.size()));
    }
    begin += n, block += static_cast<std::size_t>(n) * n;
  }
  return make_matrix(comm, own, rows);
}

void StageMatrix::add_node_blocks(const System& system, const StageScheme& scheme, double h, int j) {
  const NodeStore& nodes = system.nodes;
  double M[128];
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    const NodeData& node = nodes[i];
    const int n = velocities(node), width = m_ * n;
    double* block = value_.data() + node_entry_[i];
    mass_diagonal(node, M);
    for (int r = 0; r < n; ++r) block[(j * n + r) * width + j * n + r] += M[r];
    if (mass_only_ || node.kind != NodeKind::rigid_body || is_round(node)) continue;
    const Mat3 h_u = gyroscopic_torque_omega(node, nodes.u(i).data());
    for (int l = 0; l < m_; ++l)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) block[(j * n + 3 + r) * width + l * n + 3 + c] -= h * scheme.velocity(scheme.unknown[j], l) * h_u(r, c);
  }
}

// Blocks of contributions are stage after stage, in each stage node after node.
void StageMatrix::add_mass_block(const System& system, double t, std::int32_t k, int j, std::size_t entry) {
  const Contribution& c = *system.contributions[k].contribution;
  if (!c.inertia()) return;
  const int n = c.nu(), width = m_ * n;
  MatX M(n, n);
  c.inertia()->M(gathered_.gather(system.nodes, system.contributions.local_nodes(k), t), M);
  for (int r = 0; r < n; ++r)
    for (int s = 0; s < n; ++s) value_[entry + (j * n + r) * width + j * n + s] += M(r, s);
}

void StageMatrix::add_stiffness_block(const System& system, const StageScheme& scheme, double h, const StageState& stage, int j, std::int32_t k,
                                      std::span<const double> dPi_g, std::size_t entry) {
  const Contribution& c = *system.contributions[k].contribution;
  const auto local = system.contributions.local_nodes(k);
  const LocalState s = gathered_.gather(system.nodes, local, stage.t);
  const int n = c.nu(), width = m_ * n;
  MatX K = MatX::Zero(n, c.nq()), K_part(n, c.nq()), h_u = MatX::Zero(n, n), KB = MatX::Zero(n, n);
  if (c.force()) {
    c.force()->h_q(s, K_part), c.force()->h_u(s, h_u);
    K -= h * K_part;
  }
  if (c.inertia()) {
    VecX v(n);
    for_each_part(system.nodes, local, [&](int first, int column, int size) { v.segment(column, size) = Eigen::Map<const VecX>(stage.dU->data() + first, size); });
    c.inertia()->Mv_q(s, v, K_part);
    K += K_part;
  }
  if (c.constraint() && !dPi_g.empty()) {
    c.constraint()->Wla_q(s, Eigen::Map<const VecX>(dPi_g.data(), static_cast<Eigen::Index>(dPi_g.size())), K_part);
    K -= K_part;
  }
  times_B(system.nodes, local, K, KB);
  const int i = scheme.unknown[j];
  for (int l = 0; l < m_; ++l)
    for (int r = 0; r < n; ++r)
      for (int q = 0; q < n; ++q)
        value_[entry + (j * n + r) * width + l * n + q] += h * (scheme.position(i, l) * KB(r, q) - scheme.velocity(i, l) * h_u(r, q));
}

void StageMatrix::assemble_mass(const System& system, double t) {
  std::fill(value_.begin(), value_.end(), 0.);
  const StageScheme none;
  all_or_none(system.comm(), [&] {
    for (int j = 0; j < m_; ++j) {
      PERCUSSION_CHECK(mass_only_, "the pattern of a mass matrix");
      add_node_blocks(system, none, 0., j);
      for (std::int32_t k = 0; k < system.contributions.size(); ++k)
        if (has_block(*system.contributions[k].contribution)) add_mass_block(system, t, k, j, contribution_entry_[k]);
    }
  });
  set_values(system.comm());
}

void StageMatrix::check(const char* what) const {
  KSPConvergedReason reason = KSP_CONVERGED_ITS;
  PETSC_CALL(KSPGetConvergedReason(ksp_, &reason));
  if (reason < 0)
    throw RunError(std::string(what) + ": the linear solver failed (" + KSPConvergedReasons[reason] +
                   "). Does every node have an inertia? Is the step small enough for springs under pressure?");
}

void StageMatrix::solve(Vec b, Vec x) {
  if (dense_) {
    VecValues in(b), out(x);
    Eigen::Map<VecX> solution(out.data(), size_);
    solution = lu_.solve(Eigen::Map<const VecX>(in.data(), size_));
    if (!solution.allFinite()) throw RunError("stage system: the matrix is singular. Does every node have an inertia?");
    return;
  }
  PETSC_CALL(KSPSolve(ksp_, b, x));
  check("stage system");
}

void StageMatrix::solve(Mat B, Mat X) {
  PETSC_CALL(KSPMatSolve(ksp_, B, X));
  check("Delassus operator");
}

PetscVec StageMatrix::make_vector() const {
  PetscVec v;
  if (dense_) PETSC_CALL(VecCreateSeq(PETSC_COMM_SELF, size_, v.out()));
  else PETSC_CALL(MatCreateVecs(H_, v.out(), nullptr));
  return v;
}

}  // namespace percussion

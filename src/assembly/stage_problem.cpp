#include "assembly/stage_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assembly/lent_state.hpp"
#include "assembly/node_forces.hpp"
#include "base/timer.hpp"

namespace percussion {

double StageProblem::global_sum(double local) const {
  double sum = 0;
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, problem_.comm);
  return sum;
}

double StageProblem::global_max(double local) const {
  double result = 0;
  MPI_Allreduce(&local, &result, 1, MPI_DOUBLE, MPI_MAX, problem_.comm);
  return result;
}

void StageProblem::reshape(System& system) {
  if (!dofs_.update(system) && matrix_.m() == scheme_.m()) return;
  problem_.comm = system.comm();
  channel_.reset();
  if (system.distribution.ranks() > 1) channel_ = std::make_unique<HaloChannel<double>>(system.distribution.halo(), system.nodes.u_offset());
  matrix_.reshape(system, dofs_, scheme_.m(), false);
  phi_ = matrix_.make_vector(), z_ = matrix_.make_vector(), dx_ = matrix_.make_vector();
  dU_.assign(scheme_.s, std::vector<double>(system.nodes.u().size(), 0.));
  has_G_ = false;
}

void StageProblem::collect(System& system, const StageScheme& scheme, double t, double h, double margin) {
  const PhaseScope phase(Phase::assembly);
  scheme_ = scheme, t_ = t, h_ = h;
  reshape(system);
  q_n_ = system.nodes.q(), u_n_ = system.nodes.u();
  all_or_none(system.comm(), [&] { rows_.collect(system, scheme_, t, h, margin); });
}

void StageProblem::begin(System& system, const NormTolerance& tolerance, const std::vector<double>& dU_first) {
  const PhaseScope phase(Phase::assembly);
  tolerance_ = tolerance;
  if (scheme_.explicit_first_stage) dU_[0] = dU_first;
  if (global_max(rows_.changed() ? 1 : 0) > 0 || h_of_G_ != h_) has_G_ = false;
  if (has_G_ && restore_G_) restore_operator(system);
  restore_G_ = false;
  Q_.assign(scheme_.s, q_n_), U_.assign(scheme_.s, u_n_);
  set_states(system.nodes);
  evaluate(system);
  phi_start_ = phi_values_;
}

void StageProblem::set_states(const NodeStore& nodes) {
  for (int i = 0; i < scheme_.s; ++i) {
    U_[i] = u_n_;
    if (i == 0 && scheme_.explicit_first_stage) continue;
    for (int j = 0; j < scheme_.s; ++j)
      if (const double a = scheme_.A_hat(i, j); a != 0)
        for (std::size_t k = 0; k < u_n_.size(); ++k) U_[i][k] += a * dU_[j][k];
  }
  for (std::int32_t n = 0; n < nodes.size(); ++n) {
    const int first_q = nodes.q_offset()[n], first_u = nodes.u_offset()[n];
    const int size = nodes[n].kind == NodeKind::rigid_body ? 3 : nodes.q_offset()[n + 1] - first_q;
    for (int i = 0; i < scheme_.s; ++i)
      for (int k = 0; k < size; ++k) {
        double q = q_n_[first_q + k];
        for (int j = 0; j < scheme_.s; ++j) q += h_ * scheme_.A(i, j) * U_[j][first_u + k];
        Q_[i][first_q + k] = q;
      }
    if (nodes[n].kind == NodeKind::rigid_body) set_rotations(nodes, n);
  }
}

// p_i = p_n + h sum_j a_ij 1/2 Q(p_j) omega_j: a contraction with factor h |omega| / 2, started at the last iterate.
void StageProblem::set_rotations(const NodeStore& nodes, std::int32_t n) {
  constexpr int max_passes = 60;
  const int first_q = nodes.q_offset()[n] + 3, first_u = nodes.u_offset()[n] + 3;
  MatT<double, 4, 1> rate[max_stages];
  for (int pass = 0; pass < max_passes; ++pass) {
    double change = 0;
    for (int j = 0; j < scheme_.s; ++j)
      rate[j] = P_dot_of<double>(Eigen::Map<const Vec4>(Q_[j].data() + first_q), Eigen::Map<const Vec3>(U_[j].data() + first_u));
    for (int i = 0; i < scheme_.s; ++i) {
      Vec4 p = Eigen::Map<const Vec4>(q_n_.data() + first_q);
      for (int j = 0; j < scheme_.s; ++j) p += h_ * scheme_.A(i, j) * rate[j];
      Eigen::Map<Vec4> old(Q_[i].data() + first_q);
      change = std::max(change, (p - old).lpNorm<Eigen::Infinity>());
      old = p;
    }
    if (change <= std::numeric_limits<double>::epsilon()) return;
  }
}

void StageProblem::evaluate(System& system) {
  const NodeStore& nodes = system.nodes;
  const int m = scheme_.m();
  phi_values_.resize(static_cast<std::size_t>(m) * dofs_.owned());
  std::vector<double> phi;
  for (int i = 0; i < scheme_.s; ++i) {
    const double t = t_ + scheme_.c[i] * h_;
    const auto at = std::ranges::find(scheme_.unknown, i);
    const bool unknown = at != scheme_.unknown.end();
    const int j = static_cast<int>(at - scheme_.unknown.begin());
    all_or_none(system.comm(), [&] {
      const LentState lent(system.nodes, Q_[i], U_[i]);
      rows_.evaluate(system, i, t, h_);
      if (!unknown) return;
      phi.assign(u_n_.size(), 0.);
      add_forces(system, t, -h_, gathered_, phi);
      add_mass_times(system, t, dU_[i], gathered_, phi);
      rows_.subtract_percussions(system, scheme_, j, phi);
    });
    if (!unknown) continue;
    if (channel_) channel_->reduce_add(phi);
    for (std::int32_t n = 0; n < nodes.owned(); ++n) {
      const int first = nodes.u_offset()[n], size = nodes.u_offset()[n + 1] - first;
      std::copy_n(phi.begin() + first, size, phi_values_.begin() + matrix_.number(first, size, j, 0));
    }
  }
  psi_.clear();
  for (const StageBlock& block : rows_.blocks())
    for (const int i : scheme_.rows) psi_.insert(psi_.end(), block.psi[i].data(), block.psi[i].data() + block.rows);
}

CoupledBlock StageProblem::coupled(const System& system, const StageBlock& block) const {
  const int m = scheme_.m(), rows = block.rows, n = static_cast<int>(block.W[0].rows());
  CoupledBlock result;
  for (int j = 0; j < m; ++j) matrix_.append_numbers(system.nodes, dofs_, block.nodes, j, result.dofs);
  result.Psi = MatX::Zero(m * rows, m * n), result.F = MatX::Zero(m * n, m * rows);
  for (int r = 0; r < m; ++r)
    for (int l = 0; l < m; ++l) {
      const int i = scheme_.rows[r];
      for (int k = 0; k < rows; ++k)
        result.Psi.block(r * rows + k, l * n, 1, n) = (block.is_position(k) ? scheme_.position(i, l) : scheme_.velocity(i, l)) * block.W[i].col(k).transpose();
      result.F.block(l * n, r * rows, n, rows) = scheme_.S(l, r) * block.W[scheme_.unknown[l]];
    }
  return result;
}

void StageProblem::build_operator(System& system) {
  std::vector<StageState> states;
  for (const int i : scheme_.unknown) states.push_back({t_ + scheme_.c[i] * h_, &Q_[i], &U_[i], &dU_[i]});
  matrix_.assemble(system, scheme_, h_, states, [&](std::int32_t k, int j) { return rows_.constraint_percussion(scheme_, k, j); });
  std::vector<CoupledBlock> blocks;
  for (const StageBlock& block : rows_.blocks()) blocks.push_back(coupled(system, block));
  append_rows();
  delassus_.build(matrix_, blocks, problem_);
  set_diagonal_blocks(problem_);
  has_G_ = true, h_of_G_ = h_;
  keep_point(system);
}

void StageProblem::append_rows() {
  GeneralRows& rows = problem_.rows;
  rows.clear();
  PendingRows pending;
  for (const StageBlock& block : rows_.blocks())
    for (int r = 0; r < scheme_.m(); ++r) {
      pending.bilateral = block.bilateral, pending.has_normal = block.n_N == 1, pending.P_N = block.la_N * h_ * scheme_.weight[r];
      pending.laws = block.laws;
      for (FrictionLaw& law : pending.laws) law.set = scaled_reservoir(law.set, h_ * scheme_.weight[r]);
      pending.c = VecX::Zero(block.rows), pending.P = VecX::Zero(block.rows);
      append_block(rows, pending).group = r == 0 ? scheme_.m() : 0;
    }
}

void StageProblem::linearise(System& system, bool fresh) {
  const PhaseScope phase(Phase::assembly);
  if (fresh || !has_G_) build_operator(system);
  {
    VecValues phi(phi_);
    std::ranges::copy(phi_values_, phi.data());
  }
  matrix_.solve(phi_, z_);
  mu_.clear();
  for (const StageBlock& block : rows_.blocks()) mu_.insert(mu_.end(), block.mu.data(), block.mu.data() + block.mu.size());
  GeneralRows& rows = problem_.rows;
  rows.P = mu_;
  predicted_.resize(psi_.size());
  delassus_.psi(z_, predicted_);
  std::vector<double> G_mu;
  apply_G(problem_, mu_, G_mu);
  for (std::size_t r = 0; r < psi_.size(); ++r) rows.c[r] = psi_[r] - predicted_[r] - G_mu[r];
  set_speed(system);
}

void StageProblem::set_speed(const System& system) {
  problem_.speed.clear();
  for (const StageBlock& block : rows_.blocks())
    for (const int i : scheme_.rows)
      for (int k = 0; k < block.rows; ++k) {
        double v = std::abs(block.psi[i][k]);
        for_each_part(system.nodes, block.nodes, [&](int first, int column, int n) {
          for (int r = 0; r < n; ++r) v += std::abs(block.W[i](column + r, k) * U_[i][first + r]);
        });
        problem_.speed.push_back(v);
      }
}

StageChange StageProblem::advance(System& system) {
  const PhaseScope phase(Phase::assembly);
  const NodeStore& nodes = system.nodes;
  const GeneralRows& rows = problem_.rows;
  std::vector<double> d_mu(mu_.size());
  for (std::size_t r = 0; r < mu_.size(); ++r) d_mu[r] = rows.P[r] - mu_[r];
  delassus_.force(d_mu, phi_);
  matrix_.solve(phi_, dx_);
  std::size_t row = 0;
  for (StageBlock& block : rows_.blocks()) {
    block.mu = Eigen::Map<const VecX>(rows.P.data() + row, block.mu.size());
    row += static_cast<std::size_t>(block.mu.size());
  }
  const std::vector<std::vector<double>> before = U_;
  add_increments(nodes);
  // What the linear model says about the rows at the new iterate.
  delassus_.psi(dx_, d_mu);
  for (std::size_t r = 0; r < predicted_.size(); ++r) predicted_[r] = psi_[r] - predicted_[r] + d_mu[r];
  set_states(nodes);
  if (!all_finite()) {
    for (const int i : scheme_.unknown) std::ranges::fill(dU_[i], 0.);
    for (StageBlock& block : rows_.blocks()) block.mu.setZero();
    Q_.assign(scheme_.s, q_n_);
    set_states(nodes);
    evaluate(system);
    has_G_ = false;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {infinity, infinity, false, true};
  }
  evaluate(system);
  return change(nodes, before);
}

bool StageProblem::all_finite() const {
  double sum = 0;
  for (const auto* arrays : {&U_, &Q_})
    for (const auto& stage : *arrays)
      for (const double x : stage) sum += 0 * x;
  return global_max(sum == 0 ? 0. : 1.) == 0;
}

void StageProblem::add_increments(const NodeStore& nodes) {
  {
    VecValues dx(dx_), z(z_);
    for (std::int32_t n = 0; n < nodes.owned(); ++n) {
      const int first = nodes.u_offset()[n], size = nodes.u_offset()[n + 1] - first;
      for (int j = 0; j < scheme_.m(); ++j)
        for (int r = 0; r < size; ++r) {
          const PetscInt k = matrix_.number(first, size, j, r);
          dU_[scheme_.unknown[j]][first + r] += dx[k] - z[k];
        }
    }
  }
  if (channel_)
    for (const int i : scheme_.unknown) channel_->broadcast(dU_[i]);
}

StageChange StageProblem::change(const NodeStore& nodes, const std::vector<std::vector<double>>& U_before) const {
  const double eps = std::numeric_limits<double>::epsilon();
  const double unknowns = static_cast<double>(scheme_.m()) * dofs_.size(), all_rows = std::max(1., global_sum(static_cast<double>(psi_.size())));
  WeightedNorm increment(tolerance_, unknowns), phi(tolerance_, unknowns), psi(tolerance_, all_rows);
  double rounding = 0;
  for (std::int32_t n = 0; n < nodes.owned(); ++n) {
    // Gaps are differences of positions, and count over h.
    double noise = std::numeric_limits<double>::min();
    for (std::int32_t k = nodes.q_offset()[n]; k < nodes.q_offset()[n + 1]; ++k) noise = std::max(noise, std::abs(q_n_[k]) / h_);
    for (std::size_t i = 0; i < U_.size(); ++i)
      for (std::int32_t k = nodes.u_offset()[n]; k < nodes.u_offset()[n + 1]; ++k) {
        const double size = std::max(std::abs(U_[i][k]), std::abs(U_before[i][k])), e = std::abs(U_[i][k] - U_before[i][k]);
        increment.add(e, size);
        rounding = std::max(rounding, e / (size + std::abs(u_n_[k]) + noise));
      }
  }
  for (std::size_t k = 0; k < phi_values_.size(); ++k) phi.add(phi_values_[k], phi_start_[k]);
  for (std::size_t r = 0; r < psi_.size(); ++r) psi.add(psi_[r] - predicted_[r], problem_.speed[r]);
  double sums[3] = {increment.sum_of_squares(), phi.sum_of_squares(), psi.sum_of_squares()};
  MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, problem_.comm);
  return {std::sqrt(sums[0]), std::sqrt(std::max(sums[1], sums[2])), global_max(rounding) <= 64 * eps};
}

bool StageProblem::closed(std::size_t block) const {
  const StageBlock& b = rows_.blocks()[block];
  if (b.n_N == 0) return true;
  const int last = scheme_.m() - 1;
  // Print and method: (5.33) asks the last stage alone, but a pair with s >= 3 can close inner stages and open the last
  // one again, over and over, without ever realising the impact law.
  for (int r = 0; scheme_.partitioned && r < last; ++r)
    if (problem_.rows.blocks[block * scheme_.m() + r].G(0, 0) * b.mu[r * b.rows] > inner_percussion * std::abs(b.before[0])) return true;
  const double G_NN = problem_.rows.blocks[block * scheme_.m() + last].G(0, 0);
  return b.psi[scheme_.rows[last]][0] <= G_NN * b.mu[last * b.rows];
}

std::size_t StageProblem::memory() const {
  std::size_t doubles = q_n_.capacity() + u_n_.capacity() + phi_values_.capacity() + phi_start_.capacity() + 3 * mu_.capacity();
  for (const auto* arrays : {&Q_, &U_, &dU_})
    for (const auto& a : *arrays) doubles += a.capacity();
  return doubles * sizeof(double);
}

}  // namespace percussion

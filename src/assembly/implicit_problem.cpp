#include "assembly/implicit_problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assembly/lent_state.hpp"
#include "assembly/node_forces.hpp"
#include "base/timer.hpp"

namespace percussion {

void ImplicitProblem::reshape(System& system) {
  if (!dofs_.update(system)) return;
  problem_.comm = system.comm();
  channel_.reset();
  if (system.distribution.ranks() > 1) channel_ = std::make_unique<HaloChannel<double>>(system.distribution.halo(), system.nodes.u_offset());
  matrix_.reshape(system, dofs_, 1, false);
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
  scheme_.s = 1, scheme_.unknown = scheme_.rows = {0};
  scheme_.A_hat = MatX::Constant(1, 1, step.theta), scheme_.AA_hat = scheme_.A_hat * scheme_.A_hat;
  mass_diagonal_.assign(u_.size(), 0.), no_increment_.assign(u_.size(), 0.);
  active_.detect(system);
  all_or_none(system.comm(), [&] {
    active_.evaluate(system, {step.t_theta(), t_q, step.t + step.h, step.h}, DetectedRows::all);
    add_mass_diagonal(system, t_q, gathered_, mass_diagonal_);
  });
  sum_over_ranks(mass_diagonal_);
  build_rows(system);
  evaluate(system);
}

void ImplicitProblem::build_rows(const System& system) {
  GeneralRows& rows = problem_.rows;
  rows.clear(), coupled_.clear();
  for (const PendingRows& pending : active_.blocks()) {
    append_block(rows, pending);
    CoupledBlock& c = coupled_.emplace_back();
    matrix_.append_numbers(system.nodes, dofs_, pending.nodes, 0, c.dofs);
    c.Psi = pending.W.transpose(), c.F = pending.W;
  }
  c_ = rows.c;
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
    add_mass_times(system, step_.t + 0.5 * step_.h, du, gathered_, inertia_);
    const LentState lent(system.nodes, q_theta_, u_theta_);
    add_forces(system, step_.t_theta(), step_.h, gathered_, force_);
  });
  sum_over_ranks(inertia_), sum_over_ranks(force_);
}

void ImplicitProblem::linearise(System& system) {
  const PhaseScope phase(Phase::assembly);
  // M stays that of q~: an increment of zero switches its derivative off.
  StageState state{step_.t_theta(), &q_theta_, &u_theta_, &no_increment_};
  matrix_.assemble(system, scheme_, step_.h, std::span(&state, 1), [](std::int32_t, int) { return std::span<const double>(); });
  {
    VecValues rhs(rhs_);
    for (PetscInt i = 0; i < dofs_.owned(); ++i) rhs[i] = force_[i] - inertia_[i];
  }
  matrix_.solve(rhs_, u_free_);
  {
    VecValues u_free(u_free_);
    for (PetscInt i = 0; i < dofs_.owned(); ++i) u_free[i] += u_[i];
  }
  delassus_.build(matrix_, coupled_, problem_);
  set_diagonal_blocks(problem_);
  std::vector<double> W_u(c_.size());
  delassus_.psi(u_free_, W_u);
  for (std::size_t r = 0; r < c_.size(); ++r) problem_.rows.c[r] = c_[r] + W_u[r];
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

NewtonChange ImplicitProblem::advance(System& system) {
  const PhaseScope phase(Phase::assembly);
  delassus_.force(problem_.rows.P, rhs_);
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

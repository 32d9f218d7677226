#include "integrators/consistent_start.hpp"

#include <cmath>

#include "assembly/lent_state.hpp"
#include "assembly/node_forces.hpp"
#include "integrators/kinematics.hpp"

namespace percussion {

namespace {

constexpr double closed_gap = 1e-9;
constexpr double zero_rate = 1e-8;

/// Sizes of the velocities that meet in the rows: what their rounding is measured against.
VecX row_speeds(const System& system, const StageBlock& block) {
  VecX speed = VecX::Zero(block.rows);
  for_each_part(system.nodes, block.nodes, [&](int first, int column, int n) {
    speed += block.W[0].middleRows(column, n).cwiseAbs().transpose() * Eigen::Map<const VecX>(system.nodes.u().data() + first, n).cwiseAbs();
  });
  return speed;
}

}  // namespace

// Ahead and back by a thousandth of the step: h zeta is then off by rounding of the rates times 1e3, and by 1e-6 of what the
// step itself leaves out (h^3).
void ConsistentStart::collect_zeta(System& system, StageRows& rows, double t, double h) {
  constexpr double part = 1e-3;
  zeta_.clear();
  bool differences = false;
  for (const StageBlock& block : rows.blocks()) {
    const bool closed_form = StageRows::has_zeta(system, block);
    differences |= !closed_form;
    zeta_.push_back(closed_form ? rows.zeta(system, block, t) : VecX::Zero(block.rows));
  }
  if (!differences) return;
  for (const double dt : {-part * h, part * h}) {
    std::vector<double> q = system.nodes.q(), u = system.nodes.u();
    const LentState lent(system.nodes, q, u);
    advance_positions(system.nodes, dt);
    rows.evaluate(system, 0, t + dt, h);
    for (std::size_t k = 0; k < zeta_.size(); ++k)
      if (const StageBlock& block = rows.blocks()[k]; !StageRows::has_zeta(system, block)) zeta_[k] += rows.rates(system, block, 0, t + dt) / (2 * dt);
  }
  rows.evaluate(system, 0, t, h);
}

bool ConsistentStart::make_block(const System& system, StageRows& rows, const StageBlock& block, const VecX& zeta, double h, bool first, LevelBlock& level) {
  const VecX rate = block.before, zero = zero_rate * (row_speeds(system, block) + rate.cwiseAbs()) + VecX::Constant(block.rows, 1e-12);
  if (block.n_N == 1) {
    const bool closed = first ? block.gap <= closed_gap : rows.was_closed(system, block);
    if (!closed || rate[0] > zero[0]) return false;
  }
  PendingRows& pending = level.rows;
  pending.source = block.source, pending.nodes = block.nodes, pending.bilateral = block.bilateral;
  pending.has_normal = block.n_N == 1, pending.P_N = block.la_N * h;

  // Rows that stay: all but those of sliding laws, whose friction follows the normal force.
  std::vector<int> kept;
  std::vector<bool> sliding(block.laws.size());
  if (block.bilateral)
    for (int r = 0; r < block.rows; ++r) kept.push_back(r);
  if (block.n_N == 1) kept.push_back(0);
  MatX law = MatX::Zero(block.rows, block.rows);  // columns of kept rows are filled below
  VecX fixed = VecX::Zero(block.rows);
  for (std::size_t l = 0; l < block.laws.size(); ++l) {
    const FrictionLaw& friction = block.laws[l];
    const int dim = friction.set.dim();
    const VecX gamma = rate.segment(friction.first, dim);
    sliding[l] = (gamma.array().abs() > zero.segment(friction.first, dim).array()).any();
    if (!sliding[l]) {
      pending.laws.push_back({scaled_reservoir(friction.set, h), static_cast<int>(kept.size())});
      for (int k = 0; k < dim; ++k) kept.push_back(friction.first + k);
      continue;
    }
    // -prox of a far point in the direction of gamma: the boundary point, linear in P_N up to the constant reservoir.
    const FrictionSet set = scaled_reservoir(friction.set, h);
    VecX unit = 1e30 * gamma / gamma.norm(), rest = unit;
    prox(set, 1., unit.data()), prox(set, 0., rest.data());
    fixed.segment(friction.first, dim) = -rest;
    if (block.n_N == 1) law.col(0).segment(friction.first, dim) = -(unit - rest);
    else fixed.segment(friction.first, dim) -= pending.P_N * (unit - rest);
  }
  const int n = static_cast<int>(kept.size());
  MatX kept_law(block.rows, n);
  pending.W.resize(block.W[0].rows(), n), pending.c.resize(n), pending.P = VecX::Zero(n);
  for (int k = 0; k < n; ++k) {
    kept_law.col(k) = law.col(kept[k]);
    kept_law(kept[k], k) = 1;
    pending.W.col(k) = block.W[0].col(kept[k]);
    pending.c[k] = h * zeta[kept[k]];
  }
  level.F = block.W[0] * kept_law;
  law_.push_back(kept_law), fixed_.push_back(fixed);
  return true;
}

SolveReport ConsistentStart::solve(System& system, StageRows& rows, double t, double h, bool first, ContactSolver& solver, std::vector<double>& dU) {
  std::vector<LevelBlock> blocks;
  std::vector<StageBlock*> owner;
  std::vector<double> f(system.nodes.u().size(), 0.);
  law_.clear(), fixed_.clear();
  all_or_none(system.comm(), [&] {
    add_forces(system, t, h, gathered_, f);
    collect_zeta(system, rows, t, h);
    for (std::size_t k = 0; k < zeta_.size(); ++k) {
      StageBlock& block = rows.blocks()[k];
      block.dPi_first = VecX::Zero(block.rows);
      LevelBlock level;
      if (!make_block(system, rows, block, zeta_[k], h, first, level)) continue;
      const VecX force = block.W[0] * fixed_.back();
      for_each_part(system.nodes, block.nodes, [&](int begin, int column, int n) {
        for (int r = 0; r < n; ++r) f[begin + r] += force[column + r];
      });
      blocks.push_back(std::move(level)), owner.push_back(&block);
    }
  });
  const std::vector<double> none(system.nodes.u().size(), 0.);
  problem_.build(system, t, blocks, none, f);
  SolveReport report = solver.solve(problem_.problem());
  problem_.finish(system, dU);
  const GeneralRows& solved = problem_.problem().rows;
  for (std::size_t k = 0; k < blocks.size(); ++k)
    owner[k]->dPi_first = law_[k] * Eigen::Map<const VecX>(solved.P.data() + solved.blocks[k].first_row, blocks[k].rows.c.size()) + fixed_[k];
  return report;
}

}  // namespace percussion

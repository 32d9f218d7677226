#include "assembly/level_problem.hpp"

#include <algorithm>
#include <cmath>

#include "assembly/node_forces.hpp"
#include "base/timer.hpp"

namespace percussion {

void LevelProblem::build(System& system, double t, std::span<const LevelBlock> blocks, const std::vector<double>& x_base, std::vector<double>& f) {
  const PhaseScope phase(Phase::assembly);
  const NodeStore& nodes = system.nodes;
  if (dofs_.update(system)) {
    problem_.comm = system.comm();
    channel_.reset();
    if (system.distribution.ranks() > 1) channel_ = std::make_unique<HaloChannel<double>>(system.distribution.halo(), nodes.u_offset());
    matrix_.reshape(system, dofs_, 1, true);
    rhs_ = matrix_.make_vector(), free_ = matrix_.make_vector(), dx_ = matrix_.make_vector();
  }
  matrix_.assemble_mass(system, t);

  problem_.rows.clear(), problem_.speed.clear();
  std::vector<CoupledBlock> coupled;
  for (const LevelBlock& block : blocks) {
    append_block(problem_.rows, block.rows);
    CoupledBlock& c = coupled.emplace_back();
    matrix_.append_numbers(nodes, dofs_, block.rows.nodes, 0, c.dofs);
    c.Psi = block.rows.W.transpose();
    c.F = block.F.size() ? block.F : block.rows.W;
    if (block.P_known.size()) {
      const VecX known = c.F * block.P_known;
      for_each_part(nodes, block.rows.nodes, [&](int first, int column, int n) {
        for (int r = 0; r < n; ++r) f[first + r] -= known[column + r];
      });
    }
  }
  if (channel_) channel_->reduce_add(f);
  {
    VecValues rhs(rhs_);
    std::copy_n(f.data(), nodes.nu_owned(), rhs.data());
  }
  matrix_.solve(rhs_, free_);
  {
    VecValues free(free_);
    for (std::int32_t k = 0; k < nodes.nu_owned(); ++k) free[k] += x_base[k];
  }
  delassus_.build(matrix_, coupled, problem_);
  set_diagonal_blocks(problem_);
  std::vector<double> W_x(problem_.rows.c.size());
  delassus_.psi(free_, W_x);
  for (std::size_t r = 0; r < W_x.size(); ++r) {
    problem_.speed.push_back(std::abs(problem_.rows.c[r]) + std::abs(W_x[r]));
    problem_.rows.c[r] += W_x[r];
  }
}

void LevelProblem::finish(const System& system, std::vector<double>& x) {
  delassus_.force(problem_.rows.P, rhs_);
  matrix_.solve(rhs_, dx_);
  VecValues dx(dx_), free(free_);
  x.resize(system.nodes.u().size());
  for (std::int32_t k = 0; k < system.nodes.nu_owned(); ++k) x[k] = free[k] + dx[k];
  if (channel_) channel_->broadcast(x);
}

}  // namespace percussion

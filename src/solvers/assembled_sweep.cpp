#include "solvers/assembled_sweep.hpp"

#include <algorithm>

#include "base/timer.hpp"
#include "solvers/sweep_loop.hpp"

namespace percussion {

AssembledGaussSeidel::AssembledGaussSeidel(RowVelocities& velocities, double relaxation, LocalSolver local)
    : velocities_(velocities), k_r_(velocities.G().coupled_ranks()), omega_(relaxation) {
  const GeneralRows& rows = velocities.problem().rows;
  if (fits_contact_blocks(rows) && !cuts_bilateral_blocks(rows))
    blocks_ = std::make_unique<ContactBlocks>(rows, velocities.G(), local, k_r_);
  else
    groups_ = std::make_unique<RowGroups>(rows, velocities.G(), local);
  dP_.resize(rows.P.size());
}

void AssembledGaussSeidel::sweep() {
  if (!velocities_.G().alone()) velocities_.refresh();
  blocks_ ? sweep_blocks() : sweep_groups();
  velocities_.changed();
}

void AssembledGaussSeidel::sweep_blocks() {
  std::vector<double>& P = velocities_.problem().rows.P;
  blocks_->start(P);
  if (velocities_.G().alone()) {
    blocks_->sweep(omega_);
  } else {
    blocks_->hold(velocities_.psi());
    blocks_->sweep_held(omega_);
  }
  blocks_->percussions(blocks_->r(), P);
}

void AssembledGaussSeidel::sweep_groups() {
  GeneralRows& rows = velocities_.problem().rows;
  RowGroups& groups = *groups_;
  const DelassusRows& G = velocities_.G();
  const bool alone = G.alone();
  if (!alone) std::fill(dP_.begin(), dP_.end(), 0.);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const RowGroup& group = groups[g];
    double* P = rows.P.data() + group.first_row;
    psi_.resize(group.rows);
    for (std::int32_t r = 0; r < group.rows; ++r) {
      const std::int32_t row = group.first_row + r;
      // Several ranks: gradient of the majoriser, where the changes of this sweep count k_r times.
      psi_[r] = alone ? rows.c[row] + G.dot(row, rows.P.data()) : velocities_.psi()[row] + k_r_ * G.dot(row, dP_.data());
    }
    if (!alone) std::copy_n(P, group.rows, dP_.data() + group.first_row);
    groups.solve(group, k_r_, omega_, psi_.data(), P);
    if (!alone)
      for (std::int32_t r = 0; r < group.rows; ++r) dP_[group.first_row + r] = P[r] - dP_[group.first_row + r];
  }
}

SolveReport assembled_gauss_seidel(AssembledProblem& problem, const SolverOptions& options, LocalSolver local) {
  const PhaseScope phase(Phase::solve);
  SolveReport report;
  RowVelocities velocities(problem);
  AssembledGaussSeidel gauss_seidel(velocities, options.relaxation, local);
  sweep_until_solved(report, options, [&] { return velocities.residual(); }, [&] { gauss_seidel.sweep(); }, never);
  return report;
}

SolveReport assembled_jacobi(AssembledProblem& problem, const SolverOptions& options) {
  const PhaseScope phase(Phase::solve);
  SolveReport report;
  RowVelocities velocities(problem);
  RowGroups groups(problem.rows, velocities.G());
  const std::vector<int> scale = groups.coupled(velocities.G(), problem.comm);
  const auto sweep = [&] {
    velocities.refresh();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::int32_t first = groups[g].first_row;
      groups.solve(groups[g], scale[g], options.relaxation, velocities.psi().data() + first, problem.rows.P.data() + first);
    }
    velocities.changed();
  };
  sweep_until_solved(report, options, [&] { return velocities.residual(); }, sweep, never);
  return report;
}

}  // namespace percussion

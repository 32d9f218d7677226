#include "solvers/row_velocities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/cone_residual.hpp"
#include "solvers/residual.hpp"
#include "solvers/row_kernel.hpp"

namespace percussion {

namespace {

double energy(const SmallMat& G, const SmallVec& F) {
  double diagonal = 0;
  for (Eigen::Index r = 0; r < F.size(); ++r) diagonal += G(r, r) * F[r] * F[r];
  return std::max(F.dot(G.lazyProduct(F)), 0.01 * diagonal);
}

SmallVec part(const std::vector<double>& values, const RowBlock& block) {
  return Eigen::Map<const VecX>(values.data() + block.first_row, block.rows);
}

/// Of two squares.
/// Percussions that ran away solve nothing, whatever the quotient says.
double relative(double F, double scale) {
  if (!std::isfinite(scale)) return std::numeric_limits<double>::infinity();
  return scale > 0 ? std::sqrt(F / scale) : 0.;
}

}  // namespace

RowVelocities::RowVelocities(AssembledProblem& problem) : problem_(problem), G_(problem), psi_(problem.rows.c) {
  // F at P = 0, and the percussions that would stop the bodies at each row alone.
  double sum[2] = {0, 0};
  const GeneralRows& rows = problem.rows;
  if (problem.measure == ResidualMeasure::cone) {
    for (const double c : rows.c) sum[0] += c * c;
    MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_DOUBLE, MPI_SUM, problem.comm);
    start_ = std::sqrt(sum[0]);
    return;
  }
  const std::vector<double>& speed = problem.speed.empty() ? rows.c : problem.speed;
  const double none[max_small_size] = {};
  for (const RowBlock& block : rows.blocks) {
    sum[0] += energy(block.G, row_natural_map(block, rows.laws.data() + block.first_law, part(rows.c, block), none));
    for (int r = 0; r < block.rows; ++r)
      if (block.G(r, r) > 0) sum[1] += std::pow(speed[block.first_row + r], 2) / block.G(r, r);
  }
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, problem.comm);
  start_ = std::max(std::sqrt(sum[0]), velocity_floor * std::sqrt(sum[1]));
}

double RowVelocities::residual(const std::vector<double>& psi, const std::vector<double>& P) const {
  if (problem_.measure == ResidualMeasure::cone) {
    ConeNorms sum = cone_norms(problem_.rows, psi.data(), P.data());
    MPI_Allreduce(MPI_IN_PLACE, &sum, 3, MPI_DOUBLE, MPI_SUM, problem_.comm);
    return relative(sum.F, std::max({sum.P, sum.psi, start_ * start_}));
  }
  double sum[2] = {0, 0};
  const GeneralRows& rows = problem_.rows;
  for (const RowBlock& block : rows.blocks) {
    const SmallVec P_block = part(P, block);
    sum[0] += energy(block.G, row_natural_map(block, rows.laws.data() + block.first_law, part(psi, block), P_block.data()));
    sum[1] += energy(block.G, P_block);
  }
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, problem_.comm);
  return relative(sum[0], std::max(sum[1], start_ * start_));
}

}  // namespace percussion

#include "solvers/row_groups.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <set>

#include "solvers/active_set_rows.hpp"
#include "solvers/contact_blocks.hpp"
#include "solvers/row_kernel.hpp"

namespace percussion {

namespace {

constexpr int newton_steps = 12;
constexpr int most_passes = 200;
constexpr double group_tolerance = 1e-13;  // relative: a few roundings

bool is_spatial_coulomb(const GeneralRows& rows, const RowBlock& block) {
  return block.rows == 3 && is_coulomb(rows, block);
}

}  // namespace

RowGroups::RowGroups(const GeneralRows& rows, const DelassusRows& G, LocalSolver local) : rows_(rows) {
  groups_.reserve(rows.blocks.size());
  for (std::int32_t b = 0; b < static_cast<std::int32_t>(rows.blocks.size());) {
    const RowBlock& first = rows.blocks[b];
    PERCUSSION_CHECK(first.group >= 1 && b + first.group <= static_cast<std::int32_t>(rows.blocks.size()), "row blocks are not grouped properly");
    RowGroup& group = groups_.emplace_back(RowGroup{b, first.group, first.first_row, 0, true, {}, {}});
    for (std::int32_t k = b; k < b + group.blocks; ++k) group.rows += rows.blocks[k].rows, group.bilateral &= rows.blocks[k].bilateral;
    b += group.blocks;
    if (group.blocks == 1) {
      if (!is_spatial_coulomb(rows, first)) continue;
      group.contact = static_cast<std::int32_t>(contacts_.size());
      contacts_.emplace_back(local, first.G.data(), rows.laws[first.first_law].set.mu[0]), lambda_.push_back(0.);
      continue;
    }
    if (s_.empty()) s_ = row_scales(rows);
    group.G.setZero(group.rows, group.rows);
    for (int r = 0; r < group.rows; ++r)
      G.for_own(group.first_row + r, [&](PetscInt column, double value) {
        const PetscInt c = column - group.first_row;
        if (c >= 0 && c < group.rows) group.G(r, c) = value;
      });
    if (group.bilateral) group.G_inv = group.G.completeOrthogonalDecomposition().pseudoInverse();
  }
}

void RowGroups::solve(const RowGroup& group, double scale, double omega, const double* psi, double* P) {
  if (group.contact >= 0) {
    solve_contact(group, scale, omega, psi, P);
  } else if (group.blocks == 1) {
    const RowBlock& block = rows_.blocks[group.first_block];
    solve_block(block, rows_.laws.data() + block.first_law, scale, omega, Eigen::Map<const VecX>(psi, block.rows), P);
  } else if (group.bilateral) {
    Eigen::Map<VecX>(P, group.rows).noalias() -= omega / scale * (group.G_inv * Eigen::Map<const VecX>(psi, group.rows));
  } else {
    old_ = Eigen::Map<const VecX>(P, group.rows);
    if (!newton(group, scale, psi, P)) passes(group, scale, psi, P);
    if (omega != 1) relax(group, omega, P);
  }
}

/// With scale A in place of A and psi / scale as velocity the contact is the same.
void RowGroups::solve_contact(const RowGroup& group, double scale, double omega, const double* psi, double* P) {
  const RowBlock& block = rows_.blocks[group.first_block];
  const Vec3 q = Eigen::Map<const Vec3>(psi) / scale - Eigen::Map<const Mat3>(block.G.data()) * Eigen::Map<const Vec3>(P);
  contacts_[group.contact].solve(q.data(), omega, lambda_[group.contact], P);
}

/// P := old + omega (P - old), inside the reservoirs.
void RowGroups::relax(const RowGroup& group, double omega, double* P) const {
  Eigen::Map<VecX> P_group(P, group.rows);
  P_group = old_ + omega * (P_group - old_);
  if (omega < 1) return;
  for (int b = 0; b < group.blocks; ++b) {
    const RowBlock& block = rows_.blocks[group.first_block + b];
    if (block.bilateral) continue;
    double* P_block = P + block.first_row - group.first_row;
    if (block.has_normal) P_block[0] = std::max(P_block[0], 0.);
    for (int l = 0; l < block.laws; ++l) {
      const RowLaw& law = rows_.laws[block.first_law + l];
      prox(law.set, block.has_normal ? P_block[0] : block.P_N, P_block + law.first);
    }
  }
}

bool RowGroups::newton(const RowGroup& group, double scale, const double* psi, double* P) {
  const int n = group.rows;
  Eigen::Map<VecX> P_group(P, n);
  const double* s = s_.data() + group.first_row;
  before_ = P_group;
  J_.resize(n, n), F_.resize(n), dP_.setZero(n);
  double size = 0;  // |P|^2 and |psi|^2, scaled: what the residual is compared with
  for (int r = 0; r < n; ++r) size += std::pow(s[r] * P[r], 2) + std::pow(psi[r] / s[r], 2);
  for (int step = 0; step <= newton_steps; ++step) {
    psi_ = Eigen::Map<const VecX>(psi, n);
    if (step > 0) psi_.noalias() += scale * (group.G * dP_);
    double residual = 0;
    for (int b = 0; b < group.blocks; ++b) {
      const RowBlock& block = rows_.blocks[group.first_block + b];
      const RowLaw* laws = rows_.laws.data() + block.first_law;
      const int first = block.first_row - group.first_row;
      const SmallVec psi_block = psi_.segment(first, block.rows);
      const SmallVec natural = row_natural_map(block, laws, psi_block, P + first);
      for (int r = 0; r < block.rows; ++r) residual += std::pow(s[first + r] * natural[r], 2);
      const BlockMap map = active_set_map(block, laws, s + first, psi_block, P + first);
      F_.segment(first, block.rows) = map.F;
      for (int r = 0; r < block.rows; ++r) {
        const int row = first + r;
        J_.row(row).setZero();
        for (int k = 0; k < block.rows; ++k) {
          if (map.dF_dpsi(r, k) != 0) J_.row(row) += scale * map.dF_dpsi(r, k) / s[first + k] * group.G.row(first + k);
          J_(row, first + k) += map.dF_dP(r, k) * s[first + k];
        }
      }
    }
    if (residual <= group_tolerance * group_tolerance * size) return true;
    if (step == newton_steps || !std::isfinite(residual)) break;
    dP_ -= J_.partialPivLu().solve(F_);  // not finite if singular: then the passes take over
    P_group = before_ + dP_;
  }
  P_group = before_;
  return false;
}

void RowGroups::passes(const RowGroup& group, double scale, const double* psi, double* P) {
  const int n = group.rows;
  const double* s = s_.data() + group.first_row;
  psi_ = Eigen::Map<const VecX>(psi, n);
  for (int pass = 0; pass < most_passes; ++pass) {
    double change = 0, size = 0;
    for (int b = 0; b < group.blocks; ++b) {
      const RowBlock& block = rows_.blocks[group.first_block + b];
      const int first = block.first_row - group.first_row;
      const SmallVec before = Eigen::Map<const VecX>(P + first, block.rows);
      solve_block(block, rows_.laws.data() + block.first_law, scale, 1., psi_.segment(first, block.rows), P + first);
      for (int r = 0; r < block.rows; ++r) {
        const double d = P[first + r] - before[r];
        if (d != 0) psi_ += scale * d * group.G.col(first + r);
        change += std::pow(s[first + r] * d, 2), size += std::pow(s[first + r] * P[first + r], 2);
      }
    }
    if (change <= group_tolerance * group_tolerance * size) return;
  }
}

std::vector<int> RowGroups::coupled(const DelassusRows& G, MPI_Comm comm) const {
  std::int64_t before = 0, mine = static_cast<std::int64_t>(groups_.size());
  MPI_Scan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, comm);
  before -= mine;
  std::vector<double> number(rows_.c.size());
  for (std::size_t g = 0; g < groups_.size(); ++g)
    std::fill_n(number.begin() + groups_[g].first_row, groups_[g].rows, static_cast<double>(before + static_cast<std::int64_t>(g)));
  const std::vector<double> other = G.of_others(number);
  std::vector<int> result;
  for (const RowGroup& group : groups_) {
    std::set<double> seen{number[group.first_row]};
    for (PetscInt r = group.first_row; r < group.first_row + group.rows; ++r) {
      G.for_own(r, [&](PetscInt column, double) { seen.insert(number[column]); });
      G.for_others(r, [&](PetscInt k, double) { seen.insert(other[k]); });
    }
    result.push_back(static_cast<int>(seen.size()));
  }
  return result;
}

}  // namespace percussion

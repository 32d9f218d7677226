#include "solvers/contact_blocks.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

#include "math/small_dense.hpp"

namespace percussion {

namespace {

using Lane = Eigen::Array4d;  // three rows and one to spare: blocks are read with a stride of three
using ColumnsOf3 = Eigen::Map<const Mat3>;

inline Eigen::Map<const Lane> column_of(const double* block, int c) { return Eigen::Map<const Lane>(block + 3 * c); }

}  // namespace

bool is_coulomb(const GeneralRows& rows, const RowBlock& block) {
  if (!block.has_normal || block.laws != 1) return false;
  const RowLaw& law = rows.laws[block.first_law];
  const bool shape = (law.set.kind == SetKind::disc && block.rows == 3) || (law.set.kind == SetKind::interval && block.rows == 2);
  return shape && law.first == 1 && law.set.r0[0] == 0;
}

bool fits_contact_blocks(const GeneralRows& rows) {
  return std::ranges::all_of(rows.blocks, [&](const RowBlock& block) { return block.group == 1 && (block.bilateral || is_coulomb(rows, block)); });
}

bool cuts_bilateral_blocks(const GeneralRows& rows) {
  return std::ranges::any_of(rows.blocks, [](const RowBlock& block) { return block.bilateral && block.rows > 3; });
}

ContactBlocks::ContactBlocks(const GeneralRows& rows, const DelassusRows& G, LocalSolver local, double factor) {
  cut_rows(rows);
  copy_entries(G);
  complete_pattern();
  scale(rows, factor);
  prepare_local(local);
  start(rows.P);
}

void ContactBlocks::cut_rows(const GeneralRows& rows) {
  for (const RowBlock& block : rows.blocks) {
    for (std::int32_t r = 0; r < block.rows; r += 3) {
      first_row_.push_back(block.first_row + r), rows_.push_back(std::min(block.rows - r, 3));
      bilateral_.push_back(block.bilateral), mu_.push_back(block.bilateral ? 0. : rows.laws[block.first_law].set.mu[0]);
    }
  }
}

void ContactBlocks::copy_entries(const DelassusRows& G) {
  std::int32_t rows = 0;
  for (const std::int32_t n : rows_) rows += n;
  std::vector<std::int32_t> block_of(rows);
  for (std::int32_t k = 0; k < size(); ++k) std::fill_n(block_of.begin() + first_row_[k], rows_[k], k);
  std::vector<std::int32_t> place(first_row_.size(), -1);  // of the block column in the present block row
  const std::size_t nonzeros = G.own_entries();
  column_.reserve(nonzeros / 4 + first_row_.size()), value_.reserve(nonzeros + nonzeros / 8 + 9 * first_row_.size() + 1);
  for (std::int32_t k = 0; k < size(); ++k) {
    const auto begin = static_cast<std::int32_t>(column_.size());
    place[k] = begin, column_.push_back(k), value_.resize(value_.size() + 9, 0.);
    for (std::int32_t r = 0; r < rows_[k]; ++r) {
      G.for_own(first_row_[k] + r, [&](PetscInt c, double v) {
        const std::int32_t l = block_of[c];
        if (place[l] < begin) place[l] = static_cast<std::int32_t>(column_.size()), column_.push_back(l), value_.resize(value_.size() + 9, 0.);
        value_[9 * static_cast<std::size_t>(place[l]) + 3 * (c - first_row_[l]) + r] = v;
      });
    }
    first_.push_back(static_cast<std::int32_t>(column_.size()));
  }
}

/// Factorisations want W_lk wherever W_kl is stored, be it zero.
void ContactBlocks::complete_pattern() {
  const auto n = first_row_.size();
  std::vector<std::int32_t> begin_t(n + 1, 0), transposed(column_.size()), seen(n, -1);
  for (const std::int32_t l : column_) ++begin_t[l + 1];
  for (std::size_t k = 0; k < n; ++k) begin_t[k + 1] += begin_t[k];
  std::vector<std::int32_t> next(begin_t.begin(), begin_t.end() - 1);
  for (std::int32_t k = 0; k < size(); ++k)
    for (std::int32_t e = begin(k); e < end(k); ++e) transposed[next[column_[e]]++] = k;
  std::vector<std::int32_t> missing, row_of_missing;
  for (std::int32_t k = 0; k < size(); ++k) {
    for (std::int32_t e = begin(k); e < end(k); ++e) seen[column_[e]] = k;
    for (std::int32_t t = begin_t[k]; t < begin_t[k + 1]; ++t)
      if (seen[transposed[t]] != k) missing.push_back(transposed[t]), row_of_missing.push_back(k);
  }
  if (missing.empty()) return;
  std::vector<std::int32_t> first{0}, column;
  std::vector<double> value;
  for (std::int32_t k = 0, m = 0; k < size(); ++k) {
    column.insert(column.end(), column_.begin() + begin(k), column_.begin() + end(k));
    value.insert(value.end(), block(begin(k)), block(end(k)));
    for (; m < static_cast<std::int32_t>(missing.size()) && row_of_missing[m] == k; ++m) column.push_back(missing[m]), value.resize(value.size() + 9, 0.);
    first.push_back(static_cast<std::int32_t>(column.size()));
  }
  first_.swap(first), column_.swap(column), value_.swap(value);
}

void ContactBlocks::scale(const GeneralRows& rows, double factor) {
  for (std::int32_t k = 0; k < size(); ++k) {
    double trace = 0;
    for (int r = 0; r < rows_[k]; ++r) trace += block(begin(k))[4 * r];
    s_.push_back(trace > 0 ? std::sqrt(trace / rows_[k]) : 1.);
  }
  q_.assign(3 * first_row_.size(), 0.);
  for (std::int32_t k = 0; k < size(); ++k) {
    for (std::int32_t e = begin(k); e < end(k); ++e) {
      const double scale = factor / (s_[k] * s_[column_[e]]);
      for (int i = 0; i < 9; ++i) value_[9 * static_cast<std::size_t>(e) + i] *= scale;
    }
    for (int r = rows_[k]; r < 3; ++r) value_[9 * static_cast<std::size_t>(begin(k)) + 4 * r] = 1;
    for (int r = 0; r < rows_[k]; ++r) q_[3 * k + r] = rows.c[first_row_[k] + r] / s_[k];
  }
  value_.resize(value_.size() + 1);  // a lane more than the last block
}

/// After scale(): local contacts point into value_.
void ContactBlocks::prepare_local(LocalSolver local) {
  inverse_.resize(9 * first_row_.size());
  lambda_.assign(first_row_.size(), 0.);
  contact_.reserve(first_row_.size());
  for (std::int32_t k = 0; k < size(); ++k) {
    const double* A = block(begin(k));
    contact_.emplace_back(local, A, mu_[k]);
    if (!bilateral_[k]) continue;
    Eigen::Map<Mat3> inverse(inverse_.data() + 9 * k);
    // Rows of the stages of a Runge-Kutta method are not symmetric, redundant ones not regular.
    if (const Eigen::FullPivLU<Mat3> lu(ColumnsOf3{A}); lu.isInvertible()) {
      inverse = lu.inverse();
    } else {
      const Mat3 symmetric = 0.5 * (ColumnsOf3(A) + ColumnsOf3(A).transpose());
      Mat3 plus;
      pseudo_inverse_spd(symmetric, plus);
      inverse = plus;
    }
  }
}

void ContactBlocks::start(const std::vector<double>& P) {
  r_.assign(3 * first_row_.size(), 0.);
  for (std::int32_t k = 0; k < size(); ++k)
    for (int i = 0; i < rows_[k]; ++i) r_[3 * k + i] = s_[k] * P[first_row_[k] + i];
}

bool ContactBlocks::bounded() const {
  constexpr double reason = 1e6;  // condition numbers of solvable problems are far below
  return Eigen::Map<const VecX>(r_.data(), static_cast<Eigen::Index>(r_.size())).norm() <=
         reason * Eigen::Map<const VecX>(q_.data(), static_cast<Eigen::Index>(q_.size())).norm();
}

void ContactBlocks::percussions(const std::vector<double>& r, std::vector<double>& P) const {
  for (std::int32_t k = 0; k < size(); ++k)
    for (int i = 0; i < rows_[k]; ++i) P[first_row_[k] + i] = r[3 * k + i] / s_[k];
}

void ContactBlocks::velocities(const std::vector<double>& u, std::vector<double>& psi) const {
  for (std::int32_t k = 0; k < size(); ++k)
    for (int i = 0; i < rows_[k]; ++i) psi[first_row_[k] + i] = u[3 * k + i] * s_[k];
}

void ContactBlocks::multiply(const std::vector<double>& r, std::vector<double>& u) const {
  for (std::int32_t k = 0; k < size(); ++k) {
    Lane sum_0 = Lane::Zero(), sum_1 = sum_0, sum_2 = sum_0;  // three chains of additions instead of one
    const double* b = block(begin(k));
    for (std::int32_t e = begin(k); e < end(k); ++e, b += 9) {
      const double* x = r.data() + 3 * column_[e];
      sum_0 += column_of(b, 0) * x[0], sum_1 += column_of(b, 1) * x[1], sum_2 += column_of(b, 2) * x[2];
    }
    sum_0 += sum_1 + sum_2;
    for (int i = 0; i < 3; ++i) u[3 * k + i] = q_[3 * k + i] + sum_0[i];
  }
}

double ContactBlocks::residual(const std::vector<double>& u) const {
  double F = 0, sizes[3] = {0, 0, 0};
  for (std::int32_t k = 0; k < size(); ++k) {
    const double *u_k = u.data() + 3 * k, *r_k = r_.data() + 3 * k;
    double z[3] = {r_k[0] - u_k[0] - mu_[k] * std::hypot(u_k[1], u_k[2]), r_k[1] - u_k[1], r_k[2] - u_k[2]};
    if (!bilateral_[k]) project_on_friction_cone(mu_[k], z);
    for (int i = 0; i < 3; ++i) {
      const double f = bilateral_[k] ? u_k[i] : r_k[i] - z[i];
      F += f * f, sizes[0] += q_[3 * k + i] * q_[3 * k + i], sizes[1] += r_k[i] * r_k[i], sizes[2] += u_k[i] * u_k[i];
    }
  }
  const double scale = std::max({sizes[0], sizes[1], sizes[2]});
  return scale > 0 ? std::sqrt(F / scale) : 0.;
}

void ContactBlocks::hold(const std::vector<double>& psi) {
  for (std::int32_t k = 0; k < size(); ++k)
    for (int i = 0; i < rows_[k]; ++i) q_[3 * k + i] = psi[first_row_[k] + i] / s_[k];
  change_.assign(q_.size(), 0.);
}

/// held: q are the velocities before the sweep, and the others count by their changes.
template <bool held>
inline void ContactBlocks::relax(std::int32_t k, double omega) {
  const double* others = held ? change_.data() : r_.data();
  Lane sum_0 = Lane::Zero(), sum_1 = sum_0, sum_2 = sum_0;
  const double* b = block(begin(k) + 1);
  for (std::int32_t e = begin(k) + 1; e < end(k); ++e, b += 9) {
    const double* x = others + 3 * column_[e];
    sum_0 += column_of(b, 0) * x[0], sum_1 += column_of(b, 1) * x[1], sum_2 += column_of(b, 2) * x[2];
  }
  sum_0 += sum_1 + sum_2;
  Eigen::Map<Vec3> r(r_.data() + 3 * k);
  Vec3 u(q_[3 * k] + sum_0[0], q_[3 * k + 1] + sum_0[1], q_[3 * k + 2] + sum_0[2]);
  const Vec3 before = r;
  if (bilateral_[k]) {
    if (!held) u += ColumnsOf3(block(begin(k))) * before;
    r -= omega * ColumnsOf3(inverse_.data() + 9 * k) * u;
  } else {
    if (held) u -= ColumnsOf3(block(begin(k))) * before;
    contact_[k].solve(u.data(), omega, lambda_[k], r.data());
  }
  if (held) Eigen::Map<Vec3>(change_.data() + 3 * k) = r - before;
}

void ContactBlocks::sweep(double omega) {
  for (std::int32_t k = 0; k < size(); ++k) relax<false>(k, omega);
}

void ContactBlocks::sweep_held(double omega) {
  for (std::int32_t k = 0; k < size(); ++k) relax<true>(k, omega);
}

}  // namespace percussion

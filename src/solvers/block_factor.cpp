#include "solvers/block_factor.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>

namespace percussion {

namespace {

using Lane = Eigen::Array4d;
using MapLane = Eigen::Map<Lane>;
using MapConstLane = Eigen::Map<const Lane>;
constexpr std::size_t padded = 12;            // doubles of a 4x3 block
constexpr std::size_t most_entries = 5000000;  // blocks of L: with U 1 GB

double* at(std::vector<double>& values, std::int32_t i) { return values.data() + padded * static_cast<std::size_t>(i); }
const double* at(const std::vector<double>& values, std::int32_t i) { return values.data() + padded * static_cast<std::size_t>(i); }

struct Columns {
  Lane c_0, c_1, c_2;
  explicit Columns(const double* a) : c_0(MapConstLane(a)), c_1(MapConstLane(a + 4)), c_2(MapConstLane(a + 8)) {}
};

/// y := a b.
inline void multiply(const Columns& a, const double* b, double* y) {
  for (int c = 0; c < 3; ++c) {
    Lane sum = a.c_0 * b[4 * c];
    sum += a.c_1 * b[4 * c + 1];
    sum += a.c_2 * b[4 * c + 2];
    MapLane(y + 4 * c) = sum;
  }
}

/// y -= a b.
inline void subtract(const Columns& a, const double* b, double* y) {
  for (int c = 0; c < 3; ++c) {
    Lane sum = MapConstLane(y + 4 * c);
    sum -= a.c_0 * b[4 * c];
    sum -= a.c_1 * b[4 * c + 1];
    sum -= a.c_2 * b[4 * c + 2];
    MapLane(y + 4 * c) = sum;
  }
}

/// y -= a x for vectors of three.
inline void subtract_vector(const double* a, const double* x, double* y) {
  for (int r = 0; r < 3; ++r) y[r] -= a[r] * x[0] + a[4 + r] * x[1] + a[8 + r] * x[2];
}

bool invert(const double* a, double* inverse) {
  Mat3 A;
  for (int c = 0; c < 3; ++c) A.col(c) = Eigen::Map<const Vec3>(a + 4 * c);
  const Mat3 A_inv = A.inverse();
  for (int c = 0; c < 3; ++c) Eigen::Map<Vec3>(inverse + 4 * c) = A_inv.col(c), inverse[4 * c + 3] = 0;
  return A_inv.allFinite();
}

}  // namespace

BlockFactor::BlockFactor(const ContactBlocks& blocks) : blocks_(blocks), place_(blocks.size()) {
  const std::int32_t n = blocks.size();
  // The pattern is symmetric, so filling it by columns of W leaves the rows of each column sorted.
  Eigen::SparseMatrix<char> pattern(n, n);
  pattern.resizeNonZeros(static_cast<Eigen::Index>(blocks.entries()));
  int* next = pattern.outerIndexPtr() + 1;  // begins of the columns while they are filled, their ends afterwards
  for (std::int32_t k = 0; k < n; ++k) next[k] = blocks.begin(k);
  for (std::int32_t k = 0; k < n; ++k)
    for (std::int32_t e = blocks.begin(k); e < blocks.end(k); ++e) pattern.innerIndexPtr()[next[blocks.column(e)]++] = k;
  std::fill_n(pattern.valuePtr(), blocks.entries(), char(1));
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(pattern, permutation);  // of the pattern of W + W'
  order_.assign(permutation.indices().data(), permutation.indices().data() + n);
  analyse(std::vector<char>(n, 1));
}

/// Row patterns of L by the elimination tree; U has the transposed pattern. False if there are too many entries.
bool BlockFactor::analyse(const std::vector<char>& takes_part) {
  rows_.clear(), std::ranges::fill(place_, -1);
  for (const std::int32_t k : order_)
    if (takes_part[k]) place_[k] = static_cast<std::int32_t>(rows_.size()), rows_.push_back(k);
  const auto n = static_cast<std::int32_t>(rows_.size());
  parent_.assign(n, -1), mark_.assign(n, -1), next_.assign(n, -1), path_.resize(n);
  const auto for_earlier = [&](std::int32_t i, auto&& visit) {
    for (std::int32_t e = blocks_.begin(rows_[i]); e < blocks_.end(rows_[i]); ++e)
      if (const std::int32_t j = place_[blocks_.column(e)]; j >= 0 && j < i) visit(j);
  };
  for (std::int32_t i = 0; i < n; ++i) {  // next_: ancestors, with path compression
    for_earlier(i, [&](std::int32_t j) {
      while (j != -1 && j < i) {
        const std::int32_t ancestor = next_[j];
        next_[j] = i;
        if (ancestor == -1) parent_[j] = i;
        j = ancestor;
      }
    });
  }
  L_first_.assign(1, 0), L_column_.clear(), U_first_.assign(n + 1, 0);
  for (std::int32_t i = 0; i < n; ++i) {
    std::int32_t top = n;
    mark_[i] = i;
    for_earlier(i, [&](std::int32_t j) {
      std::int32_t length = 0;
      for (; mark_[j] != i; j = parent_[j]) path_[length++] = j, mark_[j] = i;
      while (length > 0) path_[--top] = path_[--length];
    });
    for (; top < n; ++top) L_column_.push_back(path_[top]), ++U_first_[path_[top] + 1];
    L_first_.push_back(static_cast<std::int32_t>(L_column_.size()));
    if (L_column_.size() > most_entries) return work_ = INFINITY, false;
  }
  for (std::int32_t i = 0; i < n; ++i) U_first_[i + 1] += U_first_[i];
  next_.assign(U_first_.begin(), U_first_.end() - 1);
  U_column_.resize(L_column_.size());
  for (std::int32_t i = 0; i < n; ++i)
    for (std::int32_t t = L_first_[i]; t < L_first_[i + 1]; ++t) U_column_[next_[L_column_[t]]++] = i;
  work_ = 0;
  for (const std::int32_t j : L_column_) work_ += 54. * (U_first_[j + 1] - U_first_[j]);
  L_.resize(padded * L_column_.size()), U_.resize(padded * U_column_.size());
  D_inv_.resize(padded * rows_.size()), row_.resize(padded * rows_.size());
  return true;
}

/// Row i of J into row_.
void BlockFactor::gather(std::int32_t i, const BlockEquation& equation, double eps) {
  const auto clear = [&](std::int32_t j) { std::fill_n(at(row_, j), padded, 0.); };
  for (std::int32_t t = L_first_[i]; t < L_first_[i + 1]; ++t) clear(L_column_[t]);
  for (std::int32_t t = U_first_[i]; t < U_first_[i + 1]; ++t) clear(U_column_[t]);
  clear(i);
  for (std::int32_t e = blocks_.begin(rows_[i]); e < blocks_.end(rows_[i]); ++e) {
    const std::int32_t j = place_[blocks_.column(e)];
    if (j < 0) continue;
    const Mat3 value = equation.A * Eigen::Map<const Mat3>(blocks_.block(e));
    for (int c = 0; c < 3; ++c) Eigen::Map<Vec3>(at(row_, j) + 4 * c) = value.col(c);
  }
  const Mat3 own = equation.B + eps * equation.A;
  for (int c = 0; c < 3; ++c) Eigen::Map<Vec3>(at(row_, i) + 4 * c) += own.col(c);
}

bool BlockFactor::eliminate(std::int32_t i) {
  for (std::int32_t t = L_first_[i]; t < L_first_[i + 1]; ++t) {
    const std::int32_t j = L_column_[t];
    double* l = at(L_, t);
    multiply(Columns(at(row_, j)), at(D_inv_, j), l);
    const Columns l_ij(l);
    const double* u = at(U_, U_first_[j]);
    for (std::int32_t s = U_first_[j]; s < U_first_[j + 1]; ++s, u += padded) subtract(l_ij, u, at(row_, U_column_[s]));
  }
  for (std::int32_t t = U_first_[i]; t < U_first_[i + 1]; ++t) std::copy_n(at(row_, U_column_[t]), padded, at(U_, t));
  return invert(at(row_, i), at(D_inv_, i));
}

bool BlockFactor::factorise(const std::vector<char>& takes_part, const std::vector<BlockEquation>& equation, double eps) {
  if (!analyse(takes_part)) return false;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(rows_.size()); ++i) {
    gather(i, equation[rows_[i]], eps);
    if (!eliminate(i)) return false;
  }
  return true;
}

void BlockFactor::solve(std::vector<double>& x) const {
  const auto n = static_cast<std::int32_t>(rows_.size());
  const auto part = [&](std::int32_t i) { return x.data() + 3 * rows_[i]; };
  for (std::int32_t i = 0; i < n; ++i)
    for (std::int32_t t = L_first_[i]; t < L_first_[i + 1]; ++t) subtract_vector(at(L_, t), part(L_column_[t]), part(i));
  for (std::int32_t i = n - 1; i >= 0; --i) {
    double* y = part(i);
    for (std::int32_t t = U_first_[i]; t < U_first_[i + 1]; ++t) subtract_vector(at(U_, t), part(U_column_[t]), y);
    double solved[3] = {0, 0, 0};
    subtract_vector(at(D_inv_, i), y, solved);
    for (int r = 0; r < 3; ++r) y[r] = -solved[r];
  }
  for (std::int32_t k = 0; k < blocks_.size(); ++k)
    if (place_[k] < 0) std::fill_n(x.begin() + 3 * k, 3, 0.);
}

}  // namespace percussion

#include <algorithm>
#include <cmath>

#include "solvers/fischer_burmeister.hpp"

namespace percussion {

namespace {

// Smaller eigenvalues of w count as this part of the larger one: one element of the generalized Jacobian at the boundary.
constexpr double smallest_part = 1e-10;

/// L_x y = x o y.
SmallMat arrow(const SmallVec& x) {
  const Eigen::Index n = x.size();
  SmallMat L = SmallMat::Zero(n, n);
  L.diagonal().setConstant(x[0]);
  L.row(0) = x.transpose(), L.col(0) = x;
  return L;
}

/// Inverse of the arrow matrix of w, in closed form.
SmallMat inverse_arrow(const SmallVec& w) {
  const Eigen::Index n = w.size();
  const auto rest = w.tail(n - 1);
  const double det = w[0] * w[0] - rest.squaredNorm();
  SmallMat inverse = SmallMat::Zero(n, n);
  inverse(0, 0) = w[0] / det;
  inverse.block(0, 1, 1, n - 1) = -rest.transpose() / det, inverse.block(1, 0, n - 1, 1) = -rest / det;
  inverse.block(1, 1, n - 1, n - 1) = (SmallMat::Identity(n - 1, n - 1) + rest * rest.transpose() / det) / w[0];
  return inverse;
}

struct Phi {
  SmallVec value;
  SmallMat d_x, d_y;
};

Phi phi(const SmallVec& x, const SmallVec& y) {
  const Eigen::Index n = x.size();
  SmallVec direction = x[0] * x.tail(n - 1) + y[0] * y.tail(n - 1);
  const double sum = x.squaredNorm() + y.squaredNorm(), spread = 2 * direction.norm();
  const SmallMat one = SmallMat::Identity(n, n);
  if (sum == 0) return {SmallVec::Zero(n), (1 - std::sqrt(0.5)) * one, (1 - std::sqrt(0.5)) * one};
  if (spread > 0) direction /= 0.5 * spread;
  const auto root = [&](double small, double large) {
    SmallVec w(n);
    w[0] = 0.5 * (large + small), w.tail(n - 1) = 0.5 * (large - small) * direction;
    return w;
  };
  const double large = std::sqrt(sum + spread), small = std::sqrt(std::max(sum - spread, 0.));
  const SmallMat inverse = inverse_arrow(root(std::max(small, smallest_part * large), large));
  return {x + y - root(small, large), one - inverse * arrow(x), one - inverse * arrow(y)};
}

}  // namespace

BlockMap fischer_burmeister_map(const RowBlock& block, const RowLaw* laws, const double* s, const SmallVec& psi, const double* P) {
  const int n = block.rows;
  const bool cone = !block.bilateral && block.has_normal && block.laws == 1 && laws[0].first == 1 && laws[0].set.dim() == n - 1 &&
                    laws[0].set.kind != SetKind::rectangle && laws[0].set.r0[0] == 0 && laws[0].set.mu[0] > 0;
  if (!cone) return active_set_map(block, laws, s, psi, P);
  const double mu = laws[0].set.mu[0], sigma = s[1], slip = psi.tail(n - 1).norm();
  SmallVec x = SmallVec::Zero(n), y = SmallVec::Zero(n);
  SmallMat dx_dP = SmallMat::Zero(n, n), dy_dpsi = SmallMat::Zero(n, n);
  x[0] = sigma * mu * P[0], y[0] = (psi[0] + mu * slip) / sigma;
  dx_dP(0, 0) = sigma * mu, dy_dpsi(0, 0) = 1 / sigma;
  for (int r = 1; r < n; ++r) {
    x[r] = sigma * P[r], y[r] = mu * psi[r] / sigma;
    dx_dP(r, r) = sigma, dy_dpsi(r, r) = mu / sigma;
    if (slip > 0) dy_dpsi(0, r) = mu * psi[r] / slip / sigma;
  }
  const Phi f = phi(x, y);
  BlockMap map{f.value, f.d_y * dy_dpsi, f.d_x * dx_dP};
  for (int r = 0; r < n; ++r) map.dF_dpsi.col(r) *= s[r], map.dF_dP.col(r) /= s[r];
  return map;
}

}  // namespace percussion

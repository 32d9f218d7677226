// One contact alone: u = A r + q with 0 <= u_N _|_ r_N >= 0 and Coulomb's disc |r_T| <= mu r_N, solved exactly.
//
// Open: q_N >= 0, r = 0. Stick: r = -A^-1 q if that is in the cone. Slip: u_T = -lambda r_T with lambda > 0, so that
// with the Schur complement S of A_NN and b = q_T - A_TN q_N / A_NN
//   r_T(lambda) = -(S + lambda I)^-1 b,   r_N = -(q_N + A_NT r_T) / A_NN,   |r_T| = mu r_N,
// one scalar equation (the quartic of Bonnefon and Daviet, 2011, in its secular form), nearly linear in lambda as
// mu r_N / |r_T| = 1: two or three Newton steps, bracketed, from the lambda of the last sweep. It has a root whenever
// q_N < 0 and sticking fails: |r_T| > mu r_N at 0, |r_T| -> 0 and r_N -> -q_N / A_NN > 0 at infinity. A need not be symmetric.
#pragma once
#include <cmath>

namespace percussion {

/// What solve() needs of A, a 3x3 matrix by columns.
class OneContact {
 public:
  explicit OneContact(const double* A) : A_(A) {
    if (!(A[0] > 0)) return;  // nothing moves along the normal: never closed
    inv_NN_ = 1 / A[0], m_1_ = A[1] * inv_NN_, m_2_ = A[2] * inv_NN_;
    S_11_ = A[4] - m_1_ * A[3], S_21_ = A[5] - m_2_ * A[3], S_12_ = A[7] - m_1_ * A[6], S_22_ = A[8] - m_2_ * A[6];
    trace_ = S_11_ + S_22_, det_ = S_11_ * S_22_ - S_12_ * S_21_;
  }

  /// `lambda` is the start of the scalar iteration and its result; 0: none known.
  void solve(double mu, const double* q, double& lambda, double* r) const {
    r[0] = r[1] = r[2] = 0;
    if (q[0] >= 0 || inv_NN_ == 0) return;
    if (mu == 0) {
      r[0] = -q[0] * inv_NN_;
      return;
    }
    const double b_1 = q[1] - m_1_ * q[0], b_2 = q[2] - m_2_ * q[0];
    // adj(S) b: (S + lambda I)^-1 b = (adj(S) b + lambda b) / (det + lambda trace + lambda^2)
    const double a_1 = S_22_ * b_1 - S_12_ * b_2, a_2 = S_11_ * b_2 - S_21_ * b_1;
    if (det_ > smallest_det * trace_ * trace_) {
      const double T_1 = -a_1 / det_, T_2 = -a_2 / det_, N = normal(q[0], T_1, T_2);
      if (N >= 0 && T_1 * T_1 + T_2 * T_2 <= mu * mu * N * N) {
        r[0] = N, r[1] = T_1, r[2] = T_2;
        return;
      }
    }
    double low = 0, high = INFINITY, x = lambda > 0 ? lambda : 0.1 * trace_, T_1 = 0, T_2 = 0, N = 0, T = 0;
    for (int step = 0; step < most_steps; ++step) {
      const double inv_d = 1 / (det_ + x * (trace_ + x)), slope = (trace_ + 2 * x) * inv_d;
      T_1 = -(a_1 + x * b_1) * inv_d, T_2 = -(a_2 + x * b_2) * inv_d, N = normal(q[0], T_1, T_2);
      T = std::sqrt(T_1 * T_1 + T_2 * T_2);
      if (!(T > 0)) break;
      const double dT_1 = -b_1 * inv_d - T_1 * slope, dT_2 = -b_2 * inv_d - T_2 * slope;
      const double dT = (T_1 * dT_1 + T_2 * dT_2) / T, dN = -(A_[3] * dT_1 + A_[6] * dT_2) * inv_NN_;
      const double g = mu * N / T - 1, dg = (mu * dN - (g + 1) * dT) / T;
      if (std::abs(g) < rounding) break;
      (g > 0 ? high : low) = x;
      double next = x - g / dg;
      if (!(dg > 0) || !(next > low && next < high)) next = std::isfinite(high) ? 0.5 * (low + high) : 4 * x + 0.1 * trace_;
      x = next;
    }
    lambda = x;
    N = N > 0 ? N : 0;
    // On the rim exactly; inside it only if S is singular and the contact sticks.
    const double rim = T > mu * N ? mu * N / T : 1;
    r[0] = N, r[1] = rim * T_1, r[2] = rim * T_2;
  }

 private:
  static constexpr double smallest_det = 1e-14, rounding = 1e-14;
  static constexpr int most_steps = 30;
  double normal(double q_N, double T_1, double T_2) const { return -(q_N + A_[3] * T_1 + A_[6] * T_2) * inv_NN_; }

  const double* A_;
  double inv_NN_ = 0, m_1_ = 0, m_2_ = 0, S_11_ = 0, S_12_ = 0, S_21_ = 0, S_22_ = 0, trace_ = 0, det_ = 0;
};

}  // namespace percussion

// One contact of round bodies over the m stages of a step: the arithmetic of all sweeps over stage problems
// (assembly/stage_sphere_problem.hpp). Vectors in I, no frames, as in solvers/sphere_kernel.hpp.
//
// Local problem, with the other contacts frozen: the normals of all stages together are a linear complementarity
// problem with the matrix G_NN C, C a P-matrix, so it has one solution (Breuling 4.12, 5.2), found among the subsets of
// stages with precomputed inverses. Friction follows stage after stage on its disc; for the projected methods, where
// D = 1, that is the solution too.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "assembly/stage_sphere_problem.hpp"

namespace percussion {

/// Coefficients of the method in fixed size. `unit`: D = 1.
template <int m, bool unit>
struct StageCoupling {
  double C[m][m], D[m][m], inverse[1 << m][m][m];

  explicit StageCoupling(const StageSphereProblem& problem) {
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) {
        C[i][j] = problem.C(i, j), D[i][j] = problem.D(i, j);
        for (int bits = 0; bits < 1 << m; ++bits) inverse[bits][i][j] = problem.subset_inverse[bits](i, j);
      }
  }
};

inline double stage_dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

template <int m>
struct StageVelocity {
  double N[m], T[m][3];
};

template <int m, bool unit>
[[gnu::always_inline]] inline StageVelocity<m> stage_psi(const StageContact& s, const StageCoupling<m, unit>& k, const double* c, const double* x) {
  const double* n = s.n;
  double y[m][3], y_N[m];
  for (int r = 0; r < m; ++r) {
    const double *a = x + std::size_t(s.a + r) * line_size, *b = x + std::size_t(s.b + r) * line_size;
    double w[3];
    for (int i = 0; i < 3; ++i) w[i] = s.r_a * a[3 + i] + s.r_b * b[3 + i];
    y[r][0] = b[0] - a[0] + n[1] * w[2] - n[2] * w[1];
    y[r][1] = b[1] - a[1] + n[2] * w[0] - n[0] * w[2];
    y[r][2] = b[2] - a[2] + n[0] * w[1] - n[1] * w[0];
    y_N[r] = stage_dot(n, y[r]);
  }
  StageVelocity<m> psi;
  for (int i = 0; i < m; ++i, c += 3) {
    const double c_N = stage_dot(n, c);
    psi.N[i] = c_N;
    for (int r = 0; r < m; ++r) psi.N[i] += k.C[i][r] * y_N[r];
    double v[3] = {c[0], c[1], c[2]}, v_N = c_N;
    if constexpr (unit) {
      for (int l = 0; l < 3; ++l) v[l] += y[i][l];
      v_N += y_N[i];
    } else {
      for (int r = 0; r < m; ++r) {
        for (int l = 0; l < 3; ++l) v[l] += k.D[i][r] * y[r][l];
        v_N += k.D[i][r] * y_N[r];
      }
    }
    for (int l = 0; l < 3; ++l) psi.T[i][l] = v[l] - v_N * n[l];
  }
  return psi;
}

/// 0 <= q + C z, z >= 0, complementary. The set of the last solution is tried first.
template <int m, bool unit>
[[gnu::always_inline]] inline void solve_normals(const StageCoupling<m, unit>& k, const double* q, double* z) {
  if constexpr (m == 1) {
    z[0] = std::max(0., -k.inverse[1][0][0] * q[0]);
    return;
  }
  int guess = 0;
  double scale = 0;
  for (int i = 0; i < m; ++i) guess |= (z[i] > 0) << i, scale = std::max(scale, std::abs(q[i]));
  const double slack = 1e-14 * scale;  // rounding
  for (int attempt = 0; attempt < 1 << m; ++attempt) {
    const int bits = guess ^ attempt;
    bool good = true;
    for (int i = 0; i < m; ++i) {
      z[i] = 0;
      for (int j = 0; j < m; ++j) z[i] -= k.inverse[bits][i][j] * q[j];
      good = good && z[i] >= 0;
    }
    for (int i = 0; i < m && good; ++i) {
      double w = q[i];
      for (int j = 0; j < m; ++j) w += k.C[i][j] * z[j];
      good = (bits >> i & 1) || w >= -slack;
    }
    if (good) return;
  }
  for (int i = 0; i < m; ++i) z[i] = std::max(z[i], 0.);  // only if q is not finite
}

/// Onto the disc, in three dimensions. Inlined by hand: a call in the middle of a sweep costs as much as the rest.
[[gnu::always_inline]] inline void project_on_disc(double radius, double* T) {
  // Without a branch, as in sphere_kernel.hpp.
  const double shrink = radius / std::sqrt(std::max({stage_dot(T, T), radius * radius, std::numeric_limits<double>::min()}));
  for (int l = 0; l < 3; ++l) T[l] *= shrink;
}

/// y_r += M^-1 W d_r.
template <int m>
[[gnu::always_inline]] inline void stage_apply(const StageContact& s, const double (&d)[m][3], double* x) {
  const double* n = s.n;
  const double *a_0 = x + std::size_t(s.a) * line_size, *b_0 = x + std::size_t(s.b) * line_size;
  const double m_a = a_0[6], m_b = b_0[6], t_a = s.r_a * a_0[7], t_b = s.r_b * b_0[7];
  for (int r = 0; r < m; ++r) {
    double *a = x + std::size_t(s.a + r) * line_size, *b = x + std::size_t(s.b + r) * line_size;
    const double* P = d[r];
    const double turn[3] = {n[1] * P[2] - n[2] * P[1], n[2] * P[0] - n[0] * P[2], n[0] * P[1] - n[1] * P[0]};
    for (int i = 0; i < 3; ++i) a[i] -= m_a * P[i], b[i] += m_b * P[i];
    for (int i = 0; i < 3; ++i) a[3 + i] -= t_a * turn[i], b[3 + i] -= t_b * turn[i];
  }
}

/// Gauss-Seidel from Y, to which the increments belong: mu and the increments of both bodies. Returns |mu - Y|^2.
template <int m, bool unit>
[[gnu::always_inline]] inline double stage_relax(const StageContact& s, const StageCoupling<m, unit>& k, double omega, const double* c, const double* Y, double* mu, double* x) {
  const StageVelocity<m> psi = stage_psi<m, unit>(s, k, c, x);
  const double* n = s.n;
  double mu_N[m], q[m], z[m], d[m][3], change = 0;
  for (int i = 0; i < m; ++i) z[i] = mu_N[i] = stage_dot(n, Y + 3 * i);
  for (int i = 0; i < m; ++i) {
    q[i] = psi.N[i] * s.inv_G_N;
    for (int r = 0; r < m; ++r) q[i] -= k.C[i][r] * mu_N[r];
  }
  solve_normals<m, unit>(k, q, z);
  for (int i = 0; i < m; ++i) {
    const double P_N = mu_N[i] + omega * (z[i] - mu_N[i]);
    const double rho = unit ? omega * s.inv_G_T : omega * s.inv_G_T / k.D[i][i];
    const double* old = Y + 3 * i;
    double T[3];
    for (int l = 0; l < 3; ++l) {
      double v = psi.T[i][l];
      if constexpr (!unit)
        for (int r = 0; r < i; ++r) v += k.D[i][r] * (d[r][l] - n[l] * stage_dot(n, d[r])) / s.inv_G_T;
      T[l] = old[l] - mu_N[i] * n[l] - rho * v;
    }
    project_on_disc(s.mu * P_N, T);
    for (int l = 0; l < 3; ++l) {
      const double next = P_N * n[l] + T[l];
      d[i][l] = next - old[l], mu[3 * i + l] = next;
      change += d[i][l] * d[i][l];
    }
  }
  stage_apply<m>(s, d, x);
  return change;
}

/// Squared local energy norms of the natural map and of mu, added to sum[0], sum[1]. Step sizes 1 / G without the
/// coefficients of the method (6.18, 6.19 with rows g_N / h): then a residual means the same error in velocities for any
/// number of stages. G_N, G_T: of the undivided bodies.
template <int m, bool unit>
[[gnu::always_inline]] inline void stage_norms(const StageContact& s, const StageCoupling<m, unit>& k, double G_N, double G_T, const double* c, const double* mu, const double* x, double* sum) {
  const StageVelocity<m> psi = stage_psi<m, unit>(s, k, c, x);
  const double *n = s.n, rho_N = 1 / G_N, rho_T = 1 / G_T;
  for (int r = 0; r < m; ++r) {
    const double* P = mu + 3 * r;
    const double mu_N = stage_dot(n, P), P_N = std::max(0., mu_N - rho_N * psi.N[r]), F_N = mu_N - P_N;
    double T[3], old[3];
    for (int l = 0; l < 3; ++l) old[l] = P[l] - mu_N * n[l], T[l] = old[l] - rho_T * psi.T[r][l];
    project_on_disc(s.mu * P_N, T);
    double F2 = 0;
    for (int l = 0; l < 3; ++l) F2 += (old[l] - T[l]) * (old[l] - T[l]);
    sum[0] += G_N * F_N * F_N + G_T * F2;
    sum[1] += G_N * mu_N * mu_N + G_T * stage_dot(old, old);
  }
}

}  // namespace percussion

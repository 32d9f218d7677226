#include "solvers/stage_sweep.hpp"

#include <cmath>

#include "base/timer.hpp"
#include "solvers/body_exchange.hpp"
#include "solvers/residual.hpp"
#include "solvers/sweep_loop.hpp"

namespace percussion {

namespace {

/// Coefficients of the method in fixed size.
template <int m>
struct Coupling {
  double C[m][m], D[m][m], inverse[1 << m][m][m];

  explicit Coupling(const StageSphereProblem& problem) {
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) {
        C[i][j] = problem.C(i, j), D[i][j] = problem.D(i, j);
        for (int bits = 0; bits < 1 << m; ++bits) inverse[bits][i][j] = problem.subset_inverse[bits](i, j);
      }
  }
};

/// Velocities of a contact in its frame.
template <int m>
struct Velocities {
  double N[m], T[m][2];
};

/// W^T y_r of all stages.
template <int m>
Velocities<m> increments(const StageContact& s, const double* x) {
  Velocities<m> v;
  const double *n = s.n, *t = s.t;
  const double t2[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
  for (int r = 0; r < m; ++r) {
    const double *a = x + std::size_t(s.a + r) * line_size, *b = x + std::size_t(s.b + r) * line_size;
    double w[3];
    for (int i = 0; i < 3; ++i) w[i] = s.r_a * a[3 + i] + s.r_b * b[3 + i];
    const double u[3] = {b[0] - a[0] + n[1] * w[2] - n[2] * w[1], b[1] - a[1] + n[2] * w[0] - n[0] * w[2], b[2] - a[2] + n[0] * w[1] - n[1] * w[0]};
    v.N[r] = n[0] * u[0] + n[1] * u[1] + n[2] * u[2];
    v.T[r][0] = t[0] * u[0] + t[1] * u[1] + t[2] * u[2];
    v.T[r][1] = t2[0] * u[0] + t2[1] * u[1] + t2[2] * u[2];
  }
  return v;
}

template <int m>
Velocities<m> psi_of(const StageContact& s, const Coupling<m>& k, const double* c, const double* x) {
  const Velocities<m> y = increments<m>(s, x);
  Velocities<m> psi;
  for (int i = 0; i < m; ++i) {
    psi.N[i] = c[3 * i], psi.T[i][0] = c[3 * i + 1], psi.T[i][1] = c[3 * i + 2];
    for (int r = 0; r < m; ++r) {
      psi.N[i] += k.C[i][r] * y.N[r];
      psi.T[i][0] += k.D[i][r] * y.T[r][0], psi.T[i][1] += k.D[i][r] * y.T[r][1];
    }
  }
  return psi;
}

/// 0 <= q + C z, z >= 0, complementary. The set of the last solution is tried first.
template <int m>
void solve_normals(const Coupling<m>& k, const double* q, double* z) {
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

inline void project(double radius, double* T) {
  const double size2 = T[0] * T[0] + T[1] * T[1];
  if (size2 <= radius * radius) return;
  const double shrink = radius / std::sqrt(size2);
  T[0] *= shrink, T[1] *= shrink;
}

/// y_r += M^-1 W d_mu_r.
template <int m>
void apply(const StageContact& s, const double (&d)[m][3], double* x) {
  const double *n = s.n, *t = s.t;
  const double t2[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
  for (int r = 0; r < m; ++r) {
    double *a = x + std::size_t(s.a + r) * line_size, *b = x + std::size_t(s.b + r) * line_size;
    double P[3];
    for (int i = 0; i < 3; ++i) P[i] = d[r][0] * n[i] + d[r][1] * t[i] + d[r][2] * t2[i];
    const double turn[3] = {n[1] * P[2] - n[2] * P[1], n[2] * P[0] - n[0] * P[2], n[0] * P[1] - n[1] * P[0]};
    const double m_a = a[6], m_b = b[6], t_a = s.r_a * a[7], t_b = s.r_b * b[7];
    for (int i = 0; i < 3; ++i) a[i] -= m_a * P[i], b[i] += m_b * P[i];
    for (int i = 0; i < 3; ++i) a[3 + i] -= t_a * turn[i], b[3 + i] -= t_b * turn[i];
  }
}

template <int m>
void relax(const StageContact& s, const Coupling<m>& k, double omega, const double* c, double* mu, double* x) {
  const Velocities<m> psi = psi_of<m>(s, k, c, x);
  double q[m], z[m], d[m][3];
  for (int i = 0; i < m; ++i) {
    z[i] = mu[3 * i], q[i] = psi.N[i] * s.inv_G_N;
    for (int r = 0; r < m; ++r) q[i] -= k.C[i][r] * mu[3 * r];
  }
  solve_normals<m>(k, q, z);
  for (int i = 0; i < m; ++i) d[i][0] = omega * (z[i] - mu[3 * i]);
  for (int i = 0; i < m; ++i) {
    const double rho = omega * s.inv_G_T / k.D[i][i];
    double T[2];
    for (int l = 0; l < 2; ++l) {
      double v = psi.T[i][l];
      for (int r = 0; r < i; ++r) v += k.D[i][r] * d[r][1 + l] / s.inv_G_T;
      T[l] = mu[3 * i + 1 + l] - rho * v;
    }
    project(s.mu * (mu[3 * i] + d[i][0]), T);
    for (int l = 0; l < 2; ++l) d[i][1 + l] = T[l] - mu[3 * i + 1 + l];
  }
  for (int i = 0; i < m; ++i)
    for (int l = 0; l < 3; ++l) mu[3 * i + l] += d[i][l];
  apply<m>(s, d, x);
}

/// Squared local energy norms of the natural map and of mu. Step sizes 1 / G without the coefficients of the method
/// (6.18, 6.19 with rows g_N / h): then a residual means the same error in velocities for any number of stages.
template <int m>
void local_norms(const StageSphereProblem& problem, const Coupling<m>& k, double* sum) {
  const double* x = problem.bodies.x.data();
  const auto& copies = problem.bodies.copies;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const StageContact& s = problem.contacts[i];
    const double* mu = problem.mu.data() + i * m * 3;
    const Velocities<m> psi = psi_of<m>(s, k, problem.c.data() + i * m * 3, x);
    // The masses of the undivided bodies.
    const double w_a = 1. / copies[s.a], w_b = 1. / copies[s.b];
    const double *a = x + std::size_t(s.a) * line_size, *b = x + std::size_t(s.b) * line_size;
    const double G_N = w_a * a[6] + w_b * b[6];
    const double G_T = G_N + w_a * s.r_a * s.r_a * a[7] + w_b * s.r_b * s.r_b * b[7];
    for (int r = 0; r < m; ++r) {
      const double P_N = std::max(0., mu[3 * r] - psi.N[r] / G_N), F_N = mu[3 * r] - P_N;
      double T[2] = {mu[3 * r + 1] - psi.T[r][0] / G_T, mu[3 * r + 2] - psi.T[r][1] / G_T};
      project(s.mu * P_N, T);
      const double F_1 = mu[3 * r + 1] - T[0], F_2 = mu[3 * r + 2] - T[1];
      sum[0] += G_N * F_N * F_N + G_T * (F_1 * F_1 + F_2 * F_2);
      sum[1] += G_N * mu[3 * r] * mu[3 * r] + G_T * (mu[3 * r + 1] * mu[3 * r + 1] + mu[3 * r + 2] * mu[3 * r + 2]);
    }
  }
}

template <int m>
SolveReport solve(StageSphereProblem& problem, const SolverOptions& options) {
  const Coupling<m> coupling(problem);
  BodyExchange exchange(problem.bodies);
  double* x = problem.bodies.x.data();
  const auto range = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      relax<m>(problem.contacts[i], coupling, options.relaxation, problem.c.data() + i * m * 3, problem.mu.data() + i * m * 3, x);
  };
  const auto sweep = [&] {
    exchange.begin();
    range(0, problem.interface);
    exchange.reduce_start();
    range(problem.interface, problem.contacts.size());
    exchange.finish();
  };
  const auto residual = [&] {
    const PhaseScope phase(Phase::residual);
    double sum[3] = {0, 0, problem.stopping};
    local_norms<m>(problem, coupling, sum);
    MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_DOUBLE, MPI_SUM, problem.bodies.comm);
    const double scale = std::max(std::sqrt(sum[1]), velocity_floor * std::sqrt(sum[2]));
    return scale > 0 ? std::sqrt(sum[0]) / scale : 0.;
  };
  SolveReport report;
  const double start = residual();
  SolverOptions tighter = options;
  // Room for what the next evaluation of the gaps adds, so that it need not be followed by further sweeps.
  if (start > options.tolerance) tighter.tolerance *= 0.95;
  sweep_until_solved(report, tighter, residual, sweep, never);
  report.converged = report.residual <= options.tolerance;
  return report;
}

}  // namespace

SolveReport stage_gauss_seidel(StageSphereProblem& problem, const SolverOptions& options) {
  const PhaseScope phase(Phase::solve);
  switch (problem.m) {
    case 1: return solve<1>(problem, options);
    case 2: return solve<2>(problem, options);
    case 3: return solve<3>(problem, options);
  }
  throw RunError("the body view has at most 3 row stages");
}

}  // namespace percussion

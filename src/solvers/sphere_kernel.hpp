// One contact of two spheres, or of a sphere and a wall: the arithmetic inside all sweeps over sphere contacts.
//
//   v_rel = v_b - v_a + n x (r_a omega_a + r_b omega_b),   psi = v_rel + c
//   P_N := max(0, P_N - rho_N psi_N),   P_T := prox_{B(mu P_N)}(P_T - rho_T psi_T)            (Breuling 6.2, 6.3)
//
// P acts on b at -r_b n and on a at +r_a n, so both bodies get the angular increment -(r/Theta) n x dP.
// Everything is in I and three-dimensional; no branch on the kind of body, no trigonometry, no frame.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "assembly/inclusion_problem.hpp"

namespace percussion {

struct SphereVelocity {
  double psi_N;
  double psi_T[3];
};

inline SphereVelocity sphere_psi(const SphereContact& s, const double* x) {
  const double *a = x + std::size_t(s.a) * line_size, *b = x + std::size_t(s.b) * line_size;
  const double* n = s.n;
  double w[3], v[3];
  for (int i = 0; i < 3; ++i) w[i] = s.r_a * a[3 + i] + s.r_b * b[3 + i];
  v[0] = b[0] - a[0] + n[1] * w[2] - n[2] * w[1];
  v[1] = b[1] - a[1] + n[2] * w[0] - n[0] * w[2];
  v[2] = b[2] - a[2] + n[0] * w[1] - n[1] * w[0];
  const double v_N = n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
  return {v_N + s.c_N, {v[0] - v_N * n[0] + s.c_T[0], v[1] - v_N * n[1] + s.c_T[1], v[2] - v_N * n[2] + s.c_T[2]}};
}

/// x += M^-1 W dP on a slot array (x itself, or a sum of increments whose inverse masses are in `masses`).
inline void sphere_apply(const SphereContact& s, const double* dP, const double* masses, double* x) {
  const std::size_t i_a = std::size_t(s.a) * line_size, i_b = std::size_t(s.b) * line_size;
  double *a = x + i_a, *b = x + i_b;
  const double m_a = masses[i_a + 6], m_b = masses[i_b + 6];
  const double t_a = s.r_a * masses[i_a + 7], t_b = s.r_b * masses[i_b + 7];
  const double* n = s.n;
  const double turn[3] = {n[1] * dP[2] - n[2] * dP[1], n[2] * dP[0] - n[0] * dP[2], n[0] * dP[1] - n[1] * dP[0]};
  for (int i = 0; i < 3; ++i) a[i] -= m_a * dP[i], b[i] += m_b * dP[i];
  for (int i = 0; i < 3; ++i) a[3 + i] -= t_a * turn[i], b[3 + i] -= t_b * turn[i];
}

/// The fixed-point step from `old` for given step sizes: new percussion into P. Any contact with n and mu.
template <class Contact>
inline void sphere_prox(const Contact& s, const double* old, const SphereVelocity& psi, double rho_N, double rho_T, double* P) {
  const double* n = s.n;
  const double old_N = n[0] * old[0] + n[1] * old[1] + n[2] * old[2];
  const double P_N = std::max(0., old_N - rho_N * psi.psi_N);
  double T[3];
  for (int i = 0; i < 3; ++i) T[i] = old[i] - old_N * n[i] - rho_T * psi.psi_T[i];
  const double size2 = T[0] * T[0] + T[1] * T[1] + T[2] * T[2];
  const double radius = s.mu * P_N;
  // Without a branch, which is badly predicted: some contacts slip, others stick. 1 when they stick, since sqrt(r^2) = r.
  const double shrink = radius / std::sqrt(std::max({size2, radius * radius, std::numeric_limits<double>::min()}));
  for (int i = 0; i < 3; ++i) P[i] = P_N * n[i] + shrink * T[i];
}

/// Gauss-Seidel from Y, to which x belongs: P and the velocities of both bodies. Returns |P - Y|^2.
inline double sphere_relax(SphereContact& s, const double* Y, double omega, double* x) {
  double P[3], dP[3];
  sphere_prox(s, Y, sphere_psi(s, x), omega * s.inv_G_N, omega * s.inv_G_T, P);
  for (int i = 0; i < 3; ++i) dP[i] = P[i] - Y[i], s.P[i] = P[i];
  sphere_apply(s, dP, x, x);
  return dP[0] * dP[0] + dP[1] * dP[1] + dP[2] * dP[2];
}

}  // namespace percussion

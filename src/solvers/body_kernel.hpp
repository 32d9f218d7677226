// One contact of bodies of any shape: the arithmetic inside all sweeps over body contacts, and what spheres and bodies have
// in common, so that solvers can treat both alike.
//
//   v_rel = v_b + omega_b x r_b - v_a - omega_a x r_a,   psi = v_rel + c
//
// Normal and tangential directions are coupled here: the normal percussion is updated first, the tangential one sees the
// velocity that it leaves, with the step 1 / lambda_max of the tangential block. So each half step decreases the energy.
#pragma once
#include "solvers/sphere_kernel.hpp"

namespace percussion {

namespace detail {

inline void cross(const double* a, const double* b, double* c) {
  c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0];
}
/// y = J x for the six entries xx, xy, xz, yy, yz, zz of a symmetric J.
inline void symmetric(const double* J, const double* x, double* y) {
  y[0] = J[0] * x[0] + J[1] * x[1] + J[2] * x[2];
  y[1] = J[1] * x[0] + J[3] * x[1] + J[4] * x[2];
  y[2] = J[2] * x[0] + J[4] * x[1] + J[5] * x[2];
}
/// Velocity at the arm r that the percussion P at the same place gives a body: J (r x P) x r, and the spin J (r x P).
inline void response(const double* J, const double* r, const double* P, double* spin, double* v) {
  double torque[3];
  cross(r, P, torque);
  symmetric(J, torque, spin);
  cross(spin, r, v);
}

inline void relative_velocity(const BodyContact& s, const double* x, double* v) {
  const double *a = x + std::size_t(s.a) * line_size, *b = x + std::size_t(s.b) * line_size;
  double spin_a[3], spin_b[3];
  cross(a + 3, s.r_a, spin_a), cross(b + 3, s.r_b, spin_b);
  for (int i = 0; i < 3; ++i) v[i] = b[i] + spin_b[i] - a[i] - spin_a[i];
}

}  // namespace detail

inline SphereVelocity contact_psi(const BodyContact& s, const double* x) {
  double v[3];
  detail::relative_velocity(s, x, v);
  const double* n = s.n;
  const double v_N = n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
  return {v_N + s.c_N, {v[0] - v_N * n[0] + s.c_T[0], v[1] - v_N * n[1] + s.c_T[1], v[2] - v_N * n[2] + s.c_T[2]}};
}
inline SphereVelocity contact_psi(const SphereContact& s, const double* x) { return sphere_psi(s, x); }

/// x += M^-1 W dP; inverse masses are in `masses`, inverse inertias in the contact.
inline void contact_apply(const BodyContact& s, const double* dP, const double* masses, double* x) {
  const std::size_t i_a = std::size_t(s.a) * line_size, i_b = std::size_t(s.b) * line_size;
  const double m_a = masses[i_a + 6], m_b = masses[i_b + 6];
  double torque[3], spin_a[3], spin_b[3];
  detail::cross(s.r_a, dP, torque), detail::symmetric(s.J_a, torque, spin_a);
  detail::cross(s.r_b, dP, torque), detail::symmetric(s.J_b, torque, spin_b);
  double *a = x + i_a, *b = x + i_b;
  for (int i = 0; i < 3; ++i) a[i] -= m_a * dP[i], a[3 + i] -= spin_a[i];
  for (int i = 0; i < 3; ++i) b[i] += m_b * dP[i], b[3 + i] += spin_b[i];
}
inline void contact_apply(const SphereContact& s, const double* dP, const double* masses, double* x) { sphere_apply(s, dP, masses, x); }

/// Gauss-Seidel from Y, to which x belongs: P and the velocities of both bodies. Returns |P - Y|^2. Sweeps that do not start
/// from s.P itself pass a local array: what was just stored one by one is slow to load as a vector.
inline double contact_relax(BodyContact& s, const double* Y, double omega, double* x) {
  double v[3], spin_a[3], spin_b[3], v_a[3], v_b[3], T[3], dP[3];
  detail::relative_velocity(s, x, v);
  const double* n = s.n;
  const double old_N = n[0] * Y[0] + n[1] * Y[1] + n[2] * Y[2], v_N = n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
  const double P_N = std::max(0., old_N - omega * s.inv_G_N * (v_N + s.c_N)), d_N = P_N - old_N;
  detail::response(s.J_a, s.r_a, n, spin_a, v_a), detail::response(s.J_b, s.r_b, n, spin_b, v_b);
  for (int i = 0; i < 3; ++i) v[i] += d_N * (v_a[i] + v_b[i]);  // the part along n, masses included, drops out below
  const double new_N = n[0] * v[0] + n[1] * v[1] + n[2] * v[2], rho = omega * s.inv_G_T;
  for (int i = 0; i < 3; ++i) T[i] = Y[i] - old_N * n[i] - rho * (v[i] - new_N * n[i] + s.c_T[i]);
  const double size2 = T[0] * T[0] + T[1] * T[1] + T[2] * T[2], radius = s.mu * P_N;
  const double shrink = size2 > radius * radius ? radius / std::sqrt(size2) : 1.;
  for (int i = 0; i < 3; ++i) {
    const double P = P_N * n[i] + shrink * T[i];
    dP[i] = P - Y[i], s.P[i] = P;
  }
  contact_apply(s, dP, x, x);
  return dP[0] * dP[0] + dP[1] * dP[1] + dP[2] * dP[2];
}
inline double contact_relax(SphereContact& s, const double* Y, double omega, double* x) { return sphere_relax(s, Y, omega, x); }

/// Local Delassus entries with the share w of the inverse masses in x and in the contact: G_NN, and the largest
/// eigenvalue of the tangential block.
inline LocalDelassus local_delassus(const SphereContact& s, const double* x, double w_a, double w_b) {
  const double *a = x + std::size_t(s.a) * line_size, *b = x + std::size_t(s.b) * line_size;
  const double G_N = w_a * a[6] + w_b * b[6];
  return {G_N, G_N + w_a * s.r_a * s.r_a * a[7] + w_b * s.r_b * s.r_b * b[7]};
}
inline LocalDelassus local_delassus(const BodyContact& s, const double* x, double w_a, double w_b) {
  return body_delassus(s, w_a * x[std::size_t(s.a) * line_size + 6], w_b * x[std::size_t(s.b) * line_size + 6], w_a, w_b);
}

/// Lengths of the arms, and a row d of W^T and of (M^-1 W)^T on omega of a body.
inline double arm_a(const SphereContact& s) { return s.r_a; }
inline double arm_b(const SphereContact& s) { return s.r_b; }
inline double arm_a(const BodyContact& s) { return Eigen::Map<const Vec3>(s.r_a).norm(); }
inline double arm_b(const BodyContact& s) { return Eigen::Map<const Vec3>(s.r_b).norm(); }

struct AngularRow {
  Vec3 w, Mw;
};
inline AngularRow angular_row(const SphereContact& s, const Vec3& d, const double* x, bool of_b) {
  const Vec3 turn = (of_b ? s.r_b : s.r_a) * d.cross(Eigen::Map<const Vec3>(s.n));
  return {turn, turn * x[std::size_t(of_b ? s.b : s.a) * line_size + 7]};
}
inline AngularRow angular_row(const BodyContact& s, const Vec3& d, const double*, bool of_b) {
  const Vec3 turn = (of_b ? 1. : -1.) * Eigen::Map<const Vec3>(of_b ? s.r_b : s.r_a).cross(d);
  Vec3 Mw;
  detail::symmetric(of_b ? s.J_b : s.J_a, turn.data(), Mw.data());
  return {turn, Mw};
}

/// f(contact) for all contacts with a layout of their own: spheres, then bodies.
template <class Problem, class F>
void for_each_contact(Problem& problem, F&& f) {
  for (auto& s : problem.spheres) f(s);
  for (auto& s : problem.bodies) f(s);
}

}  // namespace percussion

// Convex force reservoirs and the equations that replace normal cone inclusions.
//
// A contact obeys psi_N in N_{R_0^-}(-P_N) and, per friction law, psi_F in N_{C(P_N)}(-P_F)
// (Breuling 6.1-6.3). This file is the only place that knows the shape of C. It provides
//   prox         projection on C                                   Breuling (2.29)
//   natural map  F = P + prox_C(rho psi - P)                       Breuling (6.4)
//   active set   F = psi on stick rows, P + boundary point else    Breuling (6.8)
// and one element of the generalized Jacobian of both maps, as needed by (6.10). All functions
// here are pure, inline and free of allocation: they may be called inside a sweep.
//
// A law is data: a FrictionSet says the kind and the radii r_i(P_N) = mu_i max(P_N, 0) + r0_i.
// mu > 0, r0 = 0 is Coulomb friction; mu = 0, r0 > 0 is a constant reservoir (a force: multiply it
// by the step with scaled_reservoir() where the unknown is a percussion).
//
// Kinds and laws: interval B_1 (planar Coulomb; pivoting (3.34); rolling (3.35)), disc B_2 (3.21),
// ball B_3 (Contensou after scaling, 3.39), rectangle B_1 x B_1 (3.33). Elliptic reservoirs are the
// disc or the ball after the scaling of math/friction_scaling.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "math/types.hpp"

namespace percussion {

enum class SetKind : std::uint8_t { interval, disc, ball, rectangle };

constexpr int max_friction_dim = 3;

constexpr int dimension(SetKind kind) {
  return kind == SetKind::interval ? 1 : kind == SetKind::ball ? 3 : 2;
}

std::string_view set_kind_name(SetKind kind);
SetKind set_kind_from_name(std::string_view text);  // throws std::invalid_argument

struct FrictionSet {
  SetKind kind = SetKind::disc;
  double mu[2] = {0.0, 0.0};  // the second entry is used by the rectangle only
  double r0[2] = {0.0, 0.0};

  int dim() const { return dimension(kind); }
  double radius(double P_N, int i = 0) const { return mu[i] * std::max(P_N, 0.0) + r0[i]; }
  // At P_N = 0 the right derivative, so that a closing contact feels its reservoir grow.
  double radius_dP_N(double P_N, int i = 0) const { return P_N >= 0.0 ? mu[i] : 0.0; }
};

// Checked constructors: finite, non-negative coefficients or std::invalid_argument.
FrictionSet coulomb_interval(double mu);
FrictionSet coulomb_disc(double mu);
FrictionSet coulomb_ball(double mu);
FrictionSet coulomb_rectangle(double mu_1, double mu_2);
FrictionSet constant_reservoir(SetKind kind, double r0_1, double r0_2 = 0.0);

// The same law where forces are integrated over time h: P_N scales itself, r0 does not.
inline FrictionSet scaled_reservoir(FrictionSet set, double h) {
  set.r0[0] *= h;
  set.r0[1] *= h;
  return set;
}

// ---- projections; r >= 0 ----

inline double project_nonpositive(double z) { return std::min(z, 0.0); }

inline double project_interval(double r, double z) { return std::clamp(z, -r, r); }

inline void project_disc(double r, double* z) {
  const double n2 = z[0] * z[0] + z[1] * z[1];
  if (n2 > r * r) {
    const double s = r / std::sqrt(n2);
    z[0] *= s;
    z[1] *= s;
  }
}

inline void project_ball(double r, double* z) {
  const double n2 = z[0] * z[0] + z[1] * z[1] + z[2] * z[2];
  if (n2 > r * r) {
    const double s = r / std::sqrt(n2);
    z[0] *= s;
    z[1] *= s;
    z[2] *= s;
  }
}

// z := prox_{C(P_N)}(z).
inline void prox(const FrictionSet& set, double P_N, double* z) {
  switch (set.kind) {
    case SetKind::interval: z[0] = project_interval(set.radius(P_N), z[0]); return;
    case SetKind::disc: project_disc(set.radius(P_N), z); return;
    case SetKind::ball: project_ball(set.radius(P_N), z); return;
    case SetKind::rectangle:
      z[0] = project_interval(set.radius(P_N, 0), z[0]);
      z[1] = project_interval(set.radius(P_N, 1), z[1]);
      return;
  }
}

// Is z in C(P_N), up to a distance tol?
inline bool contains(const FrictionSet& set, double P_N, const double* z, double tol = 0.0) {
  double n2 = 0.0;
  if (set.kind == SetKind::rectangle) {
    const double d0 = std::max(std::abs(z[0]) - set.radius(P_N, 0), 0.0);
    const double d1 = std::max(std::abs(z[1]) - set.radius(P_N, 1), 0.0);
    return d0 * d0 + d1 * d1 <= tol * tol;
  }
  for (int i = 0; i < set.dim(); ++i) n2 += z[i] * z[i];
  const double reach = set.radius(P_N) + tol;
  return n2 <= reach * reach;
}

// ---- the fixed-point step P := -prox(rho psi - P), the block all sweeps share ----

inline double prox_step_N(double rho, double psi_N, double P_N) {
  return std::max(P_N - rho * psi_N, 0.0);  // -project_nonpositive(...), without -0
}

// P_F in and out; P_N is the normal percussion that scales the reservoir.
inline void prox_step_F(const FrictionSet& set, double rho, const double* psi_F, double P_N, double* P_F) {
  const int n = set.dim();
  for (int i = 0; i < n; ++i) P_F[i] = rho * psi_F[i] - P_F[i];
  prox(set, P_N, P_F);
  for (int i = 0; i < n; ++i) P_F[i] = -P_F[i];
}

// ---- residuals without derivatives: what judges every solver ----

inline double natural_map_N(double rho, double psi_N, double P_N) {  // (6.4a)
  return P_N - prox_step_N(rho, psi_N, P_N);
}

inline void natural_map_F(const FrictionSet& set, double rho, const double* psi_F, double P_N,
                          const double* P_F, double* F) {  // (6.4b)
  const int n = set.dim();
  for (int i = 0; i < n; ++i) F[i] = P_F[i];
  prox_step_F(set, rho, psi_F, P_N, F);
  for (int i = 0; i < n; ++i) F[i] = P_F[i] - F[i];
}

// ---- residuals with one element of their generalized Jacobian ----

struct NormalMap {
  double F;
  double dF_dpsi_N, dF_dP_N;
  bool closed;  // rho psi_N - P_N in R_0^-
};

inline NormalMap natural_map_linearised_N(double rho, double psi_N, double P_N) {  // (6.4a)
  const bool closed = rho * psi_N - P_N <= 0.0;
  return closed ? NormalMap{rho * psi_N, rho, 0.0, true} : NormalMap{P_N, 0.0, 1.0, false};
}

inline NormalMap active_set_N(double rho, double psi_N, double P_N) {  // (6.8a)
  const bool closed = rho * psi_N - P_N <= 0.0;
  return closed ? NormalMap{psi_N, 1.0, 0.0, true} : NormalMap{P_N, 0.0, 1.0, false};
}

// Storage has the maximal size; entries beyond dim() are zero.
struct FrictionMap {
  Vec3 F = Vec3::Zero();
  Mat3 dF_dpsi_F = Mat3::Zero();
  Mat3 dF_dP_F = Mat3::Zero();
  Vec3 dF_dP_N = Vec3::Zero();
  std::uint8_t stick = 0;  // bit i: row i sticks, i.e. a_F = rho psi_F - P_F is inside C along row i
};

FrictionMap natural_map_linearised_F(const FrictionSet& set, double rho, const double* psi_F, double P_N,
                                     const double* P_F);  // (6.4b)
FrictionMap active_set_F(const FrictionSet& set, double rho, const double* psi_F, double P_N,
                         const double* P_F);  // (6.8b)

// Stick bits of active_set_F alone: the discrete state that says whether an active set is quiet.
std::uint8_t stick_rows(const FrictionSet& set, double rho, const double* psi_F, double P_N, const double* P_F);

}  // namespace percussion

// Scaling that turns elliptic reservoirs into balls (Breuling 3.29-3.32, 3.37-3.39).
//
// The law gamma_T in N_{E(mu P_N; a)}(-P_T) with semi-axes a_i mu P_N equals
//   gamma_F = diag(a) gamma_T,   P_F = diag(a)^-1 P_T,   gamma_F in N_{B(mu P_N)}(-P_F).
// Whoever builds W_F multiplies the friction velocities and their directions by a_i
// (scale_directions); solvers see balls only; output turns P_F back into true forces
// (true_friction). The work rate gamma . P is the same in both.
#pragma once

#include <stdexcept>

#include "math/friction_set.hpp"

namespace percussion {

struct FrictionScaling {
  Vec3 a = Vec3::Ones();  // a[i] in (0, 1] for sliding; a length for the pivoting row
};

// Sliding with coefficients mu_1, mu_2 along the axes of the ellipse: the larger one becomes mu.
struct EllipticFriction {
  FrictionSet set;
  FrictionScaling scaling;
};

inline EllipticFriction elliptic_disc(double mu_1, double mu_2) {
  const double mu = std::max(mu_1, mu_2);
  if (!(mu_1 > 0.0 && mu_2 > 0.0))
    throw std::invalid_argument("elliptic friction needs two coefficients > 0; use an interval for one direction");
  return {coulomb_disc(mu), {{mu_1 / mu, mu_2 / mu, 1.0}}};
}

// a_3 of Coulomb-Contensou friction for an assumed circular contact area of radius R.
inline double contensou_scale(double R) { return 3.0 / 16.0 * 3.14159265358979323846 * R; }

// Isotropic sliding coupled with pivoting, rows (t1, t2, n).
inline EllipticFriction contensou_ball(double mu, double R) {
  if (!(R > 0.0)) throw std::invalid_argument("Coulomb-Contensou friction needs a contact radius > 0");
  return {coulomb_ball(mu), {{1.0, 1.0, contensou_scale(R)}}};
}

// Rows of gamma_T and of its directions -> rows of gamma_F. `rows` is any dim x m matrix.
template <class Derived>
void scale_directions(const FrictionScaling& s, Eigen::MatrixBase<Derived>& rows) {
  for (Eigen::Index i = 0; i < rows.rows(); ++i) rows.row(i) *= s.a[i];
}

// Solver percussion P_F -> true friction percussion (P_T, P_P) = diag(a) P_F, in place.
inline void true_friction(const FrictionScaling& s, int dim, double* P_F) {
  for (int i = 0; i < dim; ++i) P_F[i] *= s.a[i];
}

// The inverse, for warm starts from stored true percussions.
inline void scaled_friction(const FrictionScaling& s, int dim, double* P_T) {
  for (int i = 0; i < dim; ++i) P_T[i] /= s.a[i];
}

}  // namespace percussion

// The equations of one Coulomb contact that Newton methods linearise: the map of Alart and Curnier (1991),
//
//   open (r_N <= rho_N u_N): r = 0;   else u_N = 0 and
//   stick (|z| <= R): u_T = 0;        slip: r_T = R z / |z|,   z = r_T - rho_T u_T
//
// R = mu r_N, or mu (r_N - rho_N u_N): the same at a solution, different on the way, and where one runs in circles the
// other often does not.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "math/types.hpp"

namespace percussion {

enum class SlipRadius : std::uint8_t { percussion, augmented };

/// What a contact needs besides u and r: friction coefficient, and the steps of the natural map.
struct ContactSteps {
  double mu, rho_N, rho_T;
};

/// F, dF/du and dF/dr of one block of three rows.
struct BlockEquation {
  Vec3 F;
  Mat3 A, B;
};

/// False if the contact is open: then the equation is r = 0, and `e` is not set.
inline bool alart_curnier(const ContactSteps& k, SlipRadius radius, const double* u, const double* r, BlockEquation& e) {
  const double z_N = r[0] - k.rho_N * u[0];
  if (!(z_N > 0)) return false;
  e.F = Eigen::Map<const Vec3>(u), e.A.setIdentity(), e.B.setZero();
  const double z_1 = r[1] - k.rho_T * u[1], z_2 = r[2] - k.rho_T * u[2], z = std::hypot(z_1, z_2);
  const bool augmented = radius == SlipRadius::augmented;
  const double R = k.mu * (augmented ? z_N : std::max(r[0], 0.));
  if (z <= R) return true;
  const Vec2 d(z_1 / z, z_2 / z);
  const Mat2 turn = R / z * (Mat2::Identity() - d * d.transpose());
  e.F.tail<2>() = Vec2(r[1], r[2]) - R * d;
  e.A.bottomRightCorner<2, 2>() = k.rho_T * turn;
  e.B.bottomRightCorner<2, 2>() = Mat2::Identity() - turn;
  e.B.bottomLeftCorner<2, 1>() = -k.mu * d;
  if (augmented) e.A.bottomLeftCorner<2, 1>() = k.mu * k.rho_N * d;
  return true;
}

}  // namespace percussion

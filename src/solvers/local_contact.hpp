// How a Gauss-Seidel sweep solves one Coulomb contact alone, u = A r + q with A its 3x3 block of W, the others held fixed:
//
//   exact       open, stick or slip by enumeration, slip by the one-contact quartic (solvers/one_contact.hpp)
//   newton      semismooth Newton method on the map of Alart and Curnier from the present r; `exact` where it fails
//   projection  one step r := proj_K(r - rho (u + mu |u_T| e_N)), K the friction cone, rho = 1 / largest eigenvalue of A
//
// Fixed points are the solutions with each of them; a step of `projection` costs least and a sweep with it gains least.
// omega is a factor on the change of r; beyond 1 the result is taken back into the cone, P_N first.
#pragma once
#include <cstdint>
#include <string_view>

#include "base/schema.hpp"
#include "solvers/alart_curnier.hpp"
#include "solvers/one_contact.hpp"

namespace percussion {

enum class LocalSolver : std::uint8_t { exact, newton, projection };

/// The key `local` of solvers that sweep, and its value.
void add_local_solver(Schema& schema);
LocalSolver local_solver(const Parameters& p);

/// z := the point of the friction cone |z_T| <= mu z_N closest to z.
inline void project_on_friction_cone(double mu, double* z) {
  const double T = std::hypot(z[1], z[2]);
  if (T <= mu * z[0]) return;
  const double N = mu * T <= -z[0] ? 0. : (z[0] + mu * T) / (1 + mu * mu), shrink = N > 0 ? mu * N / T : 0.;
  z[0] = N, z[1] *= shrink, z[2] *= shrink;
}

class LocalContact {
 public:
  /// A by columns; must live as long as this.
  LocalContact(LocalSolver solver, const double* A, double mu);

  /// r is the start and becomes the solution; `lambda` is kept from sweep to sweep, 0 at first.
  void solve(const double* q, double omega, double& lambda, double* r) const {
    const double r_N = r[0], r_1 = r[1], r_2 = r[2];
    if (solver_ == LocalSolver::projection)
      project(q, r);
    else if (solver_ == LocalSolver::exact || !newton(q, r))
      exact_.solve(steps_.mu, q, lambda, r);
    if (omega == 1) return;
    r[0] = r_N + omega * (r[0] - r_N), r[1] = r_1 + omega * (r[1] - r_1), r[2] = r_2 + omega * (r[2] - r_2);
    if (omega > 1) take_back(r);
  }

  /// 1 / A_NN and 1 / (largest eigenvalue of the friction part of A), 1 where that is zero.
  double rho_N() const { return steps_.rho_N; }
  double rho_T() const { return steps_.rho_T; }

 private:
  void project(const double* q, double* r) const;
  bool newton(const double* q, double* r) const;
  void take_back(double* r) const {
    r[0] = std::max(r[0], 0.);
    const double T = std::hypot(r[1], r[2]), R = steps_.mu * r[0];
    if (T > R) r[1] *= R / T, r[2] *= R / T;
  }

  const double* A_;
  OneContact exact_;
  ContactSteps steps_;
  double rho_;  ///< of the projection
  LocalSolver solver_;
};

}  // namespace percussion

#include "solvers/local_contact.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "base/parameters.hpp"

namespace percussion {

namespace {

constexpr int most_steps = 10;
constexpr double rounding = 1e-13;  // of |r|: a Newton step below it changes nothing

double step_N(const double* A) { return A[0] > 0 ? 1 / A[0] : 1.; }

double step_T(const double* A) {
  const double middle = 0.5 * (A[4] + A[8]), largest = middle + std::hypot(0.5 * (A[4] - A[8]), 0.5 * (A[5] + A[7]));
  return largest > 0 ? 1 / largest : 1.;
}

double step_of_all(const double* A) {
  const Eigen::Map<const Mat3> M(A);
  Eigen::SelfAdjointEigenSolver<Mat3> eigen;
  eigen.computeDirect(0.5 * (M + M.transpose()), Eigen::EigenvaluesOnly);
  return eigen.eigenvalues()[2] > 0 ? 1 / eigen.eigenvalues()[2] : 1.;
}

}  // namespace

void add_local_solver(Schema& schema) {
  schema.text("local").one_of({"exact", "newton", "projection"}).fallback("exact").doc(
      "how a Coulomb contact of the assembled view is solved alone: by enumeration of its states, by a local Newton method, or by one projection on its cone");
}

LocalSolver local_solver(const Parameters& p) {
  const std::string name = p.text("local");
  return name == "newton" ? LocalSolver::newton : name == "projection" ? LocalSolver::projection : LocalSolver::exact;
}

LocalContact::LocalContact(LocalSolver solver, const double* A, double mu)
    : A_(A), exact_(A), steps_{mu, step_N(A), step_T(A)}, rho_(solver == LocalSolver::projection ? step_of_all(A) : 0.), solver_(solver) {}

void LocalContact::project(const double* q, double* r) const {
  const Vec3 u = Eigen::Map<const Mat3>(A_) * Eigen::Map<const Vec3>(r) + Eigen::Map<const Vec3>(q);
  r[0] -= rho_ * (u[0] + steps_.mu * std::hypot(u[1], u[2])), r[1] -= rho_ * u[1], r[2] -= rho_ * u[2];
  project_on_friction_cone(steps_.mu, r);
}

/// False if it does not converge: then r is anything.
bool LocalContact::newton(const double* q, double* r) const {
  const Eigen::Map<const Mat3> A(A_);
  Eigen::Map<Vec3> r_now(r);
  if (!(A_[0] > 0)) return false;
  BlockEquation e;
  for (int step = 0; step < most_steps; ++step) {
    const Vec3 u = A * r_now + Eigen::Map<const Vec3>(q);
    if (!alart_curnier(steps_, SlipRadius::augmented, u.data(), r, e)) {
      if (r_now.isZero(0.)) return true;  // open with r = 0 and u_N >= 0
      r_now.setZero();
      continue;
    }
    const Vec3 d = (e.A * A + e.B).inverse() * e.F;
    if (!d.allFinite()) return false;
    r_now -= d;
    if (d.squaredNorm() <= rounding * rounding * r_now.squaredNorm()) return r[0] >= 0 && std::hypot(r[1], r[2]) <= steps_.mu * r[0] * (1 + 1e-12);
  }
  return false;
}

}  // namespace percussion

#include "solvers/contact_newton.hpp"

#include <algorithm>
#include <cmath>

namespace percussion {

ContactNewton::ContactNewton(const ContactBlocks& blocks)
    : blocks_(blocks), factor_(blocks), closed_(blocks.size(), 1), equation_(blocks.size()), dr_(blocks.r().size()) {}

void ContactNewton::linearise(std::int32_t k, SlipRadius radius, const double* u, const double* r) {
  BlockEquation& e = equation_[k];
  const double mu = blocks_.mu(k), z_N = r[0] - blocks_.rho_N(k) * u[0];
  closed_[k] = blocks_.bilateral(k) || z_N > 0;
  if (!closed_[k]) return;
  e.F = Eigen::Map<const Vec3>(u), e.A.setIdentity(), e.B.setZero();
  if (blocks_.bilateral(k)) return;
  const double rho = blocks_.rho_T(k), z_1 = r[1] - rho * u[1], z_2 = r[2] - rho * u[2], z = std::hypot(z_1, z_2);
  const bool augmented = radius == SlipRadius::augmented;
  const double R = mu * (augmented ? z_N : std::max(r[0], 0.));
  if (z <= R) return;
  const Vec2 d(z_1 / z, z_2 / z);
  const Mat2 turn = R / z * (Mat2::Identity() - d * d.transpose());
  e.F.tail<2>() = Vec2(r[1], r[2]) - R * d;
  e.A.bottomRightCorner<2, 2>() = rho * turn;
  e.B.bottomRightCorner<2, 2>() = Mat2::Identity() - turn;
  e.B.bottomLeftCorner<2, 1>() = -mu * d;
  if (augmented) e.A.bottomLeftCorner<2, 1>() = mu * blocks_.rho_N(k) * d;
}

bool ContactNewton::step(double eps, SlipRadius radius, const std::vector<double>& u, std::vector<double>& r) {
  for (std::int32_t k = 0; k < blocks_.size(); ++k) linearise(k, radius, u.data() + 3 * k, r.data() + 3 * k);
  if (!factor_.factorise(closed_, equation_, eps)) return false;
  for (std::int32_t k = 0; k < blocks_.size(); ++k) {
    Eigen::Map<Vec3> rhs(dr_.data() + 3 * k);
    if (!closed_[k]) continue;
    Vec3 opened = Vec3::Zero();  // velocities that come from percussions of open contacts going to zero
    for (std::int32_t e = blocks_.begin(k); e < blocks_.end(k); ++e)
      if (const std::int32_t l = blocks_.column(e); !closed_[l]) opened += Eigen::Map<const Mat3>(blocks_.block(e)) * Eigen::Map<const Vec3>(r.data() + 3 * l);
    rhs = equation_[k].A * opened - equation_[k].F;
  }
  factor_.solve(dr_);
  if (!std::ranges::all_of(dr_, [](double x) { return std::isfinite(x); })) return false;
  for (std::int32_t k = 0; k < blocks_.size(); ++k)
    for (int i = 3 * k; i < 3 * k + 3; ++i) r[i] = closed_[k] ? r[i] + dr_[i] : 0.;
  return true;
}

void ContactNewton::project(const std::vector<double>& u, std::vector<double>& r) const {
  for (std::int32_t k = 0; k < blocks_.size(); ++k) {
    if (blocks_.bilateral(k)) continue;
    double* r_k = r.data() + 3 * k;
    r_k[0] = r_k[0] > blocks_.rho_N(k) * u[3 * k] ? std::max(r_k[0], 0.) : 0.;
    const double T = std::hypot(r_k[1], r_k[2]), R = blocks_.mu(k) * r_k[0];
    if (T > R) r_k[1] *= R / T, r_k[2] *= R / T;
  }
}

double ContactNewton::cost() const {
  // Measured in nanoseconds of one core: only the ratio counts.
  const double n = blocks_.size(), entries = static_cast<double>(blocks_.entries());
  return (60 * n + 15 * entries + factor_.work() / 14) / (12 * n + 2 * entries);
}

}  // namespace percussion

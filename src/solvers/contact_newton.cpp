#include "solvers/contact_newton.hpp"

#include <algorithm>
#include <cmath>

namespace percussion {

ContactNewton::ContactNewton(const ContactBlocks& blocks)
    : blocks_(blocks), factor_(blocks), closed_(blocks.size(), 1), equation_(blocks.size()), dr_(blocks.r().size()) {}

void ContactNewton::linearise(std::int32_t k, SlipRadius radius, const double* u, const double* r) {
  BlockEquation& e = equation_[k];
  closed_[k] = true;
  if (blocks_.bilateral(k))
    e.F = Eigen::Map<const Vec3>(u), e.A.setIdentity(), e.B.setZero();
  else
    closed_[k] = alart_curnier(blocks_.steps(k), radius, u, r, e);
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
    const ContactSteps steps = blocks_.steps(k);
    double* r_k = r.data() + 3 * k;
    r_k[0] = r_k[0] > steps.rho_N * u[3 * k] ? std::max(r_k[0], 0.) : 0.;
    const double T = std::hypot(r_k[1], r_k[2]), R = steps.mu * r_k[0];
    if (T > R) r_k[1] *= R / T, r_k[2] *= R / T;
  }
}

double ContactNewton::cost() const {
  // Measured in nanoseconds of one core: only the ratio counts.
  const double n = blocks_.size(), entries = static_cast<double>(blocks_.entries());
  return (60 * n + 15 * entries + factor_.work() / 14) / (12 * n + 2 * entries);
}

}  // namespace percussion

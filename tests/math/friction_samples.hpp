// Sets, random points and an independent description of the sets for the friction tests: membership
// and support function are written from the definitions (Breuling 3.22, 3.33), not taken from src.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "math/friction_set.hpp"

namespace friction_samples {

using percussion::FrictionSet;
using percussion::SetKind;
using percussion::Vec3;

inline std::vector<FrictionSet> sets() {
  using namespace percussion;
  FrictionSet mixed = coulomb_disc(0.4);
  mixed.r0[0] = 0.2;
  return {coulomb_interval(0.3), coulomb_disc(0.5), coulomb_ball(0.7), coulomb_rectangle(0.3, 0.9), mixed,
          constant_reservoir(SetKind::interval, 0.8), constant_reservoir(SetKind::disc, 1.3),
          constant_reservoir(SetKind::ball, 0.6), constant_reservoir(SetKind::rectangle, 0.5, 0.2),
          coulomb_disc(0.0), coulomb_rectangle(0.5, 0.0)};
}

struct Sampler {
  explicit Sampler(unsigned seed) : engine(seed) {}
  std::mt19937 engine;
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); }
  Vec3 vec(int dim, double size) {
    Vec3 v = Vec3::Zero();
    for (int i = 0; i < dim; ++i) v[i] = uniform(-size, size);
    return v;
  }
};

inline bool is_box(const FrictionSet& set) { return set.kind == SetKind::rectangle || set.kind == SetKind::interval; }

inline double r_of(const FrictionSet& set, double P_N, int i) {
  const int k = set.kind == SetKind::rectangle ? i : 0;
  return set.mu[k] * (P_N > 0 ? P_N : 0.0) + set.r0[k];
}

inline bool in_set(const FrictionSet& set, double P_N, const Vec3& x, double slack = 0.0) {
  if (!is_box(set)) return x.norm() <= r_of(set, P_N, 0) + slack;
  for (int i = 0; i < set.dim(); ++i)
    if (std::abs(x[i]) > r_of(set, P_N, i) + slack) return false;
  return true;
}

// sup over y in C of psi . y; psi is in the normal cone of x in C if and only if psi . x attains it.
inline double support(const FrictionSet& set, double P_N, const Vec3& psi) {
  if (!is_box(set)) return r_of(set, P_N, 0) * psi.norm();
  double s = 0.0;
  for (int i = 0; i < set.dim(); ++i) s += r_of(set, P_N, i) * std::abs(psi[i]);
  return s;
}

inline double diameter(const FrictionSet& set, double P_N) {
  if (!is_box(set)) return 2 * r_of(set, P_N, 0);
  double s = 0.0;
  for (int i = 0; i < set.dim(); ++i) s += std::pow(2 * r_of(set, P_N, i), 2);
  return std::sqrt(s);
}

// A random point of C by rejection from its bounding box.
inline Vec3 point_in(const FrictionSet& set, double P_N, Sampler& s) {
  for (;;) {
    Vec3 x = Vec3::Zero();
    for (int i = 0; i < set.dim(); ++i) x[i] = s.uniform(-1, 1) * r_of(set, P_N, i);
    if (in_set(set, P_N, x)) return x;
  }
}

}  // namespace friction_samples

#include "contact/convex_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/expanding_polytope.hpp"

namespace percussion {

namespace {

constexpr int most_iterations = 100;
constexpr double touching = 1e-7;  // of the size: below, the direction of a distance has lost too many digits

struct Simplex {
  std::array<DifferencePoint, 4> p;
  std::array<double, 4> lambda;
  int n = 0;
};

/// The point of the affine hull of the chosen corners nearest to the origin, if it lies within them.
bool nearest_within(const std::array<DifferencePoint, 4>& p, std::span<const int> chosen, std::array<double, 4>& lambda) {
  const Vec3& o = p[chosen[0]].w;
  switch (chosen.size()) {
    case 1: lambda[0] = 1; return true;
    case 2: {
      const Vec3 e = p[chosen[1]].w - o;
      const double t = -o.dot(e) / e.squaredNorm();
      lambda[0] = 1 - t, lambda[1] = t;
      break;
    }
    case 3: {
      const Vec3 e = p[chosen[1]].w - o, f = p[chosen[2]].w - o;
      const Vec3 n = e.cross(f);
      const double size = n.squaredNorm();
      if (!(size > 1e-24 * e.squaredNorm() * f.squaredNorm())) return false;
      lambda[1] = n.dot(f.cross(o)) / size, lambda[2] = n.dot(o.cross(e)) / size;
      lambda[0] = 1 - lambda[1] - lambda[2];
      break;
    }
    default: {
      const Vec3 e = p[chosen[1]].w - o, f = p[chosen[2]].w - o, g = p[chosen[3]].w - o;
      const double volume = e.dot(f.cross(g));
      if (!(std::abs(volume) > 1e-14 * e.norm() * f.norm() * g.norm())) return false;
      lambda[1] = -o.dot(f.cross(g)) / volume, lambda[2] = -o.dot(g.cross(e)) / volume, lambda[3] = -o.dot(e.cross(f)) / volume;
      lambda[0] = 1 - lambda[1] - lambda[2] - lambda[3];
    }
  }
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (!(lambda[i] >= 0)) return false;
  return true;
}

/// Reduces the simplex to the corners that span its point nearest to the origin; returns that point.
Vec3 reduce(Simplex& s) {
  double best = std::numeric_limits<double>::infinity();
  Simplex result;
  Vec3 nearest = Vec3::Zero();
  for (unsigned set = 1; set < 1u << s.n; ++set) {
    std::array<int, 4> chosen;
    std::size_t count = 0;
    for (int i = 0; i < s.n; ++i)
      if (set >> i & 1) chosen[count++] = i;
    std::array<double, 4> lambda;
    if (!nearest_within(s.p, std::span(chosen.data(), count), lambda)) continue;
    Vec3 v = Vec3::Zero();
    for (std::size_t i = 0; i < count; ++i) v += lambda[i] * s.p[chosen[i]].w;
    if (count == 4) v.setZero();  // inside: rounding must not compete with the faces
    if (!(v.squaredNorm() < best)) continue;
    best = v.squaredNorm(), nearest = v;
    result.n = static_cast<int>(count), result.lambda = lambda;
    for (std::size_t i = 0; i < count; ++i) result.p[i] = s.p[chosen[i]];
  }
  s = result;
  return nearest;
}

}  // namespace

ConvexDistance convex_distance(const Convex& a, const Convex& b) {
  const double size = a.scale * a.shape->radius + b.scale * b.shape->radius;
  Simplex s;
  Vec3 v = b.x - a.x;
  if (!(v.squaredNorm() > 0)) v = Vec3::UnitX();
  s.p[s.n++] = difference_point(a, b, -v);
  v = reduce(s);
  for (int k = 0; k < most_iterations; ++k) {
    const double d2 = v.squaredNorm();
    if (s.n == 4 || d2 <= touching * touching * size * size) break;
    const DifferencePoint next = difference_point(a, b, -v);
    // No point of the difference is nearer than v.w / |v|.
    if (d2 - v.dot(next.w) <= 1e-14 * d2 + 1e-15 * size * std::sqrt(d2)) break;
    if (std::any_of(s.p.begin(), s.p.begin() + s.n, [&](const DifferencePoint& p) { return p.w == next.w; })) break;
    s.p[s.n++] = next;
    const Vec3 better = reduce(s);
    if (!(better.squaredNorm() < d2)) break;
    v = better;
  }
  const double distance = v.norm();
  if (s.n == 4 || distance <= touching * size) return overlap_depth(a, b, std::span(s.p.data(), s.n));
  ConvexDistance result{distance, v / distance, Vec3::Zero(), Vec3::Zero()};
  for (int i = 0; i < s.n; ++i) result.on_a += s.lambda[i] * s.p[i].a, result.on_b += s.lambda[i] * s.p[i].b;
  return result;
}

}  // namespace percussion

#include "contact/obstacles.hpp"

#include <algorithm>

namespace percussion {

namespace {

template <class F>
double largest_at_corners(const Vec3& lower, const Vec3& upper, F&& f) {
  double most = 0;
  for (int k = 0; k < 8; ++k) most = std::max(most, f(Vec3(k & 1 ? upper[0] : lower[0], k & 2 ? upper[1] : lower[1], k & 4 ? upper[2] : lower[2])));
  return most;
}

}  // namespace

void Obstacles::add(Revolution wall, const WallMotion& motion, const SurfaceLaw& law, std::int32_t input) {
  const std::int32_t first = empty() ? 0 : entries_.back().first + entries_.back().size;
  entries_.push_back({wall, motion, law, input, first, 1, motion.at(0), motion.at(0)});
}

void Obstacles::add(std::shared_ptr<const MeshWall> wall, const WallMotion& motion, const SurfaceLaw& law, std::int32_t input) {
  const std::int32_t first = empty() ? 0 : entries_.back().first + entries_.back().size, size = wall->size();
  entries_.push_back({std::move(wall), motion, law, input, first, size, motion.at(0), motion.at(0)});
}

const Obstacles::Entry& Obstacles::entry(std::int32_t surface) const {
  const auto next = std::upper_bound(entries_.begin(), entries_.end(), surface, [](std::int32_t s, const Entry& e) { return s < e.first; });
  return *(next - 1);
}

bool Obstacles::turn() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const Entry& e) { return e.law.turns(); });
}

void Obstacles::place(double t, double t_velocity) {
  for (Entry& e : entries_) {
    if (e.motion.is_fixed()) continue;
    e.pose = e.motion.at(t);
    if (t_velocity == t) continue;
    const WallPose later = e.motion.at(t_velocity);
    e.pose.v = later.v, e.pose.omega = later.omega;
  }
}

void Obstacles::contacts(std::int32_t surface, const Convex& a, double threshold, Manifold& manifold) const {
  const Entry& e = entry(surface);
  const Convex local{a.shape, a.scale, e.pose.to_wall(a.x), e.pose.A.transpose() * a.A};
  if (const Revolution* wall = std::get_if<Revolution>(&e.wall)) {
    revolution_contacts(*wall, local, threshold, manifold);
  } else {
    std::get<1>(e.wall)->contacts(surface - e.first, local, threshold, manifold);
  }
  if (e.motion.is_fixed()) return;
  for (int k = 0; k < manifold.size(); ++k) {
    ManifoldPoint& p = manifold[k];
    p.n = e.pose.A * p.n, p.on_a = e.pose.A * p.on_a + e.pose.r, p.on_b = e.pose.A * p.on_b + e.pose.r;
  }
}

void Obstacles::mark() {
  for (Entry& e : entries_) e.marked = e.pose;
}

double Obstacles::displacement(const Vec3& lower, const Vec3& upper) const {
  double most = 0;
  for (const Entry& e : entries_) {
    if (e.motion.is_fixed()) continue;
    if (const Revolution* wall = std::get_if<Revolution>(&e.wall)) {
      const auto placed = [&](const WallPose& pose) {
        Revolution w = *wall;
        w.point = pose.A * w.point + pose.r, w.axis = pose.A * w.axis;
        return w;
      };
      most = std::max(most, percussion::displacement(placed(e.marked), placed(e.pose)));
    } else {
      // The motion of points is affine: the largest is at a corner of the box.
      most = std::max(most, largest_at_corners(lower, upper, [&](const Vec3& x) { return (e.pose.A * e.marked.to_wall(x) + e.pose.r - x).norm(); }));
    }
  }
  return most;
}

double Obstacles::speed(const Vec3& lower, const Vec3& upper) const {
  double most = 0;
  for (const Entry& e : entries_) most = std::max(most, largest_at_corners(lower, upper, [&](const Vec3& x) { return e.pose.velocity_at(x).norm(); }));
  return most;
}

}  // namespace percussion

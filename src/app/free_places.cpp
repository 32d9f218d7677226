#include "app/free_places.hpp"

#include <algorithm>

#include "contact/manifold.hpp"

namespace percussion {

namespace {

/// Bodies, in a periodic box with all images, that overlap the box of the corners widened by `largest`.
std::vector<Ball> balls_near(const System& system, const Vec3& lower, const Vec3& upper, double largest, std::span<const std::uint8_t> gone) {
  std::vector<Ball> near;
  const PeriodicBox& box = system.periodic;
  for (std::int32_t i = 0; i < system.nodes.owned(); ++i) {
    if (!is_detectable(system.nodes[i]) || gone[i]) continue;
    Ball ball = ball_of(system.nodes, system.nodes.q(), i);
    box.wrap(ball.x);
    int first[3], last[3];
    for (int k = 0; k < 3; ++k) first[k] = box.is_periodic(k) ? -1 : 0, last[k] = -first[k];
    for (int a = first[0]; a <= last[0]; ++a)
      for (int b = first[1]; b <= last[1]; ++b)
        for (int c = first[2]; c <= last[2]; ++c) {
          const Ball image{{ball.x[0] + a * box.length[0], ball.x[1] + b * box.length[1], ball.x[2] + c * box.length[2]}, ball.r};
          bool meets = true;
          for (int k = 0; k < 3; ++k) meets = meets && image.x[k] + ball.r >= lower[k] - largest && image.x[k] - ball.r <= upper[k] + largest;
          if (meets) near.push_back(image);
        }
  }
  return near;
}

/// Cells as large as two of the largest balls.
CellGrid grid_of(const std::vector<Ball>& balls, double largest) {
  for (const Ball& ball : balls) largest = std::max(largest, ball.r);
  return {balls, 2 * largest};
}

}  // namespace

FreePlaces::FreePlaces(const System& system, const Vec3& lower, const Vec3& upper, double largest, std::span<const std::uint8_t> gone)
    : system_(system), grid_(grid_of(balls_near(system, lower, upper, largest, gone), largest)) {}

bool FreePlaces::is_free(const Vec3& x, double r) const {
  if (meets_wall(x, r)) return false;
  bool free = true;
  if (grid_.size() > 0) grid_.for_each_near({{x[0], x[1], x[2]}, r}, [&](std::int32_t) { free = false; });
  return free;
}

bool FreePlaces::meets_wall(const Vec3& x, double r) const {
  for (const Plane& p : system_.planes)
    if (Eigen::Map<const Vec3>(p.n).dot(x) - p.offset < r) return true;
  static const Shape unit = sphere_shape(1.);
  const Obstacles& obstacles = system_.walls.obstacles;
  bool meets = false;
  Manifold manifold;
  obstacles.for_each_near(x, r, [&](std::int32_t surface) {
    obstacles.contacts(surface, {&unit, r, x, Mat3::Identity()}, 0., manifold);
    meets = meets || manifold.size() > 0;
  });
  return meets;
}

bool are_apart(const PeriodicBox& box, const Vec3& x, double r, const Vec3& y, double s) {
  Vec3 near = y;
  box.to_nearest(x.data(), near.data());
  return (near - x).squaredNorm() > (r + s) * (r + s);
}

}  // namespace percussion

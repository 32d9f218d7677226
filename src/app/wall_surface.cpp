#include "app/wall_surface.hpp"

#include "math/rotation.hpp"

namespace percussion {

namespace {

using Polygon = std::vector<Vec3>;

Vec3 normal(const Plane& plane) {
  return Eigen::Map<const Vec3>(plane.n);
}

/// The part with n.x >= offset (one step of Sutherland and Hodgman's clipping).
Polygon cut(const Polygon& polygon, const Vec3& n, double offset) {
  Polygon result;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const double d_a = n.dot(a) - offset, d_b = n.dot(b) - offset;
    if (d_a >= 0) result.push_back(a);
    if ((d_a < 0) != (d_b < 0)) result.push_back(a + d_a / (d_a - d_b) * (b - a));
  }
  return result;
}

Vec3 corner(const SceneBox& e, int i) {
  return {i & 1 ? e.upper[0] : e.lower[0], i & 2 ? e.upper[1] : e.lower[1], i & 4 ? e.upper[2] : e.lower[2]};
}

/// The extent grown until it touches every plane of the wall: a floor far below the bodies is drawn, too.
SceneBox reaching(const SceneBox& bodies, const Walls& walls, const std::vector<Plane>& planes,
                  std::int32_t wall) {
  SceneBox result = bodies;
  int count = 0;
  for (std::size_t k = 0; k < planes.size(); ++k) {
    if (walls.wall_of[k] != wall) continue;
    ++count;
    const Vec3 n = normal(planes[k]);
    for (int i = 0; i < 8; ++i) {
      const Vec3 x = corner(bodies, i);
      result.include(x - (n.dot(x) - planes[k].offset) * n);
    }
  }
  const double margin = 0.1 * (bodies.upper - bodies.lower).norm();
  if (count == 1) result.lower.array() -= margin, result.upper.array() += margin;
  return result;
}

}  // namespace

std::vector<Vec3> plane_polygon(const Walls& walls, const std::vector<Plane>& planes, std::size_t k,
                                const SceneBox& extent) {
  if (extent.is_empty()) return {};
  const SceneBox box = reaching(extent, walls, planes, walls.wall_of[k]);
  const Vec3 n = normal(planes[k]), middle = 0.5 * (box.lower + box.upper);
  const Vec3 centre = middle - (n.dot(middle) - planes[k].offset) * n;
  const double size = (box.upper - box.lower).norm();
  const auto t = tangent_frame<double>(n);
  Polygon polygon;
  for (const auto& [x, y] : {std::pair(-1., -1.), {1., -1.}, {1., 1.}, {-1., 1.}})
    polygon.push_back(centre + size * (x * t.col(0) + y * t.col(1)));

  for (int i = 0; i < 3; ++i) {
    // The box touches the plane: rounding must not cut it away.
    const double slack = 1e-9 * size;
    polygon = cut(polygon, Vec3::Unit(i), box.lower[i] - slack);
    polygon = cut(polygon, -Vec3::Unit(i), -box.upper[i] - slack);
  }
  for (std::size_t j = 0; j < planes.size(); ++j)
    if (j != k && walls.wall_of[j] == walls.wall_of[k])
      polygon = cut(polygon, normal(planes[j]), planes[j].offset);
  return polygon;
}

}  // namespace percussion

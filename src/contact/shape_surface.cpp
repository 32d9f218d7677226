#include "contact/shape_surface.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace percussion {

namespace {

/// Adds a body of revolution about z: rings of radius rho at height z, from bottom to top. Radius 0: a point.
struct Ring {
  double rho, z;
};
void add_revolution(const std::vector<Ring>& rings, int segments, const Vec3& centre, ShapeSurface& out) {
  std::vector<std::int32_t> below;
  for (const Ring& ring : rings) {
    std::vector<std::int32_t> here;
    for (int k = 0; k < (ring.rho > 0 ? segments : 1); ++k) {
      const double phi = 2 * std::numbers::pi * k / segments;
      here.push_back(static_cast<std::int32_t>(out.points.size()));
      out.points.push_back(centre + Vec3(ring.rho * std::cos(phi), ring.rho * std::sin(phi), ring.z));
    }
    const auto at = [&](const std::vector<std::int32_t>& row, int k) { return row[row.size() == 1 ? 0 : k % segments]; };
    for (int k = 0; !below.empty() && k < segments; ++k) {
      std::vector<std::int32_t> polygon;
      for (const std::int32_t v : {at(below, k), at(below, k + 1), at(here, k + 1), at(here, k)})
        if (polygon.empty() || (polygon.back() != v && polygon.front() != v)) polygon.push_back(v);
      if (polygon.size() >= 3) out.polygons.push_back(std::move(polygon));
    }
    below = std::move(here);
  }
}

/// A sphere cut at its equator and pulled apart by 2 half_length.
void add_ball(double r, double half_length, int segments, const Vec3& centre, ShapeSurface& out) {
  std::vector<Ring> rings;
  const int quarter = segments / 4 + 1;
  for (const int side : {-1, 1})
    for (int k = 0; k <= quarter; ++k) {
      const double angle = 0.5 * std::numbers::pi * (side < 0 ? quarter - k : k) / quarter;
      if (side > 0 && k == 0 && half_length == 0) continue;
      const bool pole = side < 0 ? k == 0 : k == quarter;
      rings.push_back({pole ? 0. : r * std::cos(angle), side * (half_length + r * std::sin(angle))});
    }
  add_revolution(rings, segments, centre, out);
}

/// Columns: two directions across the axis, from which angles are counted, and the axis.
Mat3 frame_of(const Revolution& wall) {
  Mat3 frame;
  frame << tangent_frame<double>(wall.axis), wall.axis;
  return frame;
}

}  // namespace

ShapeSurface surface(const Shape& shape, int segments) {
  ShapeSurface out;
  switch (shape.kind) {
    case ShapeKind::sphere: add_ball(shape.radius, 0, segments, Vec3::Zero(), out); break;
    case ShapeKind::capsule: add_ball(shape.core_radius, shape.half_length, segments, Vec3::Zero(), out); break;
    case ShapeKind::cylinder: {
      const double r = shape.core_radius, h = shape.half_length;
      add_revolution({{0, -h}, {r, -h}, {r, h}, {0, h}}, segments, Vec3::Zero(), out);
      break;
    }
    case ShapeKind::clump:
      for (const ClumpSphere& s : shape.spheres) add_ball(s.r, 0, segments, s.x, out);
      break;
    case ShapeKind::box:
    case ShapeKind::polyhedron:
      out.points = shape.polyhedron->vertices;
      for (std::size_t f = 0; f < shape.polyhedron->faces.size(); ++f) {
        const auto face = shape.polyhedron->face(f);
        out.polygons.emplace_back(face.begin(), face.end());
      }
      break;
  }
  return out;
}

ShapeSurface surface(const Revolution& wall, int segments, int slices) {
  std::vector<Ring> rings;
  for (int k = 0; k <= slices; ++k) {
    const double s = static_cast<double>(k) / slices;
    rings.push_back({(1 - s) * wall.r_0 + s * wall.r_1, (1 - s) * wall.z_0 + s * wall.z_1});
  }
  ShapeSurface out;
  add_revolution(rings, segments, Vec3::Zero(), out);
  const Mat3 frame = frame_of(wall);
  for (Vec3& x : out.points) x = wall.point + frame * x;
  for (auto& polygon : out.polygons) std::ranges::reverse(polygon);  // inwards
  return out;
}

std::int32_t polygon_at(const Revolution& wall, int segments, int slices, const Vec3& x) {
  const Vec3 local = frame_of(wall).transpose() * (x - wall.point);
  const double turns = std::atan2(local[1], local[0]) / (2 * std::numbers::pi), s = (local[2] - wall.z_0) / (wall.z_1 - wall.z_0);
  const int segment = std::clamp(static_cast<int>(segments * (turns - std::floor(turns))), 0, segments - 1);
  return std::clamp(static_cast<int>(std::floor(s * slices)), 0, slices - 1) * segments + segment;
}

}  // namespace percussion

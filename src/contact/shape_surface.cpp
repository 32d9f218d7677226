#include "contact/shape_surface.hpp"

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

}  // namespace percussion

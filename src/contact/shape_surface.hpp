// Shapes and curved walls as polygons, for drawing.
#pragma once
#include <cstdint>
#include <vector>

#include "contact/revolution.hpp"
#include "contact/shape.hpp"

namespace percussion {

/// Polygons in the body frame, turned outwards.
struct ShapeSurface {
  std::vector<Vec3> points;
  std::vector<std::vector<std::int32_t>> polygons;
};

/// The surface of a shape of its own size; a body of radius r is this times r / shape.radius. Exact for boxes and
/// polyhedra; round parts get `segments` (at least 4, even) polygons around the circumference.
ShapeSurface surface(const Shape& shape, int segments = 16);

/// A wall of revolution in its own frame: `slices` along the axis, one after the other from (r_0, z_0), each of `segments`
/// polygons around it.
ShapeSurface surface(const Revolution& wall, int segments, int slices);
/// The polygon of that surface a point of the wall lies on; points beyond the rims belong to the last slice there.
std::int32_t polygon_at(const Revolution& wall, int segments, int slices, const Vec3& x);

}  // namespace percussion

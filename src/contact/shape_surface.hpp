// Shapes as polygons, for drawing.
#pragma once
#include <cstdint>
#include <vector>

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

}  // namespace percussion

// Shapes of bodies: what NodeData::shape points to.
//
// Catalogue "shapes". A model keeps one table of shapes, the same on all ranks. The size that detection uses is
// NodeData::radius, so spheres of many sizes may share one entry; other convex shapes will add their kind here and
// keep their data behind the index.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "base/parameters.hpp"

namespace percussion {

enum class ShapeKind : std::uint8_t { sphere };

struct Shape {
  ShapeKind kind = ShapeKind::sphere;
  double radius = 0;  ///< of the bounding sphere
};

using ShapeTable = std::vector<Shape>;

const char* name(ShapeKind kind);

/// `parameters`: a validated section with `type`.
Shape make_shape(const Parameters& parameters);

double volume(const Shape& shape);
/// Principal moments of inertia about the centre of mass, divided by the mass (homogeneous body).
std::array<double, 3> inertia_per_mass(const Shape& shape);

/// The same for planar bodies, whose shape is the cut with their plane: a disc.
double area(const Shape& shape);
double planar_inertia_per_mass(const Shape& shape);

}  // namespace percussion

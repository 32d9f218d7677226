// Signed distance of a point from a shape, in closed form: what a sphere needs.
#pragma once
#include "contact/convex.hpp"

namespace percussion {

struct PointDistance {
  double distance;  ///< from the surface of the body (rounding included); negative inside
  Vec3 normal;      ///< outward, at the nearest point
};

/// Sphere, box, capsule, cylinder, polyhedron. Polyhedra: closed form where a face is nearest, otherwise by
/// convex_distance.
PointDistance point_distance(const Convex& body, const Vec3& x);

}  // namespace percussion

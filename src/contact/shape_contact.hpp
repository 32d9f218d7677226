// Contact points of two bodies of any shape, or of a body and a plane.
//
// Round bodies against each other and against boxes, cylinders and planes in closed form; other convex pairs by
// convex_distance. If the direction between two convex bodies is the normal of a face, the face is the reference: what the
// other body turns towards it (face, edge, point) is cut to its sides, and each corner that is left is a contact point with
// its own gap along the normal of the face. Otherwise there is one point. Clumps: all pairs of their spheres, the four
// deepest.
//
// All points with gap <= threshold, whatever its sign; n points from a to b.
#pragma once
#include "contact/convex.hpp"
#include "contact/manifold.hpp"

namespace percussion {

/// Replaces the content of `manifold`; at most max_manifold points.
void body_contacts(const Convex& a, const Convex& b, double threshold, Manifold& manifold);

/// Half space n.x <= offset; n points into the free side, the contact normals are -n.
void plane_contacts(const Convex& a, const Vec3& n, double offset, double threshold, Manifold& manifold);

/// Contact points a pair can have at most.
int contact_slots(ShapeKind a, ShapeKind b);
/// The same with a wall.
int contact_slots(ShapeKind a);

/// Adds a point of `a` at x (of its core, rounded by r) whose nearest point of the other side is along -normal.
inline void add_point(const Vec3& x, double r, double distance, const Vec3& normal, double threshold, std::int32_t feature, Manifold& manifold) {
  const double gap = distance - r;
  if (gap <= threshold) manifold.add({-normal, gap, x - r * normal, x - distance * normal, feature});
}

}  // namespace percussion

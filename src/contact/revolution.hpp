// A thin wall of revolution: a straight line turned about an axis. Drums and hoppers.
//
// In the half plane (rho, z) through the axis the wall is the segment from (r_0, z_0) to (r_1, z_1), z_0 < z_1. Bodies may be
// inside or outside; the side on which the centre of a body lies is its own. A sphere sees the rims too.
#pragma once
#include "contact/shape_contact.hpp"

namespace percussion {

struct Revolution {
  Vec3 point = Vec3::Zero();  ///< on the axis, z = 0
  Vec3 axis = Vec3::UnitZ();
  double r_0, z_0, r_1, z_1;
};

/// Distance of a point (of a body with centre on the given side: +1 inside, -1 outside) and the normal away from the wall.
struct WallDistance {
  double distance;
  Vec3 normal;
};
WallDistance distance_of(const Revolution& wall, const Vec3& x, double side);
/// +1 inside, -1 outside.
double side_of(const Revolution& wall, const Vec3& x);

/// Contacts of a body with its corners (polyhedra), spheres (round bodies and clumps), or points of its rims (cylinders,
/// 16 each): exact inside the wall, but for cylinders, whose rims may pass by 2% of their radius.
void revolution_contacts(const Revolution& wall, const Convex& a, double threshold, Manifold& manifold);

/// Bound for how far the surface moves from its place when the axis of `wall` moves to that of `other`.
double displacement(const Revolution& wall, const Revolution& other);

}  // namespace percussion

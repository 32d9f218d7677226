// Distance of two convex cores, or the depth to which they overlap, with the direction between them.
//
// Separated cores: the algorithm of Gilbert, Johnson and Keerthi (1988) on the difference of the two bodies. Touching or
// overlapping cores: the polytope that it leaves is grown until its face nearest to the origin lies on the surface (van
// den Bergen 2001): the shortest translation that parts the bodies. Exact up to rounding for polyhedra; for curved
// surfaces to 1e-7 of the size. Symmetric: exchanging the bodies turns n.
#pragma once
#include "contact/convex.hpp"

namespace percussion {

struct ConvexDistance {
  double distance;  ///< of the cores; negative: depth of overlap
  Vec3 n;           ///< unit vector from a to b
  Vec3 on_a, on_b;  ///< nearest (overlapping: deepest) points of the cores
};

ConvexDistance convex_distance(const Convex& a, const Convex& b);

}  // namespace percussion

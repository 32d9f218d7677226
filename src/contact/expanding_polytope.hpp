// Depth of overlap of two convex bodies; a part of convex_distance.
#pragma once
#include <span>

#include "contact/convex_distance.hpp"

namespace percussion {

/// A point w = b - a of the difference of two bodies, with the points it comes from.
struct DifferencePoint {
  Vec3 w, a, b;
};

/// The farthest point of the difference b - a in direction d.
inline DifferencePoint difference_point(const Convex& a, const Convex& b, const Vec3& d) {
  const Vec3 on_a = a.support(-d), on_b = b.support(d);
  return {on_b - on_a, on_a, on_b};
}

/// For bodies that overlap or touch; `start`: points of the difference found so far, at least one.
ConvexDistance overlap_depth(const Convex& a, const Convex& b, std::span<const DifferencePoint> start);

}  // namespace percussion

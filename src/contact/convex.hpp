// A convex shape at its place, as the distance algorithms see it: its farthest point in a direction.
//
// The core of a sphere is its centre and that of a capsule its axis; the body is the core rounded by `rounding()`. All
// other shapes are their own core. So distances of round bodies are exact, and cores rarely overlap. Clumps are not convex
// and do not come here.
#pragma once
#include "contact/shape.hpp"

namespace percussion {

struct Convex {
  const Shape* shape;
  double scale;
  Vec3 x;
  Mat3 A;  ///< body -> inertial frame

  double rounding() const {
    const bool round = shape->kind == ShapeKind::sphere || shape->kind == ShapeKind::capsule;
    return round ? scale * shape->core_radius : 0.;
  }
  Vec3 to_world(const Vec3& local) const { return x + scale * (A * local); }
  Vec3 to_local(const Vec3& world) const { return A.transpose() * (world - x) / scale; }

  /// Point of the core farthest in direction d (any length).
  Vec3 support(const Vec3& d) const { return to_world(local_support(A.transpose() * d)); }

  Vec3 local_support(const Vec3& d) const {
    switch (shape->kind) {
      case ShapeKind::capsule: return {0, 0, d[2] >= 0 ? shape->half_length : -shape->half_length};
      case ShapeKind::cylinder: {
        const double rho = std::hypot(d[0], d[1]), f = rho > 0 ? shape->core_radius / rho : 0.;
        return {f * d[0], f * d[1], d[2] >= 0 ? shape->half_length : -shape->half_length};
      }
      case ShapeKind::box:
      case ShapeKind::polyhedron: return shape->polyhedron->vertices[shape->polyhedron->support(d)];
      default: return Vec3::Zero();
    }
  }
};

}  // namespace percussion

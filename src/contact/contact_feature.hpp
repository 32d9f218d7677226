// What a convex body offers for a contact in a direction: the face, edge or point that lies there, as a polygon.
#pragma once
#include <array>
#include <cstdint>

#include "contact/convex.hpp"

namespace percussion {

struct FeaturePoint {
  Vec3 x;
  std::int32_t id;
};

/// Polygon (3 points and more), segment (2) or point (1) of the core, in the inertial frame.
struct FeaturePolygon {
  std::array<FeaturePoint, 48> p;
  int n = 0;
  void add(const Vec3& x, std::int32_t id) {
    if (n < static_cast<int>(p.size())) p[n++] = {x, id};
  }
};

/// The feature that faces direction d; it contains the farthest point of the core in that direction.
void facing_feature(const Convex& body, const Vec3& d, FeaturePolygon& polygon);

/// A flat face that faces d, if the body has one near its farthest point: corners counter-clockwise seen from outside.
struct FacingFace {
  bool found = false;
  Vec3 normal;
  double offset;
};
FacingFace facing_face(const Convex& body, const Vec3& d, FeaturePolygon& polygon);

/// Cuts `polygon` with the planes through the sides of the face with corners `face` and the given normal.
void clip_to_face(const FeaturePolygon& face, const Vec3& normal, FeaturePolygon& polygon);

}  // namespace percussion

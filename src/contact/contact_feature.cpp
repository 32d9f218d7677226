#include "contact/contact_feature.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/manifold.hpp"

namespace percussion {

namespace {

constexpr int rim_points = 8;     // of a flat end that lies on something; fixed in the body, so they keep their identity
constexpr int rim_corners = 16;   // of a flat end that something lies on

/// The face at the farthest vertex that looks most into direction d (local).
std::int32_t facing(const Polyhedron& body, const Vec3& d) {
  const auto faces = body.faces_at(body.support(d));
  return *std::max_element(faces.begin(), faces.end(), [&](std::int32_t f, std::int32_t g) { return body.faces[f].normal.dot(d) < body.faces[g].normal.dot(d); });
}

void add_face(const Convex& body, std::int32_t f, FeaturePolygon& polygon) {
  for (const std::int32_t v : body.shape->polyhedron->face(f)) polygon.add(body.to_world(body.shape->polyhedron->vertices[v]), v);
}

Vec3 rim(const Shape& s, double phi, double z) { return {s.core_radius * std::cos(phi), s.core_radius * std::sin(phi), z}; }

/// Flat end of a cylinder on the side of d, with the lowest point of its rim.
void add_end(const Convex& body, const Vec3& d, int points, bool lowest, FeaturePolygon& polygon) {
  const Shape& s = *body.shape;
  const double z = d[2] > 0 ? s.half_length : -s.half_length, step = 2 * std::numbers::pi / points;
  const bool tilted = lowest && std::hypot(d[0], d[1]) > 1e-6 * std::abs(d[2]);
  double low = std::atan2(d[1], d[0]);
  if (low < 0) low += 2 * std::numbers::pi;
  const int after = static_cast<int>(low / step);
  for (int j = 0; j < points; ++j) {
    const int k = d[2] > 0 ? j : points - 1 - j;  // counter-clockwise from outside
    const bool below = tilted && k == after;
    const double rest = low - k * step;
    const auto add_low = [&] {
      if (below && rest > 1e-3 * step && rest < 0.999 * step) polygon.add(body.to_world(rim(s, low, z)), d[2] > 0 ? 1000 : 1001);
    };
    if (d[2] < 0) add_low();
    polygon.add(body.to_world(rim(s, k * step, z)), (d[2] > 0 ? 100 : 200) + k);
    if (d[2] > 0) add_low();
  }
}

}  // namespace

void facing_feature(const Convex& body, const Vec3& d, FeaturePolygon& polygon) {
  const Shape& s = *body.shape;
  const Vec3 local = body.A.transpose() * d;
  polygon.n = 0;
  switch (s.kind) {
    case ShapeKind::box:
    case ShapeKind::polyhedron: add_face(body, facing(*s.polyhedron, local), polygon); break;
    case ShapeKind::capsule:
      polygon.add(body.to_world({0, 0, -s.half_length}), 0), polygon.add(body.to_world({0, 0, s.half_length}), 1);
      break;
    case ShapeKind::cylinder:
      if (std::abs(local[2]) > 0.5 * local.norm()) {
        add_end(body, local, rim_points, true, polygon);
      } else {
        const double phi = std::atan2(local[1], local[0]);
        polygon.add(body.to_world(rim(s, phi, -s.half_length)), 0), polygon.add(body.to_world(rim(s, phi, s.half_length)), 1);
      }
      break;
    default: polygon.add(body.x, 0);
  }
}

FacingFace facing_face(const Convex& body, const Vec3& d, FeaturePolygon& polygon) {
  const Shape& s = *body.shape;
  const Vec3 local = body.A.transpose() * d;
  polygon.n = 0;
  if (s.polyhedron) {
    const std::int32_t f = facing(*s.polyhedron, local);
    add_face(body, f, polygon);
    const PolyhedronFace& face = s.polyhedron->faces[f];
    const Vec3 normal = body.A * face.normal;
    return {true, normal, normal.dot(body.x) + body.scale * face.offset};
  }
  if (s.kind != ShapeKind::cylinder || std::abs(local[2]) < 0.9 * local.norm()) return {};
  add_end(body, local, rim_corners, false, polygon);
  const Vec3 normal = body.A.col(2) * (local[2] > 0 ? 1. : -1.);
  return {true, normal, normal.dot(body.x) + body.scale * s.half_length};
}

void clip_to_face(const FeaturePolygon& face, const Vec3& normal, FeaturePolygon& polygon) {
  FeaturePolygon cut;
  for (int side = 0; side < face.n && polygon.n > 0; ++side) {
    const Vec3 &p = face.p[side].x, &q = face.p[(side + 1) % face.n].x;
    const Vec3 outward = (q - p).cross(normal);
    const double length = outward.norm();
    if (!(length > 0)) continue;
    const double slack = 1e-9 * length;  // a corner exactly above a side is inside
    const auto height = [&](const FeaturePoint& point) { return outward.dot(point.x - p) / length; };
    cut.n = 0;
    const int edges = polygon.n > 2 ? polygon.n : polygon.n - 1;
    if (polygon.n <= 2 && height(polygon.p[0]) <= slack) cut.add(polygon.p[0].x, polygon.p[0].id);
    for (int k = 0; k < edges; ++k) {
      const FeaturePoint &from = polygon.p[k], &to = polygon.p[(k + 1) % polygon.n];
      const double h_from = height(from), h_to = height(to);
      if ((h_from > slack) != (h_to > slack)) {
        const double t = h_from / (h_from - h_to);
        const auto [low, high] = std::minmax(from.id, to.id);
        cut.add(from.x + t * (to.x - from.x), feature_id(1 + static_cast<std::uint32_t>(side), static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high)));
      }
      if (h_to <= slack) cut.add(to.x, to.id);
    }
    polygon = cut;
  }
}

}  // namespace percussion

#include "contact/point_distance.hpp"

#include <algorithm>
#include <cmath>

#include "contact/convex_distance.hpp"

namespace percussion {

namespace {

constexpr double no_direction = 1e-140;  // of a squared length: below, digits are lost to underflow

/// Distance from a point of the core; `instead`: the normal if the two coincide.
PointDistance from_core(const Vec3& offset, double rounding, const Vec3& instead) {
  const double d = offset.norm();
  return {d - rounding, d * d > no_direction ? Vec3(offset / d) : instead};
}

PointDistance from_box(const Vec3& half, const Vec3& p) {
  const Vec3 nearest = p.cwiseMax(-half).cwiseMin(half);
  if (nearest != p) return from_core(p - nearest, 0, Vec3::UnitX());
  Vec3 depth = half - p.cwiseAbs();
  Eigen::Index axis = 0;
  const double least = depth.minCoeff(&axis);
  Vec3 normal = Vec3::Zero();
  normal[axis] = p[axis] < 0 ? -1 : 1;
  return {-least, normal};
}

PointDistance from_cylinder(double r, double h, const Vec3& p) {
  const double rho = std::hypot(p[0], p[1]);
  const Vec3 radial = rho > 0 ? Vec3(p[0] / rho, p[1] / rho, 0) : Vec3(Vec3::UnitX());
  const double side = rho - r, end = std::abs(p[2]) - h;
  const Vec3 axial(0, 0, p[2] < 0 ? -1 : 1);
  if (side > 0 && end > 0) {
    const double d = std::hypot(side, end);
    return {d, (side * radial + end * axial) / d};
  }
  return side > end ? PointDistance{side, radial} : PointDistance{end, axial};
}

bool within_face(const Polyhedron& body, std::size_t f, const Vec3& p) {
  const auto face = body.face(f);
  for (std::size_t k = 0; k < face.size(); ++k) {
    const Vec3 &v = body.vertices[face[k]], &w = body.vertices[face[(k + 1) % face.size()]];
    if ((w - v).cross(body.faces[f].normal).dot(p - v) > 0) return false;
  }
  return true;
}

}  // namespace

PointDistance point_distance(const Convex& body, const Vec3& x) {
  const Shape& s = *body.shape;
  const Vec3 p = body.to_local(x);
  PointDistance local;
  switch (s.kind) {
    case ShapeKind::sphere: return from_core(x - body.x, body.scale * s.core_radius, Vec3::UnitX());
    case ShapeKind::capsule: {
      const Vec3 nearest(0, 0, std::clamp(p[2], -s.half_length, s.half_length));
      local = from_core(p - nearest, s.core_radius, Vec3::UnitX());
      break;
    }
    case ShapeKind::box: local = from_box(s.polyhedron->vertices[0].cwiseAbs(), p); break;
    case ShapeKind::cylinder: local = from_cylinder(s.core_radius, s.half_length, p); break;
    default: {
      const Polyhedron& body_faces = *s.polyhedron;
      std::size_t top = 0;
      const auto height = [&](std::size_t f) { return body_faces.faces[f].normal.dot(p) - body_faces.faces[f].offset; };
      for (std::size_t f = 1; f < body_faces.faces.size(); ++f)
        if (height(f) > height(top)) top = f;
      if (height(top) <= 0 || within_face(body_faces, top, p)) {
        local = {height(top), body_faces.faces[top].normal};
        break;
      }
      static const Shape point = sphere_shape(1.);
      const ConvexDistance d = convex_distance(body, {&point, 1e-300, x, Mat3::Identity()});
      return {d.distance, d.n};
    }
  }
  return {body.scale * local.distance, body.A * local.normal};
}

}  // namespace percussion

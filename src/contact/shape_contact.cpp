#include "contact/shape_contact.hpp"

#include <algorithm>
#include <cmath>

#include "contact/contact_feature.hpp"
#include "contact/convex_distance.hpp"
#include "contact/point_distance.hpp"

namespace percussion {

namespace {

// A face is the reference if its normal parts the bodies as well as the best direction, up to this part of their size.
constexpr double face_tolerance = 1e-5;
// Axes within this angle are parallel: then two contact points instead of one. The second gap is exact in either case.
constexpr double parallel = 1e-3;

/// Contacts of the corners of `polygon`, of the body rounded by r, with the face below.
void add_corners(const FeaturePolygon& polygon, double r, const FacingFace& face, double threshold, std::uint32_t side, Manifold& manifold) {
  for (int k = 0; k < polygon.n; ++k)
    add_point(polygon.p[k].x, r, face.normal.dot(polygon.p[k].x) - face.offset, face.normal, threshold,
              feature_id(side, static_cast<std::uint32_t>(polygon.p[k].id)), manifold);
}

/// Points of a over a face of b (then n = -normal) or, exchanged, of b over a face of a.
bool face_contacts(const Convex& a, const Convex& b, const Vec3& n, double distance, double threshold, std::uint32_t side, Manifold& manifold) {
  FeaturePolygon face_polygon;
  const FacingFace face = facing_face(b, -n, face_polygon);
  if (!face.found) return false;
  const double size = std::min(a.scale * a.shape->radius, b.scale * b.shape->radius);
  if (face.normal.dot(a.support(-face.normal)) - face.offset < distance - face_tolerance * size) return false;
  FeaturePolygon polygon;
  facing_feature(a, -face.normal, polygon);
  clip_to_face(face_polygon, face.normal, polygon);
  const int before = manifold.size();
  add_corners(polygon, a.rounding(), face, threshold, side, manifold);
  return manifold.size() > before;
}

/// Ends of the axis of a capsule or cylinder, in the inertial frame.
struct Axis {
  Vec3 middle, direction;
  double half;
};
Axis axis_of(const Convex& c) { return {c.x, c.A.col(2), c.scale * c.shape->half_length}; }
bool has_axis(const Convex& c) { return c.shape->kind == ShapeKind::capsule || c.shape->kind == ShapeKind::cylinder; }

/// Two rods side by side: where their axes overlap, a point at each end, along n.
bool side_by_side(const Convex& a, const Convex& b, const Vec3& n, double threshold, Manifold& manifold) {
  const Axis p = axis_of(a), q = axis_of(b);
  if (std::abs(n.dot(p.direction)) > parallel || std::abs(n.dot(q.direction)) > parallel) return false;
  if (p.direction.cross(q.direction).norm() > parallel) return false;
  const double c = p.direction.dot(q.direction), middle = p.direction.dot(q.middle - p.middle), reach = q.half * std::abs(c);
  const double low = std::max(-p.half, middle - reach), high = std::min(p.half, middle + reach);
  if (!(high > low)) return false;
  for (const bool upper : {false, true}) {
    const double s = upper ? high : low;
    const Vec3 on_p = p.middle + s * p.direction, on_q = q.middle + (s - middle) / c * q.direction;
    const double gap = n.dot(on_q - on_p) - a.scale * a.shape->core_radius - b.scale * b.shape->core_radius;
    if (gap > threshold) continue;
    const Vec3 on_a = on_p + a.scale * a.shape->core_radius * n;
    manifold.add({n, gap, on_a, on_a + gap * n, upper});
  }
  return manifold.size() > 0;
}

/// Nearest points of the axes of two capsules.
ConvexDistance segment_distance(const Axis& p, const Axis& q) {
  const Vec3 d = q.middle - p.middle;
  const double c = p.direction.dot(q.direction), dp = d.dot(p.direction), dq = d.dot(q.direction), det = 1 - c * c;
  double s = det > 1e-12 ? std::clamp((dp - c * dq) / det, -p.half, p.half) : std::clamp(dp, -p.half, p.half);
  const double t = std::clamp(c * s - dq, -q.half, q.half);
  s = std::clamp(c * t + dp, -p.half, p.half);
  const Vec3 on_p = p.middle + s * p.direction, on_q = q.middle + t * q.direction, gap = on_q - on_p;
  const double length = gap.norm();
  // Axes that meet: across both.
  Vec3 n = length > 1e-12 * (p.half + q.half) ? Vec3(gap / length) : Vec3(p.direction.cross(q.direction));
  if (!(n.norm() > 1e-6)) n = tangent_frame<double>(p.direction).col(0);
  return {length, n.normalized(), on_p, on_q};
}

void convex_contacts(const Convex& a, const Convex& b, double threshold, Manifold& manifold) {
  const double rounding = a.rounding() + b.rounding();
  const bool capsules = a.shape->kind == ShapeKind::capsule && b.shape->kind == ShapeKind::capsule;
  const ConvexDistance d = capsules ? segment_distance(axis_of(a), axis_of(b)) : convex_distance(a, b);
  if (d.distance - rounding > threshold) return;
  // The larger face is the better reference; the same choice when a and b are exchanged.
  const bool b_first = b.scale * b.shape->radius >= a.scale * a.shape->radius;
  for (const bool face_of_b : {b_first, !b_first}) {
    if (face_of_b ? face_contacts(a, b, d.n, d.distance, threshold, 1, manifold) : face_contacts(b, a, -d.n, d.distance, threshold, 2, manifold)) {
      manifold.reduce();
      if (!face_of_b) manifold.exchange(0);
      return;
    }
  }
  if (has_axis(a) && has_axis(b) && side_by_side(a, b, d.n, threshold, manifold)) return;
  manifold.add({d.n, d.distance - rounding, d.on_a + a.rounding() * d.n, d.on_b - b.rounding() * d.n, 0});
}

/// Spheres of a clump as bodies.
template <class Visit>
void for_each_sphere(const Convex& clump, Visit&& visit) {
  static const Shape unit = sphere_shape(1.);
  for (std::size_t k = 0; k < clump.shape->spheres.size(); ++k)
    visit(static_cast<std::uint32_t>(k), Convex{&unit, clump.scale * clump.shape->spheres[k].r, clump.to_world(clump.shape->spheres[k].x), Mat3::Identity()});
}

/// Without clearing; `tag` tells the spheres of clumps apart.
void add_contacts(const Convex& a, const Convex& b, double threshold, std::uint32_t tag, Manifold& manifold) {
  const int before = manifold.size();
  if (a.shape->kind == ShapeKind::clump) {
    for_each_sphere(a, [&](std::uint32_t k, const Convex& s) { add_contacts(s, b, threshold, tag + 1 + k, manifold); });
  } else if (b.shape->kind == ShapeKind::clump || b.shape->kind == ShapeKind::sphere) {
    if (a.shape->kind == ShapeKind::sphere && b.shape->kind == ShapeKind::sphere) {
      const PointDistance d = point_distance(b, a.x);
      return add_point(a.x, a.rounding(), d.distance, d.normal, threshold, feature_id(tag, 0), manifold);
    }
    add_contacts(b, a, threshold, tag << 10, manifold);
    manifold.exchange(before);
  } else if (a.shape->kind == ShapeKind::sphere) {
    const PointDistance d = point_distance(b, a.x);
    add_point(a.x, a.rounding(), d.distance, d.normal, threshold, feature_id(tag, 0), manifold);
  } else {
    convex_contacts(a, b, threshold, manifold);
  }
}

}  // namespace

void body_contacts(const Convex& a, const Convex& b, double threshold, Manifold& manifold) {
  manifold.clear();
  add_contacts(a, b, threshold, 0, manifold);
  manifold.keep_deepest();  // clumps; convex pairs have been reduced
}

void plane_contacts(const Convex& a, const Vec3& n, double offset, double threshold, Manifold& manifold) {
  manifold.clear();
  const FacingFace plane{true, n, offset};
  if (a.shape->kind == ShapeKind::clump) {
    for_each_sphere(a, [&](std::uint32_t k, const Convex& s) {
      add_point(s.x, s.rounding(), n.dot(s.x) - offset, n, threshold, feature_id(3, k), manifold);
    });
    return manifold.keep_deepest();
  }
  FeaturePolygon polygon;
  facing_feature(a, -n, polygon);
  add_corners(polygon, a.rounding(), plane, threshold, 3, manifold);
  manifold.reduce();
}

int contact_slots(ShapeKind a, ShapeKind b) {
  if (a == ShapeKind::clump || b == ShapeKind::clump) return max_manifold;
  if (a == ShapeKind::sphere || b == ShapeKind::sphere) return 1;
  return a == ShapeKind::capsule && b == ShapeKind::capsule ? 2 : max_manifold;
}

int contact_slots(ShapeKind a) { return a == ShapeKind::sphere ? 1 : a == ShapeKind::capsule ? 2 : max_manifold; }

}  // namespace percussion

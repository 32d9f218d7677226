// contact_in_sphere, contact_in_cylinder: a point or sphere inside a hollow sphere (planar: circle) or cylinder.
//   g_N = R_s - R - |r_SP|, n = r_SP / |r_SP| towards the centre or axis (7.12); tangential velocity (7.13).
// In a cylinder the first tangent is its axis unless `tangent` says otherwise.
#include "model/model_input.hpp"
#include "model/surface_contact.hpp"

namespace percussion {
namespace {

/// Common part: d leads from the body's centre to the centre or axis of the cavity.
template <class T>
Touch<T> touch_inside(const VecT<T, 3>& r_C, double R, double R_s, const VecT<T, 3>& d, const Vec3& any_normal) {
  const T distance = norm_of<T>(d);
  if (value(distance) == 0.)  // all normals are right; the gap is largest
    return touch_of_sphere<T>(r_C, R, {T(any_normal[0]), T(any_normal[1]), T(any_normal[2])}, T(R_s - R));
  return touch_of_sphere<T>(r_C, R, d / distance, (R_s - R) - distance);
}

struct HollowSphere {
  Marker body, support;
  double R, R_s;
  template <class T>
  Touch<T> touch(const T* q) const {
    const VecT<T, 3> r_C = body.position(q);
    return touch_inside<T>(r_C, R, R_s, support.position(q) - r_C, Vec3::UnitY());
  }
};

struct HollowCylinder {
  Marker body, support;
  double R, R_s;
  Vec3 axis, normal;
  template <class T>
  Touch<T> touch(const T* q) const {
    const VecT<T, 3> r_C = body.position(q), a = support.direction(q, axis);
    VecT<T, 3> d = support.position(q) - r_C;
    const T along = a.dot(d);
    d -= along * a;
    return touch_inside<T>(r_C, R, R_s, d, normal);
  }
};

Schema round_schema(const std::string& cavity, const std::string& centre) {
  Schema s;
  add_nodes(s, {1, 2}, "the body inside, and what carries the " + cavity + ": a second body or ground");
  add_point(s, "point", "contact point or centre of the contact sphere, body-fixed components");
  s.real("radius").fallback(0.).at_least(0).unit("m").doc("radius R of the contact sphere; 0: a point");
  s.real("cavity_radius").required().positive().unit("m").doc("radius R_s of the " + cavity + ", larger than radius");
  add_point(s, "centre", centre + ", in the frame of the second node (ground: inertial)");
  return s;
}

std::pair<double, double> radii(const Parameters& p) {
  const double R = p.real("radius"), R_s = p.real("cavity_radius");
  if (!(R < R_s)) p.fail("cavity_radius", "the body does not fit inside", "more than radius = " + to_text(R), "enlarge the cavity");
  return {R, R_s};
}

Schema sphere_schema() {
  Schema s = round_schema("hollow sphere", "centre of the sphere");
  add_contact_fields(s);
  return s;
}

const RegisterContribution contact_in_sphere{
    "contributions", "contact_in_sphere", "unilateral contact inside a hollow sphere; planar: inside a circle", sphere_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_placed_nodes(p, nodes);
      const auto [R, R_s] = radii(p);
      const HollowSphere sphere{marker_of(p, "point", "", nodes, 0), marker_of(p, "centre", "", nodes, 1), R, R_s};
      const ContactKinematics k = kinematics_of(sphere.body, sphere.support, nodes);
      return make_surface_contact(nodes, sphere, contact_spec_of(p, k), k.planar);
    }};

Schema cylinder_schema() {
  Schema s = round_schema("hollow cylinder", "a point on the axis");
  s.reals("axis", 3).required().doc("axis of the cylinder, in the frame of the second node (ground: inertial)");
  add_contact_fields(s);
  return s;
}

const RegisterContribution contact_in_cylinder{
    "contributions", "contact_in_cylinder", "unilateral contact inside a hollow cylinder", cylinder_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_placed_nodes(p, nodes);
      if (all_planar(nodes))
        p.fail("nodes", "planar nodes do not move along an axis", "a point_3d or rigid_body", "use contact_in_sphere: in the plane it is a circle");
      const auto [R, R_s] = radii(p);
      const Vec3 axis = unit_vector_of(p, "axis");
      const HollowCylinder cylinder{marker_of(p, "point", "", nodes, 0), marker_of(p, "centre", "", nodes, 1), R, R_s, axis, normals_of(axis).first};
      const ContactKinematics k = kinematics_of(cylinder.body, cylinder.support, nodes);
      ContactSpec spec = contact_spec_of(p, k);
      if (!spec.tangent) spec.tangent = axis;  // normal to n wherever the contact is, so the frame has no singular point
      return make_surface_contact(nodes, cylinder, spec, k.planar);
    }};

}  // namespace
}  // namespace percussion

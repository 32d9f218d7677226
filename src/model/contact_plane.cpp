// contact_plane: a point or sphere of a node against a plane on the ground or on a second node.
//   g_N = n . (r_C - r_P) - R;   floor: (7.2), (7.16);   inclined planes: (7.26)-(7.27)
#include "model/model_input.hpp"
#include "model/surface_contact.hpp"

namespace percussion {
namespace {

struct Plane {
  Marker body, support;
  Vec3 normal;
  double R;
  template <class T>
  Touch<T> touch(const T* q) const {
    const VecT<T, 3> n = support.direction(q, normal), r_C = body.position(q);
    return touch_of_sphere<T>(r_C, R, n, n.dot(r_C - support.position(q)) - R);
  }
};

Schema plane_schema() {
  Schema s;
  add_nodes(s, {1, 2}, "the body, and what carries the plane: a second body or ground");
  add_point(s, "point", "contact point or centre of the contact sphere, body-fixed components");
  s.real("radius").fallback(0.).at_least(0).unit("m").doc("radius of the contact sphere; 0: a point");
  s.reals("normal", {2, 3}).required().doc("normal of the plane, out of its material; in the frame of the second node (ground: inertial)");
  add_point(s, "plane_point", "a point of the plane, in the frame of the second node (ground: inertial)");
  add_contact_fields(s);
  return s;
}

const RegisterContribution contact_plane{
    "contributions", "contact_plane", "unilateral contact of a point or sphere with a plane", plane_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_placed_nodes(p, nodes);
      const Plane plane{marker_of(p, "point", "", nodes, 0), marker_of(p, "plane_point", "", nodes, 1), unit_vector_of(p, "normal"), p.real("radius")};
      const ContactKinematics k = kinematics_of(plane.body, plane.support, nodes);
      if (k.planar) check_in_plane(p, "normal", plane.normal);
      const ContactSpec spec = contact_spec_of(p, k);
      check_tangent(p, spec, plane.normal);
      return make_surface_contact(nodes, plane, spec, k.planar);
    }};

}  // namespace
}  // namespace percussion

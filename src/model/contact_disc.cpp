// contact_disc: the rim of a thin disc against a plane on the ground or on a second node (tippedisk, coins, wheels).
//   e_y^G = (n - (n . a) a) / |...| with the axis a of the disc (7.29);  r_C = r_G - r e_y^G;  g_N = n . (r_C - r_P) (7.28)
// r_C is the lowest point of the rim. It is not unique when the disc lies flat: there the centre is taken, and near
// it the contact point moves along the rim quickly.
#include "model/model_input.hpp"
#include "model/surface_contact.hpp"

namespace percussion {
namespace {

struct Disc {
  Marker body, support;
  Vec3 axis, normal;
  double R;
  template <class T>
  Touch<T> touch(const T* q) const {
    const VecT<T, 3> n = support.direction(q, normal), a = body.direction(q, axis);
    const T cosine = n.dot(a);
    VecT<T, 3> up = n - cosine * a;
    const T sine = norm_of<T>(up);
    VecT<T, 3> r_C = body.position(q);
    if (value(sine) > 0.) r_C -= (R / sine) * up;
    const T g = n.dot(r_C - support.position(q));
    return {g, n, r_C, r_C - g * n};
  }
};

Schema disc_schema() {
  Schema s;
  add_nodes(s, {1, 2}, "the body with the disc, and what carries the plane: a second body or ground");
  add_point(s, "centre", "geometric centre G of the disc, body-fixed components");
  s.reals("axis", 3).fallback({0., 0., 1.}).doc("axis of the disc, body-fixed components");
  s.real("radius").required().positive().unit("m").doc("radius r of the rim");
  s.reals("normal", 3).required().doc("normal of the plane, out of its material; in the frame of the second node (ground: inertial)");
  add_point(s, "plane_point", "a point of the plane, in the frame of the second node (ground: inertial)");
  add_contact_fields(s);
  return s;
}

const RegisterContribution contact_disc{
    "contributions", "contact_disc", "unilateral contact of the rim of a thin disc with a plane", disc_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_nodes(p, nodes, {NodeKind::rigid_body});
      const Disc disc{marker_of(p, "centre", "", nodes, 0), marker_of(p, "plane_point", "", nodes, 1), unit_vector_of(p, "axis"),
                      unit_vector_of(p, "normal"), p.real("radius")};
      const ContactSpec spec = contact_spec_of(p, kinematics_of(disc.body, disc.support, nodes));
      check_tangent(p, spec, disc.normal);
      return make_surface_contact(nodes, disc, spec, false);
    }};

}  // namespace
}  // namespace percussion

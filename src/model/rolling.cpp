// rolling: a ball rolls on a plane of the ground without slip: gamma = t_i . (v_S + omega x (-R n)) = 0, at velocity
// level (Breuling 3.6). With `stay_on_plane` also g = n . (r_S - r_P) - R = 0 at position level.
#include "model/model_input.hpp"
#include "model/surface_contact.hpp"

namespace percussion {
namespace {

struct FixedPlane {
  Marker body, support;
  Vec3 normal, r_P;
  double R;
  template <class T>
  Touch<T> touch(const T* q) const {
    const VecT<T, 3> r_C = body.position(q);
    return touch_of_sphere<T>(r_C, R, {T(normal[0]), T(normal[1]), T(normal[2])}, dot<T>(r_C, normal) - (normal.dot(r_P) + R));
  }
};

Schema rolling_schema() {
  Schema s;
  add_nodes(s, {1}, "the ball (its reference point is the centre)");
  s.real("radius").required().positive().unit("m").doc("radius R of the ball");
  s.reals("normal", {2, 3}).required().doc("normal of the plane, inertial components");
  add_point(s, "plane_point", "a point of the plane, inertial components");
  s.boolean("stay_on_plane").fallback(true).doc("also hold the ball at the plane (position level)");
  return s;
}

const RegisterContribution rolling{
    "contributions", "rolling", "a ball rolls on a plane without slip (velocity level)", rolling_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_nodes(p, nodes, {NodeKind::planar_body, NodeKind::rigid_body});
      const bool planar = all_planar(nodes);
      const FixedPlane plane{Marker::on(nodes, 0, Vec3::Zero()), Marker::ground(Vec3::Zero()), unit_vector_of(p, "normal"),
                             vector_of(p, "plane_point"), p.real("radius")};
      if (planar) check_in_plane(p, "normal", plane.normal);
      using Row = FrictionRow::Kind;
      std::vector<FrictionRow> rows{{Row::slide_1}};
      if (!planar) rows.push_back({Row::slide_2});
      Roles roles;
      roles.velocity_constraint = make_velocity(SurfaceSlip<FixedPlane>{plane, rows, {}, planar}, nodes);
      if (p.boolean("stay_on_plane")) roles.constraint = make_position(SurfaceGap<FixedPlane>{plane}, nodes);
      return make_contribution(nodes, std::move(roles));
    }};

}  // namespace
}  // namespace percussion

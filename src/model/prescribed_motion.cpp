// prescribed_point, prescribed_angle: g = r_i - f_i(t) resp. relative angle - f(t) at position level;
// prescribed_velocity: gamma = e . v_P - f(t) or e . omega - f(t) at velocity level (Breuling 3.6).
#include "model/auto_function.hpp"
#include "model/relative_angle.hpp"
#include "model/role_contribution.hpp"
#include "model/small_vector.hpp"

namespace percussion {
namespace {

struct PointPath {
  Marker at;
  std::vector<std::pair<int, TimeFunction>> path;  // component, its function
  int rows() const { return static_cast<int>(path.size()); }
  template <class T>
  void operator()(const T& t, const T* q, T* g) const {
    const VecT<T, 3> r = at.position(q);
    for (const auto& [i, f] : path) *g++ = r[i] - apply(f, t);
  }
};

struct VelocityPath {
  Marker at;
  Vec3 e;
  bool body_fixed, rotation;
  TimeFunction f;
  int rows() const { return 1; }
  template <class T>
  void operator()(const T& t, const T* q, const T* u, T* gamma) const {
    const VecT<T, 3> v = rotation ? at.omega(q, u) : at.velocity(q, u);
    gamma[0] = (body_fixed ? at.direction(q, e).dot(v) : dot<T>(v, e)) - apply(f, t);
  }
};

Schema point_schema() {
  Schema s;
  add_nodes(s, {1}, "the body or point mass");
  add_point(s, "point", "the led point, body-fixed components");
  for (const char* key : {"x", "y", "z"})
    s.function(key).unit("m").doc(std::string("path of the inertial component ") + key + "; absent: free");
  return s;
}

const RegisterContribution prescribed_point{
    "contributions", "prescribed_point", "components of a point follow functions of time", point_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_placed_nodes(p, nodes);
      PointPath led{marker_of(p, "point", "", nodes, 0), {}};
      for (int i = 0; i < 3; ++i) {
        const std::string key(1, "xyz"[i]);
        if (!p.has(key)) continue;
        if (i == 2 && all_planar(nodes)) p.fail(key, "planar nodes live in z = 0", "x, y", "leave it out");
        led.path.emplace_back(i, time_function_of(p, key));
      }
      if (led.path.empty()) p.fail("", "no component is prescribed", "one or more of x, y, z", "add a function of time, e.g. x: 0.1*sin(t)");
      return make_joint(nodes, make_position(std::move(led), nodes));
    }};

Schema angle_schema() {
  Schema s;
  add_relative_angle(s);
  s.function("angle").required().unit("rad").doc("angle of the first body against the second or the ground");
  return s;
}

const RegisterContribution prescribed_angle{
    "contributions", "prescribed_angle", "the relative angle of two bodies follows a function of time (a motor)", angle_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      return make_joint(nodes, make_position(relative_angle_of(p, nodes, time_function_of(p, "angle")), nodes));
    }};

Schema velocity_schema() {
  Schema s;
  add_nodes(s, {1}, "the body or point mass");
  add_point(s, "point", "the led point, body-fixed components");
  s.text("component").required().one_of({"x", "y", "z", "omega_x", "omega_y", "omega_z"})
      .doc("component of the point's velocity or of the angular velocity");
  s.text("frame").one_of({"inertial", "body"}).fallback("inertial").doc("frame of the component");
  s.function("velocity").required().unit("m/s or rad/s").doc("prescribed value");
  return s;
}

const RegisterContribution prescribed_velocity{
    "contributions", "prescribed_velocity", "one component of a velocity follows a function of time (velocity level)", velocity_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_placed_nodes(p, nodes);
      const std::string& component = p.text("component");
      const bool rotation = component.starts_with("omega");
      const Marker at = marker_of(p, "point", "", nodes, 0);
      if (rotation && !at.has_orientation())
        p.fail("component", "a point mass has no angular velocity", "x, y or z", "use a planar_body or rigid_body");
      if (all_planar(nodes) && (component.back() == 'z') != rotation)
        p.fail("component", "a planar node does not move this way", rotation ? "omega_z" : "x or y", "choose an allowed component");
      Roles roles;
      roles.velocity_constraint = make_velocity(
          VelocityPath{at, Vec3::Unit(component.back() - 'x'), p.text("frame") == "body", rotation, time_function_of(p, "velocity")}, nodes);
      return make_contribution(nodes, std::move(roles));
    }};

}  // namespace
}  // namespace percussion

// spring_damper, rotational_spring_damper: linear laws on the distance of two points and on the angle of two bodies.
#include "model/auto_function.hpp"
#include "model/linear_law.hpp"
#include "model/model_input.hpp"
#include "model/role_contribution.hpp"
#include "model/small_vector.hpp"

namespace percussion {
namespace {

struct Distance {
  Marker a, b;
  int rows() const { return 1; }
  template <class T>
  void operator()(const T&, const T* q, T* g) const {
    g[0] = norm_of<T>(b.position(q) - a.position(q));
  }
};

// A spring of length zero acts on the difference vector: smooth where the points coincide.
struct Difference {
  Marker a, b;
  int dim;
  int rows() const { return dim; }
  template <class T>
  void operator()(const T&, const T* q, T* g) const {
    const VecT<T, 3> d = b.position(q) - a.position(q);
    for (int i = 0; i < dim; ++i) g[i] = d[i];
  }
};

struct PlanarAngle {
  Marker a, b;
  int rows() const { return 1; }
  template <class T>
  void operator()(const T&, const T* q, T* g) const {
    g[0] = a.angle(q) - b.angle(q);
  }
};

// Angle of frame a against frame b about the common axis: from the direction n_1 of b to n_1 of a.
struct SpatialAngle {
  Marker a, b;
  Vec3 n_1, n_2;
  int rows() const { return 1; }
  template <class T>
  void operator()(const T&, const T* q, T* g) const {
    using std::atan2;
    const VecT<T, 3> turned = a.direction(q, n_1);
    g[0] = atan2(b.direction(q, n_2).dot(turned), b.direction(q, n_1).dot(turned));
  }
};

std::unique_ptr<Contribution> make_law(const Parameters& p, const std::vector<NodeRef>& nodes,
                                       std::unique_ptr<PositionFunction> g, double rest) {
  Roles roles;
  roles.force = std::make_unique<LinearLawForce>(std::move(g), LinearLaw{p.real("stiffness"), p.real("damping"), rest}, nodes);
  return make_contribution(nodes, std::move(roles));
}

Schema spring_schema() {
  Schema s;
  add_nodes(s, {1, 2}, "the two ends, or one end and ground");
  add_point(s, "point_1", "end on the first node, body-fixed components");
  add_point(s, "point_2", "end on the second node, body-fixed components (ground: inertial)");
  s.real("stiffness").fallback(0.).at_least(0).unit("N/m").doc("c: force per elongation");
  s.real("damping").fallback(0.).at_least(0).unit("N s/m").doc("d: force per rate of elongation");
  s.real("length").fallback(0.).at_least(0).unit("m").doc("length without force; with 0 spring and damper act on the difference vector");
  return s;
}

const RegisterContribution spring_damper{
    "contributions", "spring_damper", "linear spring and damper between two points", spring_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_placed_nodes(p, nodes);
      const Marker a = marker_of(p, "point_1", "", nodes, 0), b = marker_of(p, "point_2", "", nodes, 1);
      const double length = p.real("length");
      if (length > 0) return make_law(p, nodes, make_position(Distance{a, b}, nodes), length);
      return make_law(p, nodes, make_position(Difference{a, b, all_planar(nodes) ? 2 : 3}, nodes), 0.);
    }};

Schema rotational_schema() {
  Schema s;
  add_nodes(s, {1, 2}, "the two bodies, or one body and ground");
  s.real("stiffness").fallback(0.).at_least(0).unit("N m/rad").doc("c: torque per angle");
  s.real("damping").fallback(0.).at_least(0).unit("N m s/rad").doc("d: torque per angular velocity");
  s.real("angle").fallback(0.).unit("rad").doc("relative angle without torque (first body against the second)");
  s.reals("axis", 3).fallback({0., 0., 1.}).doc("3-D: axis, components in the frames of both bodies");
  add_frame(s, "frame_1", "3-D: frame on the first body, quaternion");
  add_frame(s, "frame_2", "3-D: frame on the second body (ground: inertial), quaternion");
  return s;
}

const RegisterContribution rotational_spring_damper{
    "contributions", "rotational_spring_damper",
    "linear torsion spring and damper; 3-D: about an axis, angle within (-pi, pi)", rotational_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_nodes(p, nodes, {NodeKind::planar_body, NodeKind::rigid_body});
      const auto marker = [&](const char* frame, std::size_t i) {
        const Quat P = quaternion_of(p, frame);
        return i < nodes.size() ? Marker::on(nodes, int(i), Vec3::Zero(), P) : Marker::ground(Vec3::Zero(), P);
      };
      const Marker a = marker("frame_1", 0), b = marker("frame_2", 1);
      const double rest = p.real("angle");
      if (all_planar(nodes)) return make_law(p, nodes, make_position(PlanarAngle{a, b}, nodes), rest);
      const auto [n_1, n_2] = normals_of(unit_vector_of(p, "axis"));
      return make_law(p, nodes, make_position(SpatialAngle{a, b, n_1, n_2}, nodes), rest);
    }};

}  // namespace
}  // namespace percussion

// spring_damper, rotational_spring_damper: linear laws on the distance of two points and on the angle of two bodies.
#include "model/auto_function.hpp"
#include "model/linear_law.hpp"
#include "model/relative_angle.hpp"
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
  s.real("length").fallback(0.).at_least(0).unit("m").doc("length without force; 0: spring and damper act on the difference vector, like a bushing whose ends stay close");
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
  add_relative_angle(s);
  s.real("stiffness").fallback(0.).at_least(0).unit("N m/rad").doc("c: torque per angle");
  s.real("damping").fallback(0.).at_least(0).unit("N m s/rad").doc("d: torque per angular velocity");
  s.real("angle").fallback(0.).unit("rad").doc("relative angle without torque (first body against the second)");
  return s;
}

const RegisterContribution rotational_spring_damper{
    "contributions", "rotational_spring_damper",
    "linear torsion spring and damper; 3-D: about an axis, less than half a turn from its rest angle", rotational_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      return make_law(p, nodes, make_position(relative_angle_of(p, nodes, p.real("angle")), nodes), 0.);
    }};

}  // namespace
}  // namespace percussion

// force, torque: prescribed loads as functions of time, with inertial or body-fixed components.
#include "model/auto_force.hpp"
#include "model/dual_function.hpp"
#include "model/model_input.hpp"
#include "model/role_contribution.hpp"

namespace percussion {
namespace {

struct Load {
  Marker at;
  std::array<TimeFunction, 3> component;
  bool body_fixed, is_torque;

  template <class T>
  void operator()(const T& t, const T* q, const T*, T* h) const {
    // Loads are differentiated by q and u only, so the time is a plain number here.
    const Vec3 K_F(component[0](value(t)), component[1](value(t)), component[2](value(t)));
    const VecT<T, 3> F = body_fixed ? at.direction(q, K_F) : VecT<T, 3>(T(K_F[0]), T(K_F[1]), T(K_F[2]));
    if (is_torque) at.add_torque(q, F, h);
    else at.add_force(q, F, h);
  }
};

Schema load_schema(bool is_torque) {
  Schema s;
  add_nodes(s, {1}, is_torque ? "the body" : "the body or point mass");
  if (!is_torque) add_point(s, "point", "point of attack, body-fixed components");
  for (const char* key : {"x", "y", "z"})
    s.function(key).fallback(0.).unit(is_torque ? "N m" : "N").doc(std::string("component along ") + key);
  s.text("frame").one_of({"inertial", "body"}).fallback("inertial").doc("frame of the components");
  return s;
}

std::unique_ptr<Contribution> make_load(const Parameters& p, const std::vector<NodeRef>& nodes, Marker at, bool is_torque) {
  Load load{at, {time_function_of(p, "x"), time_function_of(p, "y"), time_function_of(p, "z")}, p.text("frame") == "body", is_torque};
  const auto unused = [&](int i) { return load.component[i].is_constant() && load.component[i](0) == 0.; };
  if (all_planar(nodes))
    for (int i = 0; i < 3; ++i)
      if ((i < 2) == is_torque && !unused(i))
        p.fail(std::string(1, "xyz"[i]), "this component does nothing to a planar node", is_torque ? "z" : "x, y", "leave it out");
  Roles roles;
  roles.force = make_force(std::move(load), nodes);
  return make_contribution(nodes, std::move(roles));
}

const RegisterContribution force{"contributions", "force", "prescribed force at a point, functions of time", load_schema(false),
                                 [](const Parameters& p, const std::vector<NodeRef>& nodes) {
                                   check_placed_nodes(p, nodes);
                                   return make_load(p, nodes, marker_of(p, "point", "", nodes, 0), false);
                                 }};

const RegisterContribution torque{"contributions", "torque", "prescribed torque on a body, functions of time", load_schema(true),
                                  [](const Parameters& p, const std::vector<NodeRef>& nodes) {
                                    check_nodes(p, nodes, {NodeKind::planar_body, NodeKind::rigid_body});
                                    return make_load(p, nodes, Marker::on(nodes, 0, Vec3::Zero()), true);
                                  }};

}  // namespace
}  // namespace percussion

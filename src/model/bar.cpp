// bar: linear finite element between two nodes that may have no mass of their own (Schindler 138), small strains about
// the reference axis e of length l, x_i the positions of its nodes:
//   N = E A (e . (x_2 - x_1) / l - 1) + delta E A e . (v_2 - v_1) / l,   h = (N e, -N e)
//   M = rho A l / 6 [2 1; 1 2] in every direction: it couples the two nodes
// delta: damping proportional to the stiffness, C = delta K. Nodes with one generalized coordinate: motion along the axis.
#include <cmath>

#include "model/model_input.hpp"
#include "model/role_contribution.hpp"

namespace percussion {
namespace {

struct Element {
  int dim;         // velocities per node
  Vec3 e;
  double k, d, l;  // E A / l, delta E A / l
  double mass;     // rho A l
  Vec3 gravity;

  double elongation_rate(const double* u) const {
    double rate = 0;
    for (int i = 0; i < dim; ++i) rate += e[i] * (u[dim + i] - u[i]);
    return rate;
  }
  double elongation(const double* q) const { return elongation_rate(q) - l; }
  /// out := -factor (-e, e) (-e, e)^T.
  void stiffness(double factor, MatRef out) const {
    for (int i = 0; i < 2 * dim; ++i)
      for (int j = 0; j < 2 * dim; ++j) out(i, j) = -factor * ((i < dim) == (j < dim) ? 1 : -1) * e[i % dim] * e[j % dim];
  }
};

class BarForce final : public Force {
 public:
  explicit BarForce(const Element& element) : b_(element) {}
  void h(const LocalState& s, VecRef out) const override {
    const double N = b_.k * b_.elongation(s.q) + b_.d * b_.elongation_rate(s.u);
    for (int i = 0; i < b_.dim; ++i) {
      const double weight = 0.5 * b_.mass * b_.gravity[i];
      out[i] = weight + N * b_.e[i], out[b_.dim + i] = weight - N * b_.e[i];
    }
  }
  void h_q(const LocalState&, MatRef out) const override { b_.stiffness(b_.k, out); }
  void h_u(const LocalState&, MatRef out) const override { b_.stiffness(b_.d, out); }
  double potential(const LocalState& s) const override {
    double V = 0.5 * b_.k * std::pow(b_.elongation(s.q), 2);
    for (int i = 0; i < b_.dim; ++i) V -= 0.5 * b_.mass * b_.gravity[i] * (s.q[i] + s.q[b_.dim + i]);
    return V;
  }

 private:
  Element b_;
};

class BarInertia final : public Inertia {
 public:
  explicit BarInertia(const Element& element) : b_(element) {}
  void M(const LocalState&, MatRef out) const override {
    const int n = b_.dim;
    for (int i = 0; i < 2 * n; ++i)
      for (int j = 0; j < 2 * n; ++j) out(i, j) = i == j ? b_.mass / 3 : i % n == j % n ? b_.mass / 6 : 0.;
  }
  void Mv_q(const LocalState&, ConstVecRef, MatRef out) const override { out.setZero(); }

 private:
  Element b_;
};

Schema bar_schema() {
  Schema s;
  add_nodes(s, {2}, "the two ends: point_2d, point_3d, or generalized with one coordinate; they may have mass 0");
  s.real("E").required().positive().unit("N/m^2").doc("Young's modulus");
  s.real("A").required().positive().unit("m^2").doc("area of the cross section");
  s.real("density").required().positive().unit("kg/m^3").doc("rho");
  s.real("length").required().positive().unit("m").doc("l: length without strain");
  s.reals("axis", {2, 3}).fallback({1., 0., 0.}).doc("direction from the first to the second node in the reference state");
  s.real("damping").fallback(0.).at_least(0).unit("s").doc("delta: damping delta K, proportional to the stiffness");
  s.reals("gravity", {2, 3}).fallback({0., 0., 0.}).unit("m/s^2").doc("acting on the bar (the gravity of the case does not see its mass; chains hand it on)");
  return s;
}

Element element_of(const Parameters& p, const std::vector<NodeRef>& nodes) {
  check_nodes(p, nodes, {NodeKind::point_2d, NodeKind::point_3d, NodeKind::generalized});
  const int dim = nodes[0].nu();
  if (nodes[0].kind != nodes[1].kind || dim != nodes[1].nu() || (nodes[0].kind == NodeKind::generalized && dim != 1))
    p.fail("nodes", "the two ends do not fit each other", "two point_2d, two point_3d, or two generalized nodes with one coordinate", "change one of the nodes");
  const Vec3 e = unit_vector_of(p, "axis"), gravity = vector_of(p, "gravity");
  for (int i = dim; i < 3; ++i) {
    if (e[i] != 0.) p.fail("axis", "its nodes do not move in this direction", "[x, y] in the plane, [1, 0] for one coordinate", "set the other components to zero");
    if (gravity[i] != 0.) p.fail("gravity", "its nodes do not move in this direction", "[x, y] in the plane, [x, 0] for one coordinate", "set the other components to zero");
  }
  const double l = p.real("length"), k = p.real("E") * p.real("A") / l;
  return {dim, e, k, p.real("damping") * k, l, p.real("density") * p.real("A") * l, gravity};
}

const RegisterContribution bar{"contributions", "bar", "linear elastic bar element with consistent mass matrix (Schindler 138)", bar_schema(),
                               [](const Parameters& p, const std::vector<NodeRef>& nodes) {
                                 const Element element = element_of(p, nodes);
                                 Roles roles;
                                 roles.force = std::make_unique<BarForce>(element);
                                 roles.inertia = std::make_unique<BarInertia>(element);
                                 return make_contribution(nodes, std::move(roles));
                               }};

}  // namespace
}  // namespace percussion

// What all fills in space share: keys, and the sphere that becomes a body of any shape in app/shape_library.hpp.
#pragma once
#include <algorithm>
#include <numbers>

#include "app/size_distribution.hpp"
#include "model/node_types.hpp"

namespace percussion {

inline void add_grain_keys(Schema& s) {
  SizeDistribution::add_keys(s);
  s.choice("shape", "shapes").doc("shape of the bodies, scaled to the radius of its bounding sphere; default spheres");
  s.text("orientation").one_of({"random", "fixed"}).fallback("random").doc("of bodies that are not spheres");
  s.real("density").fallback(2500.).positive().unit("kg/m^3").doc("density (planar: kg/m^2)");
  s.reals("velocity", {2, 3}).fallback({0., 0., 0.}).unit("m/s").doc("initial velocity");
  s.real("velocity_spread").fallback(0.).at_least(0).unit("m/s").doc("standard deviation of each component of the velocity, normally distributed about it");
}

/// A sphere in the origin.
inline NodeInit sphere_grain(double r, double density, const double* velocity) {
  NodeInit node;
  node.data.radius = r, node.data.shape = 0;
  node.data.kind = NodeKind::rigid_body, node.data.dofs = 6;
  node.data.mass = density * 4. / 3. * std::numbers::pi * r * r * r;
  std::fill_n(node.data.inertia, 3, 0.4 * node.data.mass * r * r);
  node.q = {0., 0., 0., 1., 0., 0., 0.}, node.u = {velocity[0], velocity[1], velocity[2], 0., 0., 0.};
  return node;
}

/// Adds the random part of the velocity; draws that no fill uses for anything else.
inline void spread_velocity(double spread, const CounterRandom& random, NodeInit& node) {
  for (int k = 0; spread > 0 && k < (is_planar(node.data.kind) ? 2 : 3); ++k) node.u[k] += spread * random.normal(1100 + k);
}

}  // namespace percussion

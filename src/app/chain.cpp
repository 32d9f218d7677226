#include "app/chain.hpp"

#include <fmt/format.h>

#include <cmath>

namespace percussion {

Schema chain_schema() {
  Schema s;
  s.text("name").required().doc("name of the chain; contributions and observers call its ends NAME.first and NAME.last");
  s.integer("elements").required().at_least(1).doc("N: number of bars; the chain has N + 1 nodes without mass of their own");
  s.reals("from", {2, 3}).required().unit("m").doc("initial position of the first node; 2 entries: point_2d, 3: point_3d");
  s.reals("to", {2, 3}).required().unit("m").doc("initial position of the last node");
  s.reals("velocity", {2, 3}).fallback({0., 0., 0.}).unit("m/s").doc("initial velocity of all nodes");
  s.real("E").required().positive().unit("N/m^2").doc("Young's modulus");
  s.real("A").required().positive().unit("m^2").doc("area of the cross section");
  s.real("density").required().positive().unit("kg/m^3").doc("density");
  s.real("damping").fallback(0.).at_least(0).unit("s").doc("delta: damping delta K, proportional to the stiffness");
  return s;
}

Chain::Chain(const Parameters& p, const Vec3& gravity)
    : name_(p.text("name")), from_(p.reals("from")), to_(p.reals("to")), velocity_(p.reals("velocity")), elements_(p.integer("elements")), bar_(p.path(), p.origin()) {
  const std::size_t dim = from_.size();
  if (to_.size() != dim) p.fail("to", "has not the length of from", fmt::format("{} numbers", dim), "give both ends with the same number of entries");
  velocity_.resize(3, 0.);
  if (dim == 2 && velocity_[2] != 0.) p.fail("velocity", "a chain in the plane does not move along z", "[x, y]", "leave the third component out");
  velocity_.resize(dim);
  std::vector<double> axis;
  double length = 0;
  for (std::size_t i = 0; i < dim; ++i) axis.push_back(to_[i] - from_[i]), length = std::hypot(length, axis[i]);
  if (!(length > 0)) p.fail("to", "the chain has no length", "a point away from `from`", "move one of the ends");
  bar_.set("type", std::string("bar"), p.origin());
  for (const char* key : {"E", "A", "density", "damping"}) bar_.set(key, p.real(key), p.origin(key));
  bar_.set("length", length / static_cast<double>(elements_), p.origin("to"));
  bar_.set("axis", std::move(axis), p.origin("to"));
  bar_.set("gravity", std::vector<double>(gravity.data(), gravity.data() + dim), p.origin());
}

NodeInit Chain::node(std::int64_t k) const {
  NodeInit node;
  node.data.kind = from_.size() == 2 ? NodeKind::point_2d : NodeKind::point_3d;
  node.data.dofs = static_cast<std::int8_t>(from_.size());
  if (k == 0) node.name = name_ + ".first";
  if (k == elements_) node.name = name_ + ".last";
  const double s = static_cast<double>(k) / static_cast<double>(elements_);
  for (std::size_t i = 0; i < from_.size(); ++i) node.q.push_back((1 - s) * from_[i] + s * to_[i]);
  node.u = velocity_;
  return node;
}

}  // namespace percussion

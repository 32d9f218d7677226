#include "app/shape_library.hpp"

#include <algorithm>

namespace percussion {

std::int32_t ShapeLibrary::index(const Parameters& section) {
  if (section.type() == "sphere") return 0;
  const auto found = std::find(sections_.begin(), sections_.end(), section);
  if (found != sections_.end()) return indices_[found - sections_.begin()];
  sections_.push_back(section);
  indices_.push_back(static_cast<std::int32_t>(table_.size()));
  table_.push_back(make_shape(section));
  return indices_.back();
}

void ShapeLibrary::finish_node(const Parameters& p, NodeInit& node) {
  if (node.data.kind == NodeKind::generalized || !p.has("shape") || p.section("shape").type() == "sphere") return;
  const Parameters& section = p.section("shape");
  if (node.data.kind != NodeKind::rigid_body)
    p.fail("shape", "a " + std::string(name(node.data.kind)) + " is a sphere or a disc", "type: sphere", "use a rigid_body");
  node.data.shape = index(section);
  const Shape& shape = table_[node.data.shape];
  node.data.radius = shape.radius;
  if (p.has("density")) node.data.mass = p.real("density") * shape.volume;
  for (int i = 0; i < 3 && !p.has("inertia"); ++i) node.data.inertia[i] = node.data.mass * shape.inertia_per_mass[i];
  Eigen::Map<Quat> P(node.q.data() + 3);
  Eigen::Map<Vec3> omega(node.u.data() + 3);
  P = quat_product<double>(P, shape.turn);
  omega = rotate_back<double>(shape.turn, omega);
}

void finish_grain(const ShapeTable& shapes, std::int32_t index, double density, const CounterRandom* random, NodeInit& node) {
  node.data.shape = index;
  const Shape& shape = shapes[index];
  if (index > 0) {
    const double scale = node.data.radius / shape.radius;
    node.data.mass = density * shape.volume * scale * scale * scale;
    for (int i = 0; i < 3; ++i) node.data.inertia[i] = node.data.mass * shape.inertia_per_mass[i] * scale * scale;
  }
  if (node.data.kind != NodeKind::rigid_body) return;
  Eigen::Map<Quat> P(node.q.data() + 3);
  // Four normal numbers point anywhere with equal chance; draws that no fill uses for anything else.
  if (random) P = quat_normalised<double>(Quat(random->normal(1000), random->normal(1001), random->normal(1002), random->normal(1003)));
  else P = quat_product<double>(P, shape.turn);
}

}  // namespace percussion

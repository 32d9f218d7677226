#include "model/model_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace percussion {

void add_nodes(Schema& schema, std::vector<std::size_t> lengths, const std::string& roles) {
  schema.texts("nodes", std::move(lengths)).required().doc("names of the nodes: " + roles);
}

Field& add_point(Schema& schema, const std::string& key, const std::string& documentation) {
  return schema.reals(key, {2, 3}).fallback({0., 0., 0.}).unit("m").doc(documentation);
}

Field& add_frame(Schema& schema, const std::string& key, const std::string& documentation) {
  return schema.reals(key, 4).fallback({1., 0., 0., 0.}).doc(documentation);
}

Vec3 vector_of(const Parameters& p, const std::string& key) {
  const std::vector<double>& x = p.reals(key);
  return {x[0], x[1], x.size() > 2 ? x[2] : 0.};
}

Vec3 unit_vector_of(const Parameters& p, const std::string& key) {
  const Vec3 v = vector_of(p, key);
  if (!(v.norm() > 0)) p.fail(key, "a direction needs a length", "any vector but zero", "give its components, e.g. [0, 1]");
  return v.normalized();
}

Quat quaternion_of(const Parameters& p, const std::string& key) {
  const std::vector<double>& x = p.reals(key);
  const Quat P(x[0], x[1], x[2], x[3]);
  if (!(P.norm() > 0)) p.fail(key, "the zero quaternion is no rotation", "[p0, p1, p2, p3] with length 1", "use [1, 0, 0, 0] for no rotation");
  return P.normalized();
}

TimeFunction time_function_of(const Parameters& p, const std::string& key) {
  try {
    return TimeFunction::from_text(p.text(key));
  } catch (const std::invalid_argument& e) {
    p.fail(key, e.what(), "a number, an expression in t, or a table", "correct the expression");
  }
}

void check_nodes(const Parameters& p, const std::vector<NodeRef>& nodes, std::initializer_list<NodeKind> allowed) {
  if (nodes.empty()) p.fail("nodes", "the ground alone has no degrees of freedom", "at least one node", "name a node first");
  if (p.has("nodes") && p.texts("nodes").front() == "ground")
    p.fail("nodes", "the ground comes second", "[node] or [node, ground]", "swap the two names, and what belongs to them");
  if (nodes.size() == 2 && nodes[0].id == nodes[1].id)
    p.fail("nodes", "a node cannot be attached to itself", "two different nodes, or one and ground", "name another node");
  for (const NodeRef& n : nodes) {
    if (std::find(allowed.begin(), allowed.end(), n.kind) != allowed.end()) continue;
    std::string names;
    for (NodeKind kind : allowed) names += (names.empty() ? "" : ", ") + std::string(name(kind));
    p.fail("nodes", fmt::format("{} cannot be attached to a node of type {}", p.has("type") ? p.type() : "this", name(n.kind)),
           "nodes of type " + names, "choose another node or another contribution");
  }
}

void check_placed_nodes(const Parameters& p, const std::vector<NodeRef>& nodes) {
  check_nodes(p, nodes, {NodeKind::point_2d, NodeKind::point_3d, NodeKind::planar_body, NodeKind::rigid_body});
}

void check_generalized(const Parameters& p, const std::vector<NodeRef>& nodes, int dofs) {
  check_nodes(p, nodes, {NodeKind::generalized});
  if (nodes.front().nu() != dofs)
    p.fail("nodes", fmt::format("the node has {} coordinates, {} are needed", nodes.front().nu(), dofs),
           fmt::format("a generalized node with {} coordinates", dofs), "give the node that many entries in position and velocity");
}

void check_in_plane(const Parameters& p, const std::string& key, const Vec3& v) {
  if (v[2] != 0.) p.fail(key, "planar nodes live in z = 0", "[x, y]", "leave the third component out");
}

Vec3 rotation_axis_of(const Parameters& p, const std::string& key, const std::vector<NodeRef>& nodes) {
  const Vec3 axis = unit_vector_of(p, key);
  if (all_planar(nodes) && axis != Vec3::UnitZ()) p.fail(key, "planar nodes turn about z only", "[0, 0, 1]", "leave it out");
  return axis;
}

Marker marker_of(const Parameters& p, const std::string& point_key, const std::string& frame_key,
                 const std::vector<NodeRef>& nodes, std::size_t index) {
  const Vec3 r = point_key.empty() ? Vec3(Vec3::Zero()) : vector_of(p, point_key);
  const Quat P = frame_key.empty() ? quat_identity() : quaternion_of(p, frame_key);
  if (all_planar(nodes)) {
    check_in_plane(p, point_key, r);
    if (P[1] != 0. || P[2] != 0.)
      p.fail(frame_key, "planar nodes turn about z only", "[cos(a/2), 0, 0, sin(a/2)]", "leave p1 and p2 zero");
  }
  if (index >= nodes.size()) return Marker::ground(r, P);
  const NodeKind kind = nodes[index].kind;
  if (is_planar(kind)) check_in_plane(p, point_key, r);
  if ((kind == NodeKind::point_2d || kind == NodeKind::point_3d) && !r.isZero(0))
    p.fail(point_key, "a point mass has no points beside itself", "[0, 0] or [0, 0, 0]", "use a planar_body or rigid_body, or leave it out");
  return Marker::on(nodes, static_cast<int>(index), r, P);
}

}  // namespace percussion

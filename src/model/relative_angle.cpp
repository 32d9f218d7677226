#include "model/relative_angle.hpp"

#include "model/small_vector.hpp"

namespace percussion {

void add_relative_angle(Schema& s) {
  add_nodes(s, {1, 2}, "the two bodies, or one body and ground");
  s.reals("axis", 3).fallback({0., 0., 1.}).doc("3-D: axis, components in the frames of both bodies");
  add_frame(s, "frame_1", "frame on the first body, quaternion");
  add_frame(s, "frame_2", "frame on the second body (ground: inertial), quaternion");
}

RelativeAngle relative_angle_of(const Parameters& p, const std::vector<NodeRef>& nodes, TimeFunction reference) {
  check_nodes(p, nodes, {NodeKind::planar_body, NodeKind::rigid_body});
  const auto [n_1, n_2] = normals_of(rotation_axis_of(p, "axis", nodes));
  return {marker_of(p, "", "frame_1", nodes, 0), marker_of(p, "", "frame_2", nodes, 1), n_1, n_2, all_planar(nodes), std::move(reference)};
}

}  // namespace percussion

// Reading what all contributions share: nodes, points, directions, frames, functions of time. Every mistake that needs
// the nodes to be seen (wrong kind, a point off the plane of a planar body) is an InputError with its place here.
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

#include "base/schema.hpp"
#include "math/time_function.hpp"
#include "model/marker.hpp"

namespace percussion {

// ---- schema parts ----

/// `nodes` with the allowed lengths; a pair may name `ground` second, then the factory gets one node.
void add_nodes(Schema& schema, std::vector<std::size_t> lengths, const std::string& roles);
/// A point, in the body-fixed frame of its node (ground: inertial), by default the reference point.
Field& add_point(Schema& schema, const std::string& key, const std::string& documentation);
/// Orientation of a joint frame as a quaternion, by default the frame of the node.
Field& add_frame(Schema& schema, const std::string& key, const std::string& documentation);

// ---- values ----

/// Two or three numbers; z = 0 if absent.
Vec3 vector_of(const Parameters& p, const std::string& key);
/// The same as a unit vector; zero is an error.
Vec3 unit_vector_of(const Parameters& p, const std::string& key);
/// Four numbers as a unit quaternion; zero is an error.
Quat quaternion_of(const Parameters& p, const std::string& key);
TimeFunction time_function_of(const Parameters& p, const std::string& key);

// ---- nodes ----

/// Throws unless there is a node, the ground is not first, no node is named twice, and all kinds are among `allowed`.
void check_nodes(const Parameters& p, const std::vector<NodeRef>& nodes, std::initializer_list<NodeKind> allowed);
/// Any node with a place in space: all kinds but generalized.
void check_placed_nodes(const Parameters& p, const std::vector<NodeRef>& nodes);
/// The one generalized node, with `dofs` degrees of freedom.
void check_generalized(const Parameters& p, const std::vector<NodeRef>& nodes, int dofs);

inline bool all_planar(const std::vector<NodeRef>& nodes) {
  for (const NodeRef& n : nodes)
    if (!is_planar(n.kind)) return false;
  return true;
}

/// Throws if a vector read from `key` leaves the plane of planar nodes.
void check_in_plane(const Parameters& p, const std::string& key, const Vec3& v);

/// Axis of a relative rotation: a unit vector, for planar nodes e_z.
Vec3 rotation_axis_of(const Parameters& p, const std::string& key, const std::vector<NodeRef>& nodes);

/// Marker on nodes[index], or on the ground if there is no such node. `point_key` empty: the reference point;
/// `frame_key` empty: the node's own frame. Frames of planar nodes must be turned about z.
Marker marker_of(const Parameters& p, const std::string& point_key, const std::string& frame_key,
                 const std::vector<NodeRef>& nodes, std::size_t index);

}  // namespace percussion

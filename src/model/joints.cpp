// Bilateral joints at position level, g(t, q) = 0 (Breuling 3.6): spherical, distance, revolute, prismatic.
//
// Joint frames: `frame_1` on the first node, `frame_2` on the second one (or the ground); `axis` has the same
// components in both. In the joint's zero position the frames and points coincide.
#include "model/auto_function.hpp"
#include "model/dual_function.hpp"
#include "model/model_input.hpp"
#include "model/role_contribution.hpp"
#include "model/small_vector.hpp"

namespace percussion {
namespace {

// r_1 - r_2; also the planar revolute joint, Breuling (7.19).
struct Spherical {
  Marker a, b;
  int dim;
  int rows() const { return dim; }
  template <class T>
  void operator()(const T&, const T* q, T* g) const {
    const VecT<T, 3> d = a.position(q) - b.position(q);
    for (int i = 0; i < dim; ++i) g[i] = d[i];
  }
};

// |r_1 - r_2| - L(t); the multiplier is the (pushing) force of the rod.
struct Rod {
  Marker a, b;
  TimeFunction length;
  int rows() const { return 1; }
  template <class T>
  void operator()(const T& t, const T* q, T* g) const {
    g[0] = norm_of<T>(a.position(q) - b.position(q)) - apply(length, t);
  }
};

// Spherical joint, and the axis of b normal to n_1, n_2 of a.
struct Revolute {
  Marker a, b;
  Vec3 axis, n_1, n_2;
  int rows() const { return 5; }
  template <class T>
  void operator()(const T& t, const T* q, T* g) const {
    Spherical{a, b, 3}(t, q, g);
    const VecT<T, 3> e = b.direction(q, axis);
    g[3] = a.direction(q, n_1).dot(e);
    g[4] = a.direction(q, n_2).dot(e);
  }
};

// r_1 - r_2 along the axis of b; between bodies also no relative rotation. A point mass slides like a bead.
struct Prismatic {
  Marker a, b;
  Vec3 axis, n_1, n_2;
  bool planar, rigid;
  int rows() const { return planar ? 1 + rigid : 2 + 3 * rigid; }
  template <class T>
  void operator()(const T&, const T* q, T* g) const {
    const VecT<T, 3> d = a.position(q) - b.position(q);
    const VecT<T, 3> b_1 = b.direction(q, n_1);
    g[0] = b_1.dot(d);
    if (planar) {
      if (rigid) g[1] = a.angle(q) - b.angle(q);
      return;
    }
    const VecT<T, 3> b_2 = b.direction(q, n_2);
    g[1] = b_2.dot(d);
    if (!rigid) return;
    const VecT<T, 3> e = a.direction(q, axis);
    g[2] = b_1.dot(e);
    g[3] = b_2.dot(e);
    g[4] = b_1.dot(a.direction(q, n_2));
  }
};

Schema point_schema() {
  Schema s;
  add_nodes(s, {1, 2}, "the two bodies, or one body and ground");
  add_point(s, "point_1", "joint on the first node, body-fixed components");
  add_point(s, "point_2", "joint on the second node, body-fixed components (ground: inertial)");
  return s;
}

Schema axis_schema(const std::string& axis_doc, std::initializer_list<double> axis) {
  Schema s = point_schema();
  s.reals("axis", {2, 3}).fallback(axis).doc(axis_doc);
  add_frame(s, "frame_1", "joint frame on the first node, quaternion");
  add_frame(s, "frame_2", "joint frame on the second node (ground: inertial), quaternion");
  return s;
}

struct Ends {
  Marker a, b;
};
Ends ends(const Parameters& p, const std::vector<NodeRef>& nodes, bool with_frames) {
  return {marker_of(p, "point_1", with_frames ? "frame_1" : "", nodes, 0), marker_of(p, "point_2", with_frames ? "frame_2" : "", nodes, 1)};
}

const RegisterContribution spherical_joint{
    "contributions", "spherical_joint", "two points coincide (planar nodes: a hinge)", point_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_placed_nodes(p, nodes);
      const auto [a, b] = ends(p, nodes, false);
      return make_joint(nodes, make_position(Spherical{a, b, all_planar(nodes) ? 2 : 3}, nodes));
    }};

Schema rod_schema() {
  Schema s = point_schema();
  s.function("length").required().unit("m").doc("distance of the points, > 0; may depend on time");
  return s;
}

const RegisterContribution distance_joint{
    "contributions", "distance_joint", "massless rod: two points keep a distance", rod_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_placed_nodes(p, nodes);
      const auto [a, b] = ends(p, nodes, false);
      TimeFunction length = time_function_of(p, "length");
      if (length.is_constant() && !(length(0) > 0))
        p.fail("length", "a rod needs a length", "a number > 0", "use spherical_joint to make two points coincide");
      return make_joint(nodes, make_position(Rod{a, b, std::move(length)}, nodes));
    }};

const RegisterContribution revolute_joint{
    "contributions", "revolute_joint", "hinge: two points coincide, rotation about one axis",
    axis_schema("3-D: axis of rotation, components in both joint frames", {0., 0., 1.}),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_placed_nodes(p, nodes);
      const auto [a, b] = ends(p, nodes, true);
      const Vec3 axis = rotation_axis_of(p, "axis", nodes);
      if (all_planar(nodes)) return make_joint(nodes, make_position(Spherical{a, b, 2}, nodes));
      if (!a.has_orientation() || !b.has_orientation())
        p.fail("nodes", "a point mass has no orientation to hold", "rigid or planar bodies", "use spherical_joint");
      const auto [n_1, n_2] = normals_of(axis);
      return make_joint(nodes, make_position(Revolute{a, b, axis, n_1, n_2}, nodes));
    }};

const RegisterContribution prismatic_joint{
    "contributions", "prismatic_joint", "slider along an axis of the second node; a point mass slides like a bead",
    axis_schema("direction of sliding, components in both joint frames", {1., 0., 0.}),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_placed_nodes(p, nodes);
      const auto [a, b] = ends(p, nodes, true);
      const bool planar = all_planar(nodes), rigid = a.has_orientation() && b.has_orientation();
      const Vec3 axis = unit_vector_of(p, "axis");
      if (planar) {
        check_in_plane(p, "axis", axis);
        return make_joint(nodes, make_position(Prismatic{a, b, axis, Vec3(-axis[1], axis[0], 0), Vec3::UnitZ(), true, rigid}, nodes));
      }
      const auto [n_1, n_2] = normals_of(axis);
      return make_joint(nodes, make_position(Prismatic{a, b, axis, n_1, n_2, false, rigid}, nodes));
    }};

}  // namespace
}  // namespace percussion

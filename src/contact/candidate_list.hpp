// The Verlet list of contact candidates of this rank, and the percussions remembered from the last step.
//
// Orientation, everywhere in contact/:
//   - a is the node with the smaller global id, so that no result depends on the ranks; b is the other node. For a
//     wall, a is the node and b = ~surface = -surface - 1 (contact/wall.hpp: planes first, then obstacles).
//   - n points from a to b; for a wall it points from the node into the wall, n = -plane.n.
//   - the percussion P, in inertial components, acts on b and -P acts on a: P.n >= 0 is compression.
//
// A candidate belongs to exactly one rank. Two owned nodes: this one. An owned node and a ghost: the rank that owns
// the designated node (smaller id if id_a + id_b is even, else the larger). Two ghosts: another rank. Walls: the
// owner of the node. So the designated node of a candidate, or the node at the wall, is owned here, and when it
// migrates the memory of the candidate goes with it.
//
// The candidates are sorted by the cell of a, all candidates of one a are neighbours, walls first: a sweep visits
// bodies near in space one after the other. A pair that can have several contact points has as many candidates, one
// after the other, its slots; which point a slot belongs to is told by feature() (contact/manifold.hpp).
//
// Life: rebuild() when 2 max_displacement() > skin() on any rank and whenever nodes were added, removed, renumbered
// or ghosts changed, because a and b are local indices. In between the caller may write P and nothing else. As long
// as 2 max_displacement() <= skin(), every pair with gap <= skin() - 2 max_displacement() is in the list.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "contact/shape.hpp"
#include "contact/wall.hpp"
#include "model/node_store.hpp"
#include "model/periodic_box.hpp"

namespace percussion {

struct Candidate {
  std::int32_t a, b;
  double P[3];

  bool is_wall() const { return b < 0; }
  std::int32_t plane() const { return ~b; }    ///< for planes
  std::int32_t surface() const { return ~b; }  ///< for any wall
};

constexpr std::int32_t no_feature = -1;

/// A percussion with an identity that holds on every rank; id_b = ~surface for a wall.
struct RememberedPercussion {
  std::int64_t id_a, id_b;
  double P[3];
  std::int64_t feature = no_feature;
};

/// Id of the node whose owner owns the contact of two nodes.
inline std::int64_t designated_node(std::int64_t id_a, std::int64_t id_b) {
  const bool even = ((id_a ^ id_b) & 1) == 0;
  return (id_a < id_b) == even ? id_a : id_b;
}
/// The same, walls included.
inline std::int64_t designated_node(const RememberedPercussion& p) {
  return p.id_b < 0 ? p.id_a : designated_node(p.id_a, p.id_b);
}

class CandidateList {
 public:
  /// The planes at their present place (planes_at of wall.hpp). Call again when they have moved, before rebuild() or
  /// max_displacement(); number, order and normals of the planes never change.
  void set_planes(std::span<const Plane> planes) { planes_.assign(planes.begin(), planes.end()); }
  std::span<const Plane> planes() const { return planes_; }
  /// Shapes and walls that are not planes; they must outlive the list. Without shapes all bodies are spheres. Obstacles
  /// are to be at their present place in rebuild() and max_displacement().
  void set_shapes(const ShapeTable* shapes) { shapes_ = shapes; }
  void set_obstacles(Obstacles* obstacles) { obstacles_ = obstacles; }
  /// Directions in which space repeats itself; before the first rebuild(). A pair is then a candidate with the nearest
  /// images of its bodies. Every period must be longer than twice the largest sum of two radii and the skin.
  void set_periodic(const PeriodicBox& box) { periodic_ = box; }
  const PeriodicBox& periodic() const { return periodic_; }
  const ShapeTable* shapes() const { return shapes_; }
  const Obstacles* obstacles() const { return obstacles_; }
  ShapeKind kind_of(const NodeData& node) const { return shapes_ && node.shape > 0 ? (*shapes_)[node.shape].kind : ShapeKind::sphere; }

  /// All candidates with gap <= skin at positions q (laid out like store.q()), ghosts included. Percussions are
  /// carried over by identity, also if the nodes were renumbered in between; those of lost candidates are forgotten.
  /// Linear cost. Local; throws RunError if a position is not finite (then the list is as before).
  void rebuild(const NodeStore& store, std::span<const double> q, double skin);

  std::span<Candidate> candidates() { return candidates_; }
  std::span<const Candidate> candidates() const { return candidates_; }
  std::int32_t size() const { return static_cast<std::int32_t>(candidates_.size()); }

  /// Whether all candidates are spheres with spheres and planes.
  bool only_spheres() const { return only_spheres_; }
  /// Which of the slots of its pair candidate k is.
  std::int32_t slot(std::int32_t k) const {
    std::int32_t first = k;
    while (first > 0 && candidates_[first - 1].a == candidates_[k].a && candidates_[first - 1].b == candidates_[k].b) --first;
    return k - first;
  }
  /// Of the contact whose percussion candidate k remembers; no_feature if it remembers none. Only for pairs that are not
  /// spheres; the number of the slot otherwise plays no role.
  std::int32_t feature(std::int32_t k) const { return features_.empty() ? no_feature : features_[k]; }
  void set_feature(std::int32_t k, std::int32_t feature) {
    if (!features_.empty()) features_[k] = feature;
  }

  /// Nonzero percussions, for migration and checkpoints: send each to the new owner of designated_node().
  std::vector<RememberedPercussion> export_memory() const;
  /// Kept until the next rebuild() and given to its candidates then; wins over what the list itself remembers.
  void import_memory(std::span<const RememberedPercussion> memory);
  /// Forgets all percussions (cold start).
  void forget();

  double skin() const { return skin_; }
  /// Places of the owned nodes at the last rebuild, 3 numbers each, zero for nodes that are not detected. A rebuild at
  /// them with the same skin and planes gives this list again.
  std::vector<double> build_positions() const;
  /// Largest displacement of an owned node or a plane since the last rebuild. Infinite if the store is not the one
  /// of the last rebuild (number or ids of the nodes) or a position is not finite: rebuild() then says more.
  double max_displacement(const NodeStore& store, std::span<const double> q) const;

  /// Bound for the speed of walls where the owned bodies are.
  double wall_speed() const;

  /// Bytes held between rebuilds; a rebuild itself needs about 100 bytes per node and 8 per candidate on top.
  std::size_t memory() const;

 private:
  struct BuildPosition {
    double x[3] = {0, 0, 0};
  };

  double wall_displacement() const;

  const ShapeTable* shapes_ = nullptr;
  Obstacles* obstacles_ = nullptr;
  PeriodicBox periodic_;
  std::vector<Plane> planes_;
  std::vector<Plane> built_planes_;     // at the last rebuild, as are the next ones
  Vec3 lower_ = Vec3::Zero(), upper_ = Vec3::Zero();  // around the owned bodies
  bool only_spheres_ = true;
  std::vector<std::int32_t> features_;  // by candidate; empty if there are only spheres
  std::vector<Candidate> candidates_;
  std::vector<std::int64_t> id_;         // of all local nodes
  std::vector<BuildPosition> position_;  // of the owned nodes
  std::vector<RememberedPercussion> imported_;
  double skin_ = 0;
};

}  // namespace percussion

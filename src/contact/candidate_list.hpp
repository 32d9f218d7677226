// The Verlet list of contact candidates of this rank, and the percussions remembered from the last step.
//
// Orientation, everywhere in contact/:
//   - a is the node with the smaller global id, so that no result depends on the ranks; b is the other node. For a
//     wall, a is the node and b = ~plane = -plane - 1.
//   - n points from a to b; for a wall it points from the node into the wall, n = -plane.n.
//   - the percussion P, in inertial components, acts on b and -P acts on a: P.n >= 0 is compression.
//
// A candidate belongs to exactly one rank. Two owned nodes: this one. An owned node and a ghost: the rank that owns
// the designated node (smaller id if id_a + id_b is even, else the larger). Two ghosts: another rank. Walls: the
// owner of the node. So the designated node of a candidate, or the node at the wall, is owned here, and when it
// migrates the memory of the candidate goes with it.
//
// The candidates are sorted by the cell of a, all candidates of one a are neighbours, walls first: a sweep visits
// bodies near in space one after the other.
//
// Life: rebuild() when 2 max_displacement() > skin() on any rank and whenever nodes were added, removed, renumbered
// or ghosts changed, because a and b are local indices. In between the caller may write P and nothing else. As long
// as 2 max_displacement() <= skin(), every pair with gap <= skin() - 2 max_displacement() is in the list.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "contact/wall.hpp"
#include "model/node_store.hpp"

namespace percussion {

struct Candidate {
  std::int32_t a, b;
  double P[3];

  bool is_wall() const { return b < 0; }
  std::int32_t plane() const { return ~b; }
};

/// A percussion with an identity that holds on every rank; id_b = ~plane for a wall.
struct RememberedPercussion {
  std::int64_t id_a, id_b;
  double P[3];
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

  /// All candidates with gap <= skin at positions q (laid out like store.q()), ghosts included. Percussions are
  /// carried over by identity, also if the nodes were renumbered in between; those of lost candidates are forgotten.
  /// Linear cost. Local; throws RunError if a position is not finite (then the list is as before).
  void rebuild(const NodeStore& store, std::span<const double> q, double skin);

  std::span<Candidate> candidates() { return candidates_; }
  std::span<const Candidate> candidates() const { return candidates_; }
  std::int32_t size() const { return static_cast<std::int32_t>(candidates_.size()); }

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

  /// Bytes held between rebuilds; a rebuild itself needs about 100 bytes per node and 8 per candidate on top.
  std::size_t memory() const;

 private:
  struct BuildPosition {
    double x[3] = {0, 0, 0};
  };

  std::vector<Plane> planes_;
  std::vector<double> plane_offset_;  // at the last rebuild, as are the next three
  std::vector<Candidate> candidates_;
  std::vector<std::int64_t> id_;         // of all local nodes
  std::vector<BuildPosition> position_;  // of the owned nodes
  std::vector<RememberedPercussion> imported_;
  double skin_ = 0;
};

}  // namespace percussion

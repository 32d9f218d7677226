// The distributed system of one run: nodes, contributions, walls, contact candidates, and who owns what.
//
// Integrators advance t, q and u of `nodes`; refresh() keeps ghosts and candidates valid for them. Everything that
// changes the set of local nodes happens in refresh(), rebuild() and rebalance(), which are collective; local node
// indices are void afterwards (watch `generation`).
#pragma once
#include <mpi.h>

#include <cstdint>
#include <vector>

#include "contact/candidate_list.hpp"
#include "contact/narrow_phase.hpp"
#include "contact/shape.hpp"
#include "contact/wall.hpp"
#include "model/node_store.hpp"
#include "model/node_types.hpp"
#include "model/periodic_box.hpp"
#include "partition/contribution_store.hpp"
#include "partition/distribution.hpp"
#include "partition/rebalance.hpp"

namespace percussion {

struct PartitionOptions {
  RebalanceMethod method = RebalanceMethod::graph;
  double threshold = 1.2;
  std::int64_t check_every = 100;
  bool measured = false;  ///< work is the time measured on each rank, not the number of bodies and candidates
};

/// What makes a System beside its owned nodes, for checkpoints: where ghosts and candidates were made last, and the
/// percussions they remember. `places` is of one rank; the rest but `percussions` is the same on all.
struct SystemMemory {
  double t = 0, planes_time = 0, skin = 0;
  std::int64_t rebuilds = 0, ghosts_after_rebalance = 0;
  std::vector<double> places;  ///< CandidateList::build_positions()
  std::vector<RememberedPercussion> percussions;
};

struct ContactArms {
  Vec3 a, b;  ///< wall: b is zero
};

class System {
 public:
  explicit System(MPI_Comm comm) : distribution(comm) {}

  double t = 0;
  NodeStore nodes;
  ContributionStore contributions;
  Distribution distribution;
  ShapeTable shapes{sphere_shape(1.)};  ///< the same on all ranks; entry 0: spheres of any size
  Walls walls;                ///< planes at t = 0; obstacles where the last refresh() or place_walls() left them
  std::vector<Plane> planes;  ///< at the time of the last refresh()
  CandidateList candidates;
  NarrowPhase narrow_phase;
  SurfaceLaw law;             ///< of detected contacts between bodies
  Vec3 gravity = Vec3::Zero();
  PeriodicBox periodic;       ///< set before start(); periods longer than twice the largest body with its skin
  PartitionOptions partition;

  MPI_Comm comm() const { return distribution.comm(); }

  /// Local. Velocity of a wall at x, with planes at their place of the moment.
  Vec3 wall_velocity(std::span<const Plane> at, const Candidate& c, const Vec3& x) const { return surface_velocity(walls, at, c.surface(), x); }
  Vec3 wall_velocity(const Candidate& c, const Vec3& x) const { return wall_velocity(planes, c, x); }
  Vec3 wall_spin(std::span<const Plane> at, const Candidate& c) const { return surface_spin(walls, at, c.surface()); }
  /// Local. From the reference points of the bodies of a detected contact to their contact points.
  ContactArms arms(const SphereContactGeometry& g) const;
  /// Local. Contact point on a, in I, with `arm` its arm.
  Vec3 contact_point(const Candidate& c, const Vec3& arm) const { return placement(nodes[c.a].kind, nodes.q(c.a).data()).r + arm; }
  /// Local. Percussion that the last step left for a detected contact; zero if its slot belonged to another one.
  Vec3 remembered(const SphereContactGeometry& g) const;
  /// Local. Stores the percussion of a detected contact.
  void remember(const SphereContactGeometry& g, const Vec3& P);

  /// Collective, once all owned nodes and contributions are in: first distribution, ghosts, candidates.
  void start(double h);
  /// Local. What resume() needs beside the owned nodes in their order.
  SystemMemory memory() const;
  /// Collective, instead of start(). The owned nodes are in, in their order on this rank when `memory` was made, the
  /// contributions with their first nodes: ghosts, candidates and their order are as they were, bit by bit.
  void resume(const SystemMemory& memory);
  /// Collective, instead of start(), on another number of ranks: distributes anew. Each percussion may be on any rank.
  void resume_elsewhere(const SystemMemory& memory, double h);
  /// Collective. `planes` at time t_planes; new ghosts and candidates if some body may have outrun the skin at the
  /// present positions (owned and ghosts), so that every pair with gap <= 0 is a candidate. True if it rebuilt.
  /// `reach`: a distance that no body will pass before the next refresh; every pair that can meet is a candidate then.
  bool refresh(double t_planes, double h, double reach = 0);
  /// Collective. Ghosts and candidates anew.
  void rebuild(double h, double reach = 0);
  /// Collective. Redistributes when the load (`cost`: work of this rank, measured) passes the threshold or when bodies
  /// have mixed so far that the ghosts have grown by half.
  bool rebalance_if_needed(double cost, double h);
  /// Collective, unconditional. A graph with fewer edges than bodies (free flight) is replaced by bisection of space.
  /// `measured`: work of this rank; it sets the weight of its bodies against those of other ranks (0 on all: equal).
  Rebalance rebalance(RebalanceMethod method, double h, double measured = 0);

  /// Collective. Owned nodes leave (one flag each) and join (ids new to all ranks); ghosts and candidates anew.
  void exchange_nodes(std::span<const std::uint8_t> leaving, std::span<const NodeInit> joining, double h);

  /// Local, after a step: positions of all local nodes into the periodic box; NodeData::image counts the periods.
  void wrap_positions();
  /// Local. Where node i would be if it had not been wrapped, at positions q laid out like nodes.q(); not for generalized nodes.
  Vec3 unwrapped(std::int32_t i, const std::vector<double>& q) const;

  bool any_contributions() const { return any_contributions_; }   ///< on any rank
  bool any_generalized() const { return any_generalized_; }       ///< on any rank
  bool any_turning() const { return any_turning_; }               ///< rolling or pivoting friction of a detected contact
  bool any_dense() const { return any_dense_; }                   ///< a node whose inertia is not round, on any rank
  bool only_spheres() const { return only_spheres_; }             ///< all shapes, on all ranks
  std::int64_t generation() const { return generation_; }         ///< grows whenever local indices change
  std::int64_t rebuilds() const { return rebuilds_; }

 private:
  void look_at_nodes();
  double choose_skin(double h, double reach) const;
  std::int64_t count_ghosts() const;  ///< collective
  double planes_time_ = 0, planes_time_rebuilt_ = 0;  ///< of `planes`, now and at the last rebuild
  std::int64_t generation_ = 0, rebuilds_ = 0, ghosts_after_rebalance_ = 0, bodies_ = 0;
  bool any_contributions_ = false, any_generalized_ = false, any_dense_ = false, any_turning_ = false, only_spheres_ = true;
};

}  // namespace percussion

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
#include "partition/contribution_store.hpp"
#include "partition/distribution.hpp"
#include "partition/rebalance.hpp"

namespace percussion {

struct PartitionOptions {
  RebalanceMethod method = RebalanceMethod::graph;
  double threshold = 1.2;
  std::int64_t check_every = 100;
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
  PartitionOptions partition;

  MPI_Comm comm() const { return distribution.comm(); }

  /// Local. Velocity of a wall at x, with planes at their place of the moment.
  Vec3 wall_velocity(std::span<const Plane> at, const Candidate& c, const Vec3& x) const { return surface_velocity(walls, at, c.surface(), x); }
  Vec3 wall_velocity(const Candidate& c, const Vec3& x) const { return wall_velocity(planes, c, x); }
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
  /// Collective. `planes` at time t_planes; new ghosts and candidates if some body may have outrun the skin at the
  /// present positions (owned and ghosts), so that every pair with gap <= 0 is a candidate. True if it rebuilt.
  /// `reach`: a distance that no body will pass before the next refresh; every pair that can meet is a candidate then.
  bool refresh(double t_planes, double h, double reach = 0);
  /// Collective. Ghosts and candidates anew.
  void rebuild(double h, double reach = 0);
  /// Collective. Redistributes when the load (`cost`: work of this rank) passes the threshold or when bodies have mixed
  /// so far that the ghosts have grown by half.
  bool rebalance_if_needed(double cost, double h);
  /// Collective, unconditional. A graph with fewer edges than bodies (free flight) is replaced by bisection of space.
  Rebalance rebalance(RebalanceMethod method, double h);

  bool any_contributions() const { return any_contributions_; }   ///< on any rank
  bool any_generalized() const { return any_generalized_; }       ///< on any rank
  bool any_dense() const { return any_dense_; }                   ///< a node whose inertia is not round, on any rank
  bool only_spheres() const { return only_spheres_; }             ///< all shapes, on all ranks
  std::int64_t generation() const { return generation_; }         ///< grows whenever local indices change
  std::int64_t rebuilds() const { return rebuilds_; }

 private:
  double choose_skin(double h) const;
  std::int64_t count_ghosts() const;  ///< collective
  std::int64_t generation_ = 0, rebuilds_ = 0, ghosts_after_rebalance_ = 0, bodies_ = 0;
  bool any_contributions_ = false, any_generalized_ = false, any_dense_ = false, only_spheres_ = true;
};

}  // namespace percussion

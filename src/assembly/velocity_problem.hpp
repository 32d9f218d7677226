// Builds the inclusion problem of a velocity-level step (Moreau family) from a System at its present positions q:
//
//   M (u+ - u) = h h(t_force, q, u) + W P,   xi_N, xi_F, g', gamma at (t_constraint, q, u+)        (Breuling 5.63)
//
// All of M, h and W are taken at the same q, so the Delassus operator is symmetric. Active contacts and warm start as
// in assembly/contact_rows.hpp.
// Cost: O(nodes + candidates + contributions) per rank; three halo exchanges for the copies, plus two for the forces of
// declared contributions if there are any.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "assembly/body_inertia.hpp"
#include "assembly/contact_rows.hpp"
#include "assembly/inclusion_problem.hpp"
#include "assembly/slot_layout.hpp"
#include "assembly/stage_spheres.hpp"
#include "assembly/system.hpp"
#include "contact/sweep_order.hpp"

namespace percussion {

class VelocityProblem {
 public:
  /// Collective. The problem stays valid until the system's generation changes.
  void build(System& system, const VelocityProblemTimes& times);
  /// Collective. Velocities of all local nodes from the slots; percussions to the memory of the contacts.
  void store(System& system);

  /// Collective. The end of a Runge-Kutta step: the system stands at the end positions with the velocities u_free;
  /// exactly the given contacts are closed, with their constants and start percussions. After it only end_velocities().
  void build_closed(System& system, std::span<const ClosedSphere> closed);
  /// Collective. u of all local nodes; percussions (I) of the contacts, in their order, back into P.
  void end_velocities(System& system, std::span<ClosedSphere> closed);

  InclusionProblem& problem() { return problem_; }
  /// Active contacts of the last step, their percussions and identity.
  const ActiveRows& active() const { return active_; }
  ActiveRows& active() { return active_; }

  std::size_t memory() const;

 private:
  void reshape(System& system);
  void add_free_forces(System& system, const VelocityProblemTimes& times);
  void set_free_velocities(System& system, const VelocityProblemTimes& times);
  void share_bodies(System& system, std::span<const SphereContactGeometry> contacts);
  void fill_spheres(System& system);
  void set_masses(const System& system, const Candidate& c, SphereContact& s) const;
  void fill_sphere(const System& system, const SphereContactGeometry& g, SphereContact& s) const;
  void fill_rows(const System& system);
  void add_rows(const System& system, const PendingRows& pending);

  InclusionProblem problem_;
  SlotLayout layout_;
  BodyInertia inertia_;
  ActiveRows active_;
  SweepOrder sweep_order_;
  std::unique_ptr<HaloChannel<double>> channel_;
  std::int64_t generation_ = -1;

  std::vector<double> force_;
  std::vector<std::uint8_t> used_;                  ///< per node: owned, or touched by rows of this rank
  std::vector<std::int32_t> node_copies_;
  std::vector<std::int32_t> sphere_candidate_;      ///< of the sphere contacts, in the order of the problem
  std::vector<std::int32_t> block_;                 ///< of the general rows: index into active_.blocks()
  GatheredState gathered_;
};

}  // namespace percussion

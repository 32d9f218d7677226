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
#include "assembly/mass_shares.hpp"
#include "assembly/slot_layout.hpp"
#include "assembly/stage_spheres.hpp"
#include "assembly/system.hpp"
#include "contact/sweep_order.hpp"

namespace percussion {

/// The old percussion along the new normal, its rest projected on the new friction disc.
template <class Contact>
void warm_start(const Vec3& old, Contact& s) {
  const Vec3 n = Eigen::Map<const Vec3>(s.n);
  const double P_N = std::max(0., n.dot(old));
  Vec3 P_T = old - n.dot(old) * n;
  const double size = P_T.norm();
  if (size > s.mu * P_N) P_T *= s.mu * P_N / size;
  Eigen::Map<Vec3>(s.P) = P_N * n + P_T;
}

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
  /// fill(k) for the detected contacts of round bodies, or of others, in the order of the sweeps but those at shared bodies
  /// first; returns how many those are. k: index into active_.geometry().
  template <class Fill>
  std::int32_t fill_interface_first(const System& system, bool round, Fill&& fill);
  void fill_spheres(const System& system);
  bool touches_shared(const Candidate& c) const { return shares_.shared(c.a) || (!c.is_wall() && shares_.shared(c.b)); }
  void set_masses(const System& system, const Candidate& c, SphereContact& s) const;
  void fill_sphere(const System& system, const SphereContactGeometry& g, SphereContact& s) const;
  void fill_bodies(const System& system);
  void fill_body(const System& system, const SphereContactGeometry& g, BodyContact& s) const;
  void fill_rows(const System& system);
  void add_rows(const System& system, const PendingRows& pending);

  InclusionProblem problem_;
  SlotLayout layout_;
  BodyInertia inertia_;
  ActiveRows active_;
  SweepOrder sweep_order_;
  std::span<const std::int32_t> order_;             ///< of active_.geometry(), in this step
  std::unique_ptr<HaloChannel<double>> channel_;
  std::int64_t generation_ = -1;

  std::vector<double> force_;
  std::vector<std::uint8_t> used_;                  ///< per node: touched by rows of this rank
  MassShares shares_;
  std::vector<std::int32_t> sphere_candidate_;      ///< of the sphere contacts, in the order of the problem
  std::vector<std::int32_t> body_geometry_;         ///< of the body contacts: index into active_.geometry()
  std::vector<std::int32_t> block_;                 ///< of the general rows: index into active_.blocks()
  GatheredState gathered_;
};

template <class Fill>
std::int32_t VelocityProblem::fill_interface_first(const System& system, bool round, Fill&& fill) {
  const bool all_round = system.only_spheres() && !system.any_dense() && !system.any_turning();
  if (all_round && !round) return 0;
  std::int32_t at_interface = 0;
  for (const bool interface : {true, false}) {
    if (interface && problem_.shared.empty()) continue;
    for (const std::int32_t k : order_) {
      const SphereContactGeometry& g = active_.geometry()[k];
      const Candidate& c = system.candidates.candidates()[g.candidate];
      if (touches_shared(c) != interface || (!all_round && (is_round(system.nodes, c, g) != round || turns(system, c)))) continue;
      fill(k);
      at_interface += interface;
    }
  }
  return at_interface;
}

}  // namespace percussion

// Builds the stage problem of free round bodies (assembly/stage_sphere_problem.hpp) and advances its outer iteration.
//
// Without forces between bodies phi of assembly/stage_problem.hpp is solved for dU exactly,
//   dU_j = h g + M^-1 W(Q_j) dPi_j,
// with the directions of the last iterate; gaps and velocities are taken at the stage positions without approximation.
// Angular velocities are kept in I, where the inertia of a round body is constant; orientations do not enter the
// contacts and are integrated once, at the end of the step.
// Cost: O(bodies + contacts) per outer iteration and one halo exchange there and back; no PETSc object.
#pragma once
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "assembly/contact_rows.hpp"
#include "assembly/stage_scheme.hpp"
#include "assembly/stage_sphere_problem.hpp"
#include "contact/sweep_order.hpp"

namespace percussion {

/// A contact on velocity level at the end of the step: psi = W^T u+ + c, P the percussion of the whole step (all in I).
struct ClosedSphere {
  SphereContactGeometry geometry;
  Vec3 c, P;
};

class StageSpheres {
 public:
  /// Collective. Round bodies between walls of all kinds, without contributions, and a method with at most max_row_stages row stages, none explicit.
  static bool fits(const System& system, const StageScheme& scheme);

  /// Collective. The system stands at (t, q_n, u_n), refreshed; candidates with a gap below `margin` take part.
  void begin(System& system, const StageScheme& scheme, double t, double h, double margin);
  /// Local. problem() := at the iterate.
  void linearise();
  /// Collective, with mu solved. Next iterate.
  void advance(System& system);

  StageSphereProblem& problem() { return problem_; }
  /// Collective. Largest way of a body from q_n to a stage.
  double farthest(const System& system) const;

  /// Local. Positions at the end of the step, orientations included, for all local nodes.
  void positions(const System& system, std::vector<double>& q) const;
  /// Collective. Contacts closed at the end as in StageProblem::closed, and velocities (like
  /// nodes.u(), at the end positions q) without the percussions of any contact.
  void velocity_level(System& system, const std::vector<double>& q, std::vector<ClosedSphere>& closed, std::vector<double>& u_free);
  /// Local. U_s like nodes.u() at the end positions, and the percussions of the closed contacts: the naive scheme.
  void end_velocities(const System& system, const std::vector<double>& q, std::vector<double>& u) const;

  /// Local, after the step: mu of its contacts as the start of the next.
  void remember(const System& system);

  /// Local. What remember() keeps, and the last step size as a number.
  void save(StepMemory& memory) const;
  void load(StepMemory& memory);

  double penetration() const { return penetration_; }  ///< local, at the end of the step
  std::size_t memory() const;

 private:
  struct Frame {
    double n[3], t[3];
  };
  /// Identity of a contact; b < 0: wall.
  struct PairOfIds {
    std::int64_t a, b;
    bool operator==(const PairOfIds&) const = default;
  };
  struct HashOfIds {
    std::size_t operator()(const PairOfIds& p) const { return std::hash<std::int64_t>()(static_cast<std::int64_t>(static_cast<std::uint64_t>(p.a) * 0x9E3779B97F4A7C15u) ^ p.b); }
  };
  /// mu of the contacts of the last step, in their frames. Found by candidate as long as the list is the same, by ids after.
  struct Memory {
    std::vector<PairOfIds> pairs;
    std::vector<double> mu;
    std::vector<std::int32_t> of_candidate;  ///< index into pairs, or -1
    std::int64_t rebuilds = -1;              ///< of the list that of_candidate belongs to
    std::unordered_map<PairOfIds, std::int32_t, HashOfIds> by_ids;  ///< filled when needed
  };
  void reshape(System& system);
  void choose_contacts(System& system, double margin);
  void share_bodies(System& system);
  void set_contact(const System& system, std::size_t k, StageContact& contact) const;
  void evaluate(System& system);
  void add_percussions(const System& system);
  void set_stages(const System& system);
  void evaluate_contacts(System& system);
  /// Q: like nodes.q(); V: 6 per node; planes_ and obstacles at the time of both.
  Vec3 relative_velocity(const System& system, const Candidate& c, const double* n, const std::vector<double>& Q, const std::vector<double>& V) const;
  Vec3 wall_velocity(const System& system, const Candidate& c, const Vec3& n, const std::vector<double>& Q) const;
  Vec3 known_percussion(std::size_t k) const;
  void prepare_memory(const System& system);
  const double* remembered(const System& system, std::int32_t candidate) const;
  void to_vectors(const std::vector<double>& components, std::vector<double>& vectors) const;
  void sum_at_nodes(std::vector<double>& values, HaloChannel<double>* channel) const;

  StageScheme scheme_;
  double t_ = 0, h_ = 0, last_h_ = 0, penetration_ = 0;
  std::int64_t generation_ = -1;
  StageSphereProblem problem_;
  std::unique_ptr<HaloChannel<double>> slot_channel_, force_channel_, end_channel_;
  SweepOrder sweep_order_;
  std::vector<SphereContactGeometry> geometry_;      ///< in the order of the problem
  std::vector<std::vector<Frame>> frames_;           ///< per stage, per contact
  std::vector<Vec3> axis_, before_;                  ///< per contact; before: rates of the rows at (t_n, q_n, u_n)
  std::vector<double> overlap_;                      ///< per contact: gap at t_n of closed or overlapping ones, else 0
  Memory memory_;
  std::vector<std::int32_t> copies_;
  std::vector<std::uint8_t> used_;
  std::vector<Plane> planes_;
  std::vector<double> v_n_, force_;                  ///< v_n: 6 per node; force: 6 m per node
  std::vector<double> psi_, mu_;                     ///< per contact and row stage: N, T1, T2 in the frame of the stage
  std::vector<std::vector<double>> Q_, V_;           ///< per stage: like nodes.q(); 6 per node
};

/// Force F on b, -F on a, at the point of contact: adds force and torque (I) of both nodes to f, `stride` per node.
void add_contact_force(const NodeStore& nodes, const Candidate& c, const Vec3& n, const Vec3& F, double* f, std::size_t stride);

}  // namespace percussion

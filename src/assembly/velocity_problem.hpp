// Builds the inclusion problem of a velocity-level step (Moreau family) from a System at its present positions q:
//
//   M (u+ - u) = h h(t, q, u) + W P,   xi_N, xi_F, g' = 0, gamma = 0 at (t+, q, u+)     (Breuling 5.63)
//
// Active contacts are those with gap <= 0 at q. The free velocity contains gravity, gyroscopic forces and the force
// contributions, all evaluated at (t, q, u). Warm start: P of the last step by contact identity.
// Cost: O(nodes + candidates + contributions) per rank; two halo exchanges, plus two with declared contributions.
#pragma once
#include <vector>

#include "assembly/inclusion_problem.hpp"
#include "assembly/system.hpp"

namespace percussion {

struct VelocityProblemTimes {
  double t_force;       ///< where h is evaluated
  double t_constraint;  ///< where W, chi are evaluated
  double h;             ///< step
};

/// What happened to the contacts of a step, for reports and output.
struct ContactSummary {
  std::int64_t active = 0;
  double penetration = 0;  ///< deepest, >= 0
};

class VelocityProblem {
 public:
  /// Collective. The problem stays valid until the system's generation changes.
  void build(System& system, const VelocityProblemTimes& times);
  /// Local. Velocities of all local nodes from the slots; percussions back to the memory of the contacts.
  void store(System& system);

  InclusionProblem& problem() { return problem_; }
  const InclusionProblem& problem() const { return problem_; }
  const ContactSummary& summary() const { return summary_; }  ///< of this rank

  /// Percussions of a declared contribution's rows after store(): normal/friction or constraint rows; empty if inactive.
  std::span<const double> percussion(std::int64_t contribution_id) const;
  /// Candidate of each sphere contact of the problem, in its order.
  std::span<const std::int32_t> sphere_candidates() const { return sphere_candidate_; }
  std::span<const double> sphere_gaps() const { return sphere_gap_; }

 private:
  struct Memory {
    std::int64_t id;  ///< contribution
    int role;
    std::vector<double> P;
  };
  void set_free_velocities(System& system, const VelocityProblemTimes& times);
  void set_inverse_masses(System& system, const VelocityProblemTimes& times);
  void add_sphere_contacts(System& system);
  void add_declared(System& system, const VelocityProblemTimes& times);
  void add_block(const System& system, std::int32_t entry, int role, const MatX& W, const VecX& c, bool bilateral, bool has_normal,
                 double P_N, const std::vector<FrictionLaw>& laws);
  void finish_blocks(System& system);
  void share_bodies(System& system);
  std::vector<double>& remembered(std::int64_t id, int role, int rows);

  InclusionProblem problem_;
  ContactSummary summary_;
  std::vector<std::int32_t> sphere_candidate_;
  std::vector<double> sphere_gap_;
  std::vector<double> M_inv_;  ///< 7 x 7 per node that is not round, row-major
  std::vector<std::int32_t> M_inv_of_;
  std::vector<std::pair<std::int64_t, int>> block_owner_;  ///< contribution id and role of each general block
  std::vector<Memory> memory_;
};

}  // namespace percussion

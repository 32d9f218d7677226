// The rows of W^T that act in a velocity-level step, before they reach a problem: declared constraints and contacts,
// and detected contacts of spheres. Shared by all views of the inclusion problem.
//
//   psi = W^T u+ + c,   c = chi + e (W^T u + chi)                              (Breuling 3.12, 3.17, 3.44, 3.46)
//
// Everything is taken at the present positions of the system, whose u is that at the beginning of the step. Active
// contacts are those with gap <= 0 at (t_position, q). The rows live on the rank of their contribution or candidate.
// Warm start: P of the last step by contact identity, turned with the normal and scaled with the step.
#pragma once
#include <array>
#include <map>
#include <span>
#include <vector>

#include "assembly/gathered_state.hpp"
#include "assembly/inclusion_problem.hpp"
#include "assembly/step_memory.hpp"
#include "assembly/system.hpp"

namespace percussion {

struct VelocityProblemTimes {
  double t_force;       ///< where h is evaluated
  double t_position;    ///< of q: gaps and directions
  double t_constraint;  ///< where chi is evaluated
  double h;             ///< step
};

/// What friction does: the percussion is inside its reservoir, or on its boundary.
enum class Friction : std::int8_t { unloaded = -1, stick = 0, slip = 1 };  ///< unloaded: P_N = 0

/// A contact for reports and output. The friction percussion is a vector in I.
struct ContactRecord {
  std::int64_t id_a, id_b;  ///< nodes; -1 - plane for walls; declared contacts: first node and -1
  Vec3 point, n, P;         ///< on b (declared: on the first node), P = n P_N + friction
  double gap;
  Friction friction = Friction::unloaded;
  std::int32_t plane = -1;  ///< number of the surface (contact/wall.hpp): index into System::planes, beyond them obstacles; -1: not with a wall
};

/// What happened to the contacts of a step on this rank.
struct ContactSummary {
  std::int64_t active = 0;
  double penetration = 0;  ///< deepest, >= 0
};

enum class RowRole : std::uint8_t { detected, constraint, velocity_constraint, contact };

/// Identity of a block of rows.
struct RowSource {
  RowRole role;
  std::int64_t id;  ///< contribution, or index into ActiveRows::geometry()
  bool operator<(const RowSource& o) const { return role != o.role ? role < o.role : id < o.id; }
};

/// f(first node, source, remembered) for the entries of `memory` (by RowSource) whose contribution is on this rank.
template <class Memory, class Function>
void for_each_remembered(const ContributionStore& contributions, const Memory& memory, Function&& f) {
  for (std::int32_t k = 0; k < contributions.size(); ++k)
    for (const RowRole role : {RowRole::constraint, RowRole::velocity_constraint, RowRole::contact})
      if (const auto found = memory.find({role, contributions[k].id}); found != memory.end())
        f(contributions[k].node_ids.front(), found->first, found->second);
}

/// One block of rows; W in u coordinates, nodes one after the other.
struct PendingRows {
  RowSource source;
  std::span<const std::int32_t> nodes;
  MatX W;  ///< nu x rows
  VecX c;
  VecX P;
  bool bilateral = false, has_normal = false;
  double P_N = 0;  ///< known normal percussion, if not has_normal
  std::vector<FrictionLaw> laws;
  double gap = 0;
};

/// Which detected contacts get rows.
enum class DetectedRows { all, turning };  ///< turning: with rolling or pivoting friction; the body view has layouts of its own for the others

class ActiveRows {
 public:
  /// Local. Contacts closed at the present positions.
  void detect(System& system);
  /// Local, after detect. Rows of all active blocks.
  void evaluate(const System& system, const VelocityProblemTimes& times, DetectedRows detected);
  /// Local, after the step. Percussions of block k to the memory of its contact; forget() comes first.
  void forget(System& system);
  void remember(System& system, const PendingRows& rows, const double* P);

  std::span<const SphereContactGeometry> geometry() const { return geometry_; }
  const std::vector<PendingRows>& blocks() const { return blocks_; }
  const ContactSummary& summary() const { return summary_; }
  /// Factor from the percussions of the last step to the start of this one.
  double memory_scale() const { return memory_scale_; }

  /// Percussions of the last step of a declared contribution, on its rank: constraint rows, or normal (if any) and
  /// friction rows. Empty if it was not active.
  std::span<const double> percussion(std::int64_t contribution_id) const;
  /// Active contacts of the last step on this rank, detected and declared. Before local indices change.
  void append_contacts(const System& system, std::vector<ContactRecord>& contacts) const;

  /// Local. Percussions of declared contributions, and the last step size as a number.
  void save(const System& system, MemoryKind kind, StepMemory& memory) const;
  void load(MemoryKind kind, StepMemory& memory);

 private:
  void evaluate_contribution(const System& system, const VelocityProblemTimes& times, std::int32_t k);
  PendingRows detected_rows(const System& system, std::size_t k) const;
  VecX remembered(const RowSource& source, Eigen::Index rows) const;
  std::array<std::int64_t, 3> turning_key(const System& system, const SphereContactGeometry& g) const;

  std::span<const SphereContactGeometry> geometry_;
  std::vector<PendingRows> blocks_;
  std::map<RowSource, std::vector<double>> memory_;  ///< percussions of declared contributions
  std::map<std::array<std::int64_t, 3>, Vec3> turning_;  ///< moments (I) of detected contacts, by ids and feature
  double memory_scale_ = 1, last_h_ = 0;
  std::int64_t generation_ = -1;  ///< of the system at detect()
  ContactSummary summary_;
  GatheredState gathered_;
};

/// Whether a detected contact fits the layout of SphereContact: arms along n, isotropic inertia.
bool is_round(const NodeStore& nodes, const Candidate& c, const SphereContactGeometry& g);
/// Law of a detected contact.
SurfaceLaw surface_law(const System& system, const Candidate& c);
/// Whether it has rows of rolling and pivoting.
inline bool turns(const System& system, const Candidate& c) { return system.any_turning() && surface_law(system, c).turns(); }
/// Components of an angular velocity along the rows of turning: t_1, t_2, n.
inline Vec3 turning_components(const Mat3& frame, const Vec3& omega) { return {frame.col(1).dot(omega), frame.col(2).dot(omega), frame.col(0).dot(omega)}; }

/// Number of rows of a detected contact: normal, two of friction and, if it turns, two of rolling and one of pivoting.
inline int detected_size(const SurfaceLaw& law) { return law.turns() ? 6 : 3; }
std::vector<FrictionLaw> detected_laws(const SurfaceLaw& law);
/// W (nu x rows) of a detected contact along the columns of `frame` = (n, t_1, t_2), at the present positions; 6 rows: then
/// the relative angular velocity about t_1, t_2, n.
void contact_directions(const NodeStore& nodes, const Candidate& c, const ContactArms& arms, const Mat3& frame, int rows, MatX& W);
/// A detected contact as a record, with the percussion its candidate remembers.
ContactRecord detected_record(const System& system, const SphereContactGeometry& g);
/// A declared contact as a record: the velocity rows of W on the first node give the percussion on it, whatever its
/// columns are. Nothing for generalized nodes, which have no place.
struct DeclaredPercussion {
  std::span<const double> P;  ///< normal (if any) and friction rows
  bool has_normal;
  double P_N;                 ///< known normal percussion, if not has_normal
  std::span<const FrictionLaw> laws;
  double h = 1;               ///< step, if constant reservoirs are still forces
};
void append_declared_record(const System& system, std::span<const std::int32_t> nodes, const MatX& W, const DeclaredPercussion& percussion,
                            double gap, std::vector<ContactRecord>& contacts);

/// Appends block, laws, c and P; G, arms and steps of the laws are left to the view.
RowBlock& append_block(GeneralRows& rows, const PendingRows& pending);
/// G_inv of the block and rho of its laws from its G; of the symmetric part if G is not symmetric.
void set_block_steps(GeneralRows& rows, RowBlock& block);

}  // namespace percussion

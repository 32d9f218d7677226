// Constraints and contacts of one Runge-Kutta step on this rank, with their rows at every stage.
//
// Position rows (g, g_N) are kept as g / h, so that all rows are velocities. A block is one contact or constraint; its
// percussions are the mu of the row stages, stage after stage (assembly/stage_scheme.hpp).
// Which contacts: all declared ones, and the detected candidates with a gap below `margin` at the beginning of the
// step. The caller makes the margin large enough and checks it afterwards: no two bodies may have come nearer by more.
// Tangents of detected contacts turn with the normal around an axis fixed for the step, so that percussions of
// different stages may be added.
#pragma once
#include <map>
#include <span>
#include <vector>

#include "assembly/contact_rows.hpp"
#include "assembly/stage_scheme.hpp"

namespace percussion {

struct StageBlock {
  RowSource source;                      ///< detected: index into the step's geometry
  std::span<const std::int32_t> nodes;
  std::int32_t contribution = -1;        ///< local index; detected: -1
  int rows = 0, n_N = 0;                 ///< n_N: 1 if the first row is a gap
  bool bilateral = false, position_level = false;
  double la_N = 0, e_N = 0, e_F = 0;
  std::vector<FrictionLaw> laws;         ///< `first` counts from the first row of the block
  Vec3 axis = Vec3::Zero();
  std::vector<MatX> W;                   ///< per stage, nu x rows
  std::vector<VecX> psi;                 ///< per stage
  VecX before;                           ///< g_N', gamma_F at (t_n, q_n, u_n)
  double gap = 0;                        ///< at the end of the step
  VecX mu;                               ///< m x rows
  VecX dPi_first;                        ///< known percussion of an explicit first stage

  bool is_position(int row) const { return position_level || row < n_N; }
};

class StageRows {
 public:
  /// Local. The system stands at (t_n, q_n, u_n). Start values of mu from the last step, by identity.
  void collect(System& system, const StageScheme& scheme, double t, double h, double margin);
  /// Local. W and psi of all blocks at stage i; the system is lent Q_i, U_i, the time is tau_i.
  void evaluate(System& system, int i, double t, double h);

  /// Local. g', gamma of the rows of a block where it was evaluated last at stage i; the system is lent that state.
  VecX rates(const System& system, const StageBlock& block, int i, double t);
  /// Local. zeta of the rows: g'', gamma' = W^T u' + zeta, as above; where it has a closed form.
  VecX zeta(const System& system, const StageBlock& block, double t);
  /// Declared rows; without rolling friction spheres with spheres and with planes of constant velocity.
  static bool has_zeta(const System& system, const StageBlock& block) {
    return block.contribution >= 0 || (block.rows == 3 && system.only_spheres() && system.walls.are_plain());
  }
  /// Local. Whether the block took part in the last step; blocks that are not contacts always do.
  bool was_closed(const System& system, const StageBlock& block) const;

  /// Percussion dPi of a block at unknown stage j.
  static VecX dPi(const StageScheme& scheme, const StageBlock& block, int j);
  /// Local. f -= W(Q_j) dPi_j of all blocks, f like nodes.u(); j counts unknown stages.
  void subtract_percussions(const System& system, const StageScheme& scheme, int j, std::span<double> f) const;

  std::vector<StageBlock>& blocks() { return blocks_; }
  const std::vector<StageBlock>& blocks() const { return blocks_; }
  /// True if the last collect() found other blocks than the one before. Local.
  bool changed() const { return changed_; }
  const SphereContactGeometry& geometry(const StageBlock& block) const { return geometry_[block.source.id]; }
  /// dPi of the constraint rows of contribution k (local index) at unknown stage j; empty if it has none.
  std::span<const double> constraint_percussion(const StageScheme& scheme, std::int32_t k, int j);

  /// Local, after the step, for closed contacts and constraints: Delta pi for output, mu for the next start. forget()
  /// comes first.
  void forget(System& system);
  void remember(System& system, const StageBlock& block, const VecX& delta_pi);
  std::span<const double> percussion(std::int64_t contribution_id) const;
  void append_contacts(const System& system, std::vector<ContactRecord>& contacts) const;

  /// Local. mu and Delta pi of declared contributions, and the last step size as a number.
  void save(const System& system, StepMemory& memory) const;
  void load(StepMemory& memory);
  /// Local. The next collect() has changed() unless it finds these blocks, in this order. Row: source, and a, b and
  /// slot of detected contacts.
  template <class Row>
  void expect(const System& system, const std::vector<Row>& rows);

 private:
  void add_contribution(const System& system, const StageScheme& scheme, std::int32_t k);
  void add_detected(const System& system, const StageScheme& scheme, std::size_t k);
  void start_values(StageBlock& block, const StageScheme& scheme, const VecX& last);
  void evaluate_declared(const System& system, StageBlock& block, int i, double t, double h);
  void evaluate_detected(const System& system, StageBlock& block, int i, double h);

  struct Memory {
    std::vector<double> mu, delta_pi;
  };
  std::vector<StageBlock> blocks_;
  std::vector<std::int64_t> signature_, last_signature_;
  bool changed_ = true;
  std::vector<SphereContactGeometry> geometry_;
  Vec3 wall_velocity(const System& system, const StageBlock& block, const Candidate& c) const;

  std::vector<Plane> planes_;
  std::vector<std::int32_t> constraint_block_;  ///< per contribution; -1: none
  VecX constraint_dPi_;
  std::map<RowSource, Memory> memory_;
  double h_ = 0, last_h_ = 0;
  std::int64_t generation_ = -1;
  GatheredState gathered_;
};

template <class Row>
void StageRows::expect(const System& system, const std::vector<Row>& rows) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> candidate;
  const auto candidates = system.candidates.candidates();
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const Candidate& c = candidates[k];
    // The first slot of the pair: it comes first.
    candidate.try_emplace({system.nodes[c.a].id, c.is_wall() ? c.b : system.nodes[c.b].id}, static_cast<std::int64_t>(k));
  }
  signature_.assign(1, system.generation());
  for (const Row& row : rows) {
    const bool detected = row.source.role == RowRole::detected;
    const auto found = candidate.find({row.a, row.b});
    signature_.push_back(static_cast<std::int64_t>(row.source.role));
    signature_.push_back(!detected ? row.source.id : found == candidate.end() ? -1 : found->second + row.slot);
  }
}

}  // namespace percussion

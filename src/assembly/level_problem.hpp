// A linear problem on velocity or acceleration level at one configuration, in the assembled view:
//
//   M(t, q) (x - x_base) = f + F (P - P_known),   psi = W^T x + c in the normal cones of -P          (Breuling 4.111, 3.52)
//
// Velocity projection and last stage of the partitioned methods: x = u+, P the percussions of the whole step,
// P_known those of the stages. Consistent accelerations: x = h u', P = h la. F = W but for sliding contacts on
// acceleration level, whose friction is tied to the normal force (3.51).
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "assembly/assembled_problem.hpp"
#include "assembly/contact_rows.hpp"
#include "assembly/delassus.hpp"

namespace percussion {

struct LevelBlock {
  PendingRows rows;  ///< W: the rows
  MatX F;            ///< empty: W
  VecX P_known;      ///< empty: zero
};

class LevelProblem {
 public:
  /// Collective. The system stands at the configuration; x_base and f are like nodes.u(), f not yet summed over ranks
  /// (and void afterwards), x_base valid on owned nodes.
  void build(System& system, double t, std::span<const LevelBlock> blocks, const std::vector<double>& x_base, std::vector<double>& f);
  /// Collective, with P solved. x of all local nodes.
  void finish(const System& system, std::vector<double>& x);

  AssembledProblem& problem() { return problem_; }
  std::int64_t factorisations() const { return matrix_.factorisations(); }

 private:
  DofMap dofs_;
  StageMatrix matrix_;
  Delassus delassus_;
  AssembledProblem problem_;
  std::unique_ptr<HaloChannel<double>> channel_;
  PetscVec rhs_, free_, dx_;
};

}  // namespace percussion

// psi = G P + c of an assembled problem and the natural-map residual that judges its solvers (solvers/residual.hpp).
//
// The energy norm is |F|^2 = sum_k F_k' G_kk F_k. Blocks of a Runge-Kutta stage are not symmetric and F' G F may then be
// small or negative for F != 0; a block counts at least a hundredth of sum_r G_rr F_r^2, so that no F can hide.
// With AssembledProblem::measure == cone the residual is that of solvers/cone_residual.hpp instead.
#pragma once
#include <vector>

#include "solvers/delassus_rows.hpp"

namespace percussion {

class RowVelocities {
 public:
  /// Collective: measures F at P = 0, or c.
  explicit RowVelocities(AssembledProblem& problem);

  AssembledProblem& problem() { return problem_; }
  const DelassusRows& G() const { return G_; }
  /// Collective. psi of the present P.
  void update() { G_.multiply(problem_.rows.P, problem_.rows.c, psi_), fresh_ = true; }
  /// Collective. The same, unless nobody called changed() since the last update.
  void refresh() {
    if (!fresh_) update();
  }
  void changed() { fresh_ = false; }
  const std::vector<double>& psi() const { return psi_; }
  SmallVec of(const RowBlock& block) const { return Eigen::Map<const VecX>(psi_.data() + block.first_row, block.rows); }

  /// Collective. update() and residual of the present P.
  double residual() { return update(), residual(psi_, problem_.rows.P); }
  /// Collective. Of any pair, measured with the G and the start of this problem.
  double residual(const std::vector<double>& psi, const std::vector<double>& P) const;

 private:
  AssembledProblem& problem_;
  DelassusRows G_;
  std::vector<double> psi_;
  bool fresh_ = false;
  double start_ = 0;
};

}  // namespace percussion

// The matrix of the theta scheme at a Newton iterate, its factorisation and its solutions:
//
//   H_xx = M(q~) - h theta h_u - h^2 theta^2 h_q B(q~),   h_u, h_q at (t_theta, q_theta, u_theta)            (Acary 36)
//
// Distributed like the velocities (assembly/dof_map.hpp), MPIAIJ. Each rank brings the terms of its nodes and of its
// contributions; the pattern is the contribution graph and is kept as long as local indices stay, so the symbolic
// factorisation is too. Round bodies without contributions are 1x1 blocks.
// Linear solver: LU by MUMPS, once per iterate; anything else by PETSc options with the prefix `percussion_`, for
// instance -percussion_ksp_type gmres -percussion_pc_type hypre.
//
// H_xx is symmetric if h_u and h_q B are. Gyroscopic forces, follower loads and springs on turning bodies away from
// equilibrium are not; then the Delassus operator is not symmetric either: sweeps still work where the unsymmetric part
// is small (it has a factor h), but their proof of monotone descent needs symmetry.
#pragma once
#include <span>
#include <vector>

#include "assembly/dof_map.hpp"
#include "assembly/gathered_state.hpp"
#include "assembly/petsc.hpp"
#include "assembly/system.hpp"

namespace percussion {

struct ThetaStep {
  double t, h, theta;
  double t_theta() const { return t + theta * h; }
};

class IterationMatrix {
 public:
  /// Collective. Makes the pattern; call whenever the numbers of `dofs` are new.
  void reshape(const System& system, const DofMap& dofs);
  /// Local. M at the present positions.
  void set_mass(const System& system, double t);
  /// Local. y += M x, arrays like nodes.u(): terms of owned nodes and of the contributions here, not yet summed over ranks.
  void add_mass(const System& system, std::span<const double> x, std::span<double> y) const;
  /// Local. y += diagonal of M, the same way.
  void add_mass_diagonal(const System& system, std::span<double> y) const;

  /// Collective. H_xx with the present q, u of the nodes as q_theta, u_theta, and B at q_B (like nodes.q()).
  void linearise(const System& system, const ThetaStep& step, std::span<const double> q_B);
  /// Collective. H x = b. RunError if the linear solver fails.
  void solve(Vec b, Vec x);
  /// Collective. H X = B for dense B.
  void solve(Mat B, Mat X);
  /// Collective. A vector that H can be applied to.
  PetscVec make_vector() const;

 private:
  /// f(entry, i) for owned nodes, f(entry, k) for contributions with force or inertia; entry: place of their block.
  template <class OnNode, class OnContribution>
  void for_each_block(const System& system, OnNode&& on_node, OnContribution&& on_contribution) const;
  void check(const char* what) const;

  PetscMat H_;
  PetscKsp ksp_;
  std::vector<double> mass_, value_;  ///< block after block, row by row
  mutable GatheredState gathered_;
};

}  // namespace percussion

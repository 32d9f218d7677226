// The matrix of a stage problem, its factorisation and its solutions:
//
//   H_xx = 1 (x) M - h A_hat (x) h_u + h (A A_hat) (x) K B,   K = (M dU)_q - h h_q - (W_g dPi_g)_q      (Breuling 6.10)
//
// with the rows and columns of the unknown stages and everything at the state of the row's stage. Left out, because
// they only cost speed of convergence of a simplified Newton method: the derivative of B in Q(U) and the curvature of
// contacts; both have a factor h^2.
// Distributed like the velocities (assembly/dof_map.hpp), m unknowns for each of them: the velocities of a node are
// neighbours, stage after stage. Each rank brings the terms of its nodes and of its contributions; the pattern is the
// contribution graph, kept as long as local indices stay.
// Linear solver: systems of a few unknowns on one rank are dense, without PETSc. Else, where no contribution couples nodes
// H_xx is block-diagonal and solved by its blocks (PCVPBJACOBI: pbjacobi for blocks of different sizes); else LU, by PETSc
// itself on one rank and by MUMPS on several or for large systems. Anything else by PETSc options, on the command line
// after --: -ksp_type gmres -pc_type asm.
// A matrix with the values of the last one keeps its factorisation.
#pragma once
#include <Eigen/LU>

#include <span>
#include <vector>

#include "assembly/dof_map.hpp"
#include "assembly/gathered_state.hpp"
#include "assembly/petsc.hpp"
#include "assembly/stage_scheme.hpp"
#include "assembly/system.hpp"

namespace percussion {

/// State of one unknown stage for the matrix; arrays laid out like nodes.q() and nodes.u().
struct StageState {
  double t;
  std::vector<double>*Q, *U;
  const std::vector<double>* dU;
};

class StageMatrix {
 public:
  /// Collective. Pattern for m stages; call whenever the numbers of `dofs` are new. Stiffness terms of forces and
  /// constraints are part of it unless `mass_only`.
  void reshape(const System& system, const DofMap& dofs, int m, bool mass_only);

  /// Collective.
  /// dPi_g(k, j): percussion dPi of the constraint of contribution k at unknown stage j, rows() entries.
  template <class ConstraintPercussion>
  void assemble(System& system, const StageScheme& scheme, double h, std::span<StageState> stages, ConstraintPercussion&& dPi_g);
  /// Collective. 1 (x) M at the present positions.
  void assemble_mass(const System& system, double t);

  /// Collective. H x = b; RunError if the linear solver fails. Vectors from make_vector().
  void solve(Vec b, Vec x);
  void solve(Mat B, Mat X);
  PetscVec make_vector() const;

  /// Small, on one rank, and no PETSc options ask for anything else.
  bool is_dense() const { return dense_; }
  MatX solve_dense(const MatX& B) const { return lu_.solve(B); }
  PetscInt size() const { return size_; }

  int m() const { return m_; }
  bool block_diagonal() const { return block_diagonal_; }
  /// The inverse of a block-diagonal matrix, with its blocks. Collective; not for dense systems.
  PetscMat inverse_blocks() const;
  /// Times the matrix was factorised.
  std::int64_t factorisations() const { return factorisations_; }

  /// Global number of velocity `first` + r of a node with n velocities at unknown stage j; `first` is DofMap's.
  PetscInt number(PetscInt first, int n, int j, int r) const { return m_ * first + j * n + r; }
  /// Appends the numbers of all velocities of the nodes at stage j, one node after the other.
  void append_numbers(const NodeStore& nodes, const DofMap& dofs, std::span<const std::int32_t> local, int j, std::vector<PetscInt>& numbers) const;

 private:
  bool has_block(const Contribution& c) const;
  /// Collective. value_ into the matrix and its factors, unless they are in it already.
  void set_values(MPI_Comm comm);
  void choose_solver(MPI_Comm comm);
  void check(const char* what) const;
  void add_node_blocks(const System& system, const StageScheme& scheme, double h, int j);
  void add_mass_block(const System& system, double t, std::int32_t k, int j, std::size_t entry);
  void add_stiffness_block(const System& system, const StageScheme& scheme, double h, const StageState& stage, int j, std::int32_t k,
                           std::span<const double> dPi_g, std::size_t entry);

  int m_ = 0;
  bool mass_only_ = false, block_diagonal_ = false;
  std::int64_t factorisations_ = 0;
  PetscInt size_ = 0;
  bool dense_ = false;
  std::vector<PetscInt> block_size_;        ///< of owned nodes, all stages
  std::vector<PetscInt> row_, column_;      ///< of value_, if dense
  MatX H_dense_;
  Eigen::PartialPivLU<MatX> lu_;
  PetscMat H_;
  PetscKsp ksp_;
  std::vector<double> value_, factorised_;  ///< dense blocks, row by row: nodes, then contributions; now and in the factors
  std::vector<std::size_t> node_entry_;     ///< of owned nodes
  std::vector<std::size_t> contribution_entry_;
  GatheredState gathered_;
};

}  // namespace percussion

#include "assembly/lent_state.hpp"

namespace percussion {

template <class ConstraintPercussion>
void StageMatrix::assemble(System& system, const StageScheme& scheme, double h, std::span<StageState> stages, ConstraintPercussion&& dPi_g) {
  std::fill(value_.begin(), value_.end(), 0.);
  all_or_none(system.comm(), [&] {
    for (int j = 0; j < m_; ++j) {
      const LentState lent(system.nodes, *stages[j].Q, *stages[j].U);
      add_node_blocks(system, scheme, h, j);
      for (std::int32_t k = 0; k < system.contributions.size(); ++k) {
        if (!has_block(*system.contributions[k].contribution)) continue;
        add_mass_block(system, stages[j].t, k, j, contribution_entry_[k]);
        add_stiffness_block(system, scheme, h, stages[j], j, k, dPi_g(k, j), contribution_entry_[k]);
      }
    }
  });
  set_values(system.comm());
}

}  // namespace percussion

// The stage problem of a Runge-Kutta step for round bodies in the body view (docs/architecture.md, "One discrete problem"):
//
//   y_r = M^-1 W (mu_r - mu_r^k)                                  one velocity increment per body and row stage r
//   psi_N,i = c_N,i + sum_r C_ir (W_N^T y_r),   psi_F,i = c_F,i + sum_r D_ir (W_F^T y_r)
//   (psi_N,i, psi_F,i) in the normal cones of -mu_i,   i = 1..m                                         (Breuling 6.1, 6.3)
//
// C = (A A_hat)(rows, unknown) S and D = A_hat(rows, unknown) S are the same for all contacts: D = 1, C = A for the
// projected methods (4.78, 4.79), C = A_alpha A_hat_beta for the partitioned ones (5.54). W is frozen at one
// configuration; c is psi at the iterate mu^k, evaluated without any approximation, so the outer iteration converges to
// the problem with W(Q_j) at every stage. A contact is one block over its stages.
//
// Ranks and copies as in assembly/inclusion_problem.hpp: `bodies` holds the slots, m lines for each body, no contacts.
// Contract: the builder leaves y = 0; a solver leaves y = M^-1 W (mu - mu^k), equal on all copies.
#pragma once
#include <cstdint>
#include <vector>

#include "assembly/inclusion_problem.hpp"
#include "math/types.hpp"

namespace percussion {

constexpr int max_row_stages = 3;

struct StageContact {
  std::int32_t a, b;  ///< first lines
  double n[3];
  double inv_G_N, inv_G_T;
  double mu, r_a, r_b;
};

struct StageSphereProblem {
  InclusionProblem bodies;
  int m = 1;                           ///< row stages
  MatX C, D;                           ///< m x m
  std::vector<MatX> subset_inverse;    ///< by bits: inverse of the principal submatrix of C, zero elsewhere
  std::vector<StageContact> contacts;
  std::int32_t interface = 0;          ///< the first contacts touch shared bodies
  std::vector<double> c, mu;           ///< per contact and stage a vector in I: (psi_N n + psi_T), (mu_N n + mu_T)
  double stopping = 0;                 ///< local: squared energy norm of the percussions that would stop the bodies

  std::int64_t blocks() const { return static_cast<std::int64_t>(contacts.size()); }
};

}  // namespace percussion

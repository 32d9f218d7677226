// Butcher tableaus as data: the stiffly accurate methods of Breuling 4.4 and the partitioned pair of Breuling 5.4.
// No coefficient is typed: they follow from the simplifying assumptions in extended precision and are rounded once,
// so that the order conditions hold to 1e-14. All functions throw std::invalid_argument on parameters outside the
// stated range.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "math/types.hpp"

namespace percussion {

struct Tableau {
  std::string name;  // <family>_<s>, or the family where s is fixed
  int s = 0;         // stages
  MatX A;            // s x s
  VecX b, c;         // s
  MatX A_inv;        // A^-1, or 0 x 0 if A is singular (exactly: a zero row or column)

  // Embedded weights on the same stages for an error estimate; b_hat is empty and the order 0 if there are none.
  VecX b_hat;
  int embedded_order = 0;

  int order = 0;        // classical order p
  int stage_order = 0;  // min(p, eta) of B(p), C(eta)

  // Read off A and b, exact in floating point.
  bool stiffly_accurate = false;      // a_sj = b_j (4.17): x_{n+1} = X_s
  bool explicit_first_stage = false;  // a_1j = 0: X_1 = x_n, A singular
  bool diagonally_implicit = false;   // a_ij = 0 for j > i: stages can be solved one after the other
};

// A_alpha_alpha (4.83) of the stages to be solved for: {2..s} behind an explicit first stage, else all of A.
// A P-matrix (Example 4.12) for every method named below except Lobatto IIIC with s >= 3, where it is only P_0:
// a principal minor vanishes, for s = 3 that of the stages {1, 3}.
MatX implicit_block(const Tableau& tableau);

// The pair of (5.2): q by (A, b, c), u and the percussions by (A_hat, b, c). Both have the form (5.19), (5.20):
// a_1j = 0, a_sj = b_j, a_hat_i1 = b_1, a_hat_is = 0. alpha = {2..s}, beta = {1..s-1} carry the index shift between
// the contact distance of stage i and the percussion of stage i - 1 (5.30).
struct PartitionedTableau {
  std::string name;
  int s = 0;
  MatX A, A_hat;          // s x s
  VecX b, c;              // s
  int order = 0;
  MatX A_alpha;           // rows alpha of A, (s-1) x s
  MatX A_hat_beta;        // columns beta of A_hat, s x (s-1); A_alpha A_hat_beta is the block of (5.53), (5.54)
  MatX shift, shift_inv;  // s x s factor of (5.41), dmu = shift dPi: d Pi_1..d Pi_{s-1}, b^T d Pi; inverse (5.52)
};

constexpr int max_stages = 10;

Tableau radau_iia(int s);         // order 2s-1, s = 1..max_stages; 1 is backward Euler
Tableau lobatto_iiic(int s);      // order 2s-2, s = 2..max_stages
Tableau lobatto_iiia(int s);      // order 2s-2, s = 2..max_stages; 2 is the trapezoidal rule
Tableau lobatto_iiib(int s);      // order 2s-2, s = 2..max_stages; not stiffly accurate
Tableau sdirk(int s);             // Alexander, order s, s = 2..3
Tableau tr_bdf2();                // order 2, R(inf) = 0
Tableau trx2();                   // order 2, R(inf) = 1: two trapezoidal steps
Tableau tr_theta(double rho_inf);  // order 2, R(inf) = rho_inf in [0, 1]: (4.46) with theta of (4.55)

PartitionedTableau lobatto_iiia_iiib(int s);  // order 2s-2, s = 2..max_stages; 2 is RATTLE

// Names of the input: radau_iia_<s>, lobatto_iiic_<s>, sdirk_<s>, tr_bdf2, trx2, tr_theta; lobatto_iiia_iiib_<s>.
// The lists hold the members Breuling uses. Only tr_theta reads rho_inf.
const std::vector<std::string>& tableau_names();
const std::vector<std::string>& partitioned_tableau_names();
Tableau tableau_from_name(std::string_view name, double rho_inf = 0.0);
PartitionedTableau partitioned_tableau_from_name(std::string_view name);

}  // namespace percussion

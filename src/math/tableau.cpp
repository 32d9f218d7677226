#include "math/tableau.hpp"

#include <Eigen/LU>

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "math/collocation.hpp"

namespace percussion {

namespace {

using collocation::Mat;
using collocation::Real;
using collocation::Vec;

void check_stages(const char* family, int s, int lowest, int highest = max_stages) {
  if (s < lowest || s > highest)
    throw std::invalid_argument(fmt::format("{} has {} to {} stages, got {}", family, lowest, highest, s));
}

bool has_zero_row_or_column(const MatX& A) {
  return A.cwiseAbs().rowwise().maxCoeff().minCoeff() == 0.0 || A.cwiseAbs().colwise().maxCoeff().minCoeff() == 0.0;
}

Tableau finish(std::string name, const Mat& A, const Vec& b, const Vec& c, int order, int stage_order) {
  Tableau t;
  t.name = std::move(name);
  t.s = static_cast<int>(c.size());
  t.A = A.cast<double>();
  t.b = b.cast<double>();
  t.c = c.cast<double>();
  if (!has_zero_row_or_column(t.A)) t.A_inv = A.inverse().cast<double>();
  t.order = order;
  t.stage_order = stage_order;
  t.stiffly_accurate = t.A.row(t.s - 1) == t.b.transpose();
  t.explicit_first_stage = t.A.row(0).isZero(0.0);
  t.diagonally_implicit = t.A.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().isZero(0.0);
  return t;
}

// C(s) for given nodes.
Mat collocation_matrix(const Vec& c) {
  Mat A(c.size(), c.size());
  for (Eigen::Index i = 0; i < c.size(); ++i) A.row(i) = collocation::weights(c, c[i]).transpose();
  return A;
}

// D(s) for given nodes and weights: sum_i b_i phi_k(c_i) a_ij = b_j int_{c_j}^1 phi_k.
Mat adjoint_collocation_matrix(const Vec& b, const Vec& c) {
  const int s = static_cast<int>(c.size());
  const Mat upto_c = collocation::legendre_integrals(c, s);
  const Mat upto_1 = collocation::legendre_integrals(Vec::Ones(s), s);
  const Mat lhs = collocation::legendre_values(c, s) * b.asDiagonal();
  return lhs.partialPivLu().solve((upto_1 - upto_c) * b.asDiagonal());
}

// Lower triangular rows from `first_row` on with the diagonal gamma; row i satisfies C(i) (i counted from 0).
Mat single_diagonal_matrix(const Vec& c, Real gamma, int first_row) {
  const int s = static_cast<int>(c.size());
  Mat A = Mat::Zero(s, s);
  for (int i = first_row; i < s; ++i)
    A.row(i).head(i + 1) = collocation::weights(c.head(i + 1), c[i], i, gamma).transpose();
  return A;
}

// The family (4.46) of Hosea and Shampine: (4.45) with b_3 = theta / 2; b_hat is the rule of order 3 on the nodes.
Tableau theta_family(std::string name, Real theta) {
  Vec c(3);
  c << 0, theta, 1;
  const Mat A = single_diagonal_matrix(c, theta / 2, 1);
  Tableau t = finish(std::move(name), A, A.row(2).transpose(), c, 2, 2);
  t.b_hat = collocation::weights(c, 1).cast<double>();
  t.embedded_order = 3;
  return t;
}

// Smaller root of (4.55), written so that it has no singularity at rho_inf = 1.
Real theta_of(Real rho_inf) {
  return 2 / (2 + std::sqrt(2 * (1 + rho_inf)));
}

// What follows "<family>_", or 0 if that is no number of stages.
int stages_of(std::string_view name, std::string_view family) {
  if (name.size() < family.size() + 2 || name.size() > family.size() + 3 || !name.starts_with(family) ||
      name[family.size()] != '_')
    return 0;
  int s = 0;
  for (const char digit : name.substr(family.size() + 1)) {
    if (digit < '0' || digit > '9') return 0;
    s = 10 * s + (digit - '0');
  }
  return s;
}

[[noreturn]] void unknown(std::string_view name, const std::vector<std::string>& names) {
  throw std::invalid_argument(fmt::format("unknown tableau '{}', known are {}", name, fmt::join(names, ", ")));
}

}  // namespace

MatX implicit_block(const Tableau& tableau) {
  const int n = tableau.explicit_first_stage ? tableau.s - 1 : tableau.s;
  return tableau.A.bottomRightCorner(n, n);
}

Tableau radau_iia(int s) {
  check_stages("radau_iia", s, 1);
  const Vec c = collocation::radau_right_nodes(s);
  const Mat A = collocation_matrix(c);  // (4.39)
  return finish(fmt::format("radau_iia_{}", s), A, A.row(s - 1).transpose(), c, 2 * s - 1, s);
}

Tableau lobatto_iiic(int s) {
  check_stages("lobatto_iiic", s, 2);
  const Vec c = collocation::lobatto_nodes(s);
  const Vec b = collocation::weights(c, 1);  // (4.42)
  Mat A(s, s);
  for (int i = 0; i < s; ++i) A.row(i) = collocation::weights(c, c[i], 0, b[0]).transpose();  // (4.43)
  A.row(s - 1) = b.transpose();  // equal up to the last bit of Real
  return finish(fmt::format("lobatto_iiic_{}", s), A, b, c, 2 * s - 2, s - 1);
}

Tableau lobatto_iiia(int s) {
  check_stages("lobatto_iiia", s, 2);
  const Vec c = collocation::lobatto_nodes(s);
  const Mat A = collocation_matrix(c);
  return finish(fmt::format("lobatto_iiia_{}", s), A, A.row(s - 1).transpose(), c, 2 * s - 2, s);
}

Tableau lobatto_iiib(int s) {
  check_stages("lobatto_iiib", s, 2);
  const Vec c = collocation::lobatto_nodes(s);
  const Vec b = collocation::weights(c, 1);
  return finish(fmt::format("lobatto_iiib_{}", s), adjoint_collocation_matrix(b, c), b, c, 2 * s - 2, s - 2);
}

Tableau sdirk(int s) {
  check_stages("sdirk", s, 2, 3);
  // Order s and R(inf) = 0: the coefficient of z^s in exp(z) (1 - gamma z)^s vanishes, i.e.
  // sum_k binomial(s, k) (-gamma)^k / (s - k)! = 0, the polynomials below Table 4.3 up to the sign.
  Vec p(s + 1);
  p[s] = s % 2 == 0 ? 1 : -1;
  for (int k = s; k > 0; --k) p[k - 1] = -p[k] * k / ((s - k + 1) * (s - k + 1));
  const Real gamma = collocation::polynomial_root(p, Real(1) / 6, Real(1) / 2);
  const Vec c = Vec::LinSpaced(s, gamma, 1);
  const Mat A = single_diagonal_matrix(c, gamma, 0);
  return finish(fmt::format("sdirk_{}", s), A, A.row(s - 1).transpose(), c, s, 1);
}

Tableau tr_bdf2() {
  return theta_family("tr_bdf2", theta_of(0));
}

Tableau trx2() {
  return theta_family("trx2", theta_of(1));
}

Tableau tr_theta(double rho_inf) {
  if (!(rho_inf >= 0.0 && rho_inf <= 1.0))
    throw std::invalid_argument(fmt::format("rho_inf of tr_theta must lie in [0, 1], got {}", rho_inf));
  return theta_family("tr_theta", theta_of(rho_inf));
}

PartitionedTableau lobatto_iiia_iiib(int s) {
  check_stages("lobatto_iiia_iiib", s, 2);
  const Tableau a = lobatto_iiia(s), a_hat = lobatto_iiib(s);
  PartitionedTableau t;
  t.name = fmt::format("lobatto_iiia_iiib_{}", s);
  t.s = s;
  t.A = a.A;
  t.A_hat = a_hat.A;
  t.b = a.b;
  t.c = a.c;
  t.order = a.order;
  t.A_alpha = t.A.bottomRows(s - 1);
  t.A_hat_beta = t.A_hat.leftCols(s - 1);
  t.shift = t.shift_inv = MatX::Identity(s, s);
  t.shift.row(s - 1) = t.b.transpose();
  t.shift_inv.row(s - 1).head(s - 1) = -t.b.head(s - 1).transpose() / t.b[s - 1];
  t.shift_inv(s - 1, s - 1) = 1.0 / t.b[s - 1];
  return t;
}

const std::vector<std::string>& tableau_names() {
  static const std::vector<std::string> names = {"radau_iia_1",    "radau_iia_2", "radau_iia_3", "lobatto_iiic_2",
                                                 "lobatto_iiic_3", "sdirk_2",     "sdirk_3",     "tr_bdf2",
                                                 "trx2",           "tr_theta"};
  return names;
}

const std::vector<std::string>& partitioned_tableau_names() {
  static const std::vector<std::string> names = {"lobatto_iiia_iiib_2", "lobatto_iiia_iiib_3",
                                                 "lobatto_iiia_iiib_4"};
  return names;
}

Tableau tableau_from_name(std::string_view name, double rho_inf) {
  if (name == "tr_bdf2") return tr_bdf2();
  if (name == "trx2") return trx2();
  if (name == "tr_theta") return tr_theta(rho_inf);
  if (const int s = stages_of(name, "radau_iia")) return radau_iia(s);
  if (const int s = stages_of(name, "lobatto_iiic")) return lobatto_iiic(s);
  if (const int s = stages_of(name, "sdirk")) return sdirk(s);
  unknown(name, tableau_names());
}

PartitionedTableau partitioned_tableau_from_name(std::string_view name) {
  if (const int s = stages_of(name, "lobatto_iiia_iiib")) return lobatto_iiia_iiib(s);
  unknown(name, partitioned_tableau_names());
}

}  // namespace percussion

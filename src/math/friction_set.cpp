#include "math/friction_set.hpp"

#include <array>
#include <stdexcept>

namespace percussion {

namespace {

constexpr std::array<std::string_view, 4> kind_names = {"interval", "disc", "ball", "rectangle"};

FrictionSet checked(FrictionSet set) {
  for (const double c : {set.mu[0], set.mu[1], set.r0[0], set.r0[1]})
    if (!(c >= 0.0) || !std::isfinite(c))
      throw std::invalid_argument("friction coefficients must be finite and >= 0, got " + std::to_string(c));
  return set;
}

// The projection of a with its derivatives: D = d prox / d a, r' = d prox / d P_N.
struct LinearisedProx {
  Vec3 x = Vec3::Zero();
  Mat3 D = Mat3::Zero();
  Vec3 dP_N = Vec3::Zero();
  std::uint8_t inside = 0;
};

void linearise_interval(const FrictionSet& set, double P_N, const Vec3& a, int row, LinearisedProx& p) {
  const double r = set.radius(P_N, row);
  if (std::abs(a[row]) <= r) {
    p.x[row] = a[row];
    p.D(row, row) = 1.0;
    p.inside = static_cast<std::uint8_t>(p.inside | (1u << row));
  } else {
    const double sign = a[row] > 0.0 ? 1.0 : -1.0;
    p.x[row] = r * sign;
    p.dP_N[row] = set.radius_dP_N(P_N, row) * sign;
  }
}

void linearise_ball(const FrictionSet& set, double P_N, const Vec3& a, LinearisedProx& p) {
  const int n = set.dim();
  const double r = set.radius(P_N);
  const double n2 = a.squaredNorm();  // entries beyond n are zero
  if (n2 <= r * r) {
    p.x = a;
    p.D.diagonal().head(n).setOnes();
    p.inside = static_cast<std::uint8_t>((1u << n) - 1u);
    return;
  }
  const double length = std::sqrt(n2);
  const Vec3 e = a / length;
  p.x = r * e;
  p.D.diagonal().head(n).setOnes();
  p.D -= e * e.transpose();
  p.D *= r / length;
  p.dP_N = set.radius_dP_N(P_N) * e;
}

Vec3 prox_argument(const FrictionSet& set, double rho, const double* psi_F, const double* P_F) {
  Vec3 a = Vec3::Zero();
  for (int i = 0; i < set.dim(); ++i) a[i] = rho * psi_F[i] - P_F[i];
  return a;
}

LinearisedProx linearise(const FrictionSet& set, double P_N, const Vec3& a) {
  LinearisedProx p;
  if (set.kind == SetKind::disc || set.kind == SetKind::ball)
    linearise_ball(set, P_N, a, p);
  else
    for (int row = 0; row < set.dim(); ++row) linearise_interval(set, P_N, a, row, p);
  return p;
}

}  // namespace

std::string_view set_kind_name(SetKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

SetKind set_kind_from_name(std::string_view text) {
  const auto it = std::find(kind_names.begin(), kind_names.end(), text);
  if (it == kind_names.end())
    throw std::invalid_argument("unknown friction set '" + std::string(text) +
                                "'; use interval, disc, ball or rectangle");
  return static_cast<SetKind>(it - kind_names.begin());
}

FrictionSet coulomb_interval(double mu) { return checked({SetKind::interval, {mu, 0.0}, {0.0, 0.0}}); }
FrictionSet coulomb_disc(double mu) { return checked({SetKind::disc, {mu, 0.0}, {0.0, 0.0}}); }
FrictionSet coulomb_ball(double mu) { return checked({SetKind::ball, {mu, 0.0}, {0.0, 0.0}}); }
FrictionSet coulomb_rectangle(double mu_1, double mu_2) {
  return checked({SetKind::rectangle, {mu_1, mu_2}, {0.0, 0.0}});
}
FrictionSet constant_reservoir(SetKind kind, double r0_1, double r0_2) {
  return checked({kind, {0.0, 0.0}, {r0_1, r0_2}});
}

FrictionMap natural_map_linearised_F(const FrictionSet& set, double rho, const double* psi_F, double P_N,
                                     const double* P_F) {
  const int n = set.dim();
  const LinearisedProx p = linearise(set, P_N, prox_argument(set, rho, psi_F, P_F));
  FrictionMap m;
  for (int i = 0; i < n; ++i) m.F[i] = P_F[i] + p.x[i];
  m.dF_dpsi_F = rho * p.D;
  m.dF_dP_F.diagonal().head(n).setOnes();
  m.dF_dP_F -= p.D;
  m.dF_dP_N = p.dP_N;
  m.stick = p.inside;
  return m;
}

FrictionMap active_set_F(const FrictionSet& set, double rho, const double* psi_F, double P_N,
                         const double* P_F) {
  // Slip rows are those of the natural map; stick rows are psi itself, not rho psi.
  FrictionMap m = natural_map_linearised_F(set, rho, psi_F, P_N, P_F);
  for (int i = 0; i < set.dim(); ++i) {
    if (!(m.stick >> i & 1u)) continue;
    m.F[i] = psi_F[i];
    m.dF_dpsi_F.row(i) = Vec3::Unit(i).transpose();
    m.dF_dP_F.row(i).setZero();
    m.dF_dP_N[i] = 0.0;
  }
  return m;
}

std::uint8_t stick_rows(const FrictionSet& set, double rho, const double* psi_F, double P_N, const double* P_F) {
  const Vec3 a = prox_argument(set, rho, psi_F, P_F);
  std::uint8_t rows = 0;
  if (set.kind == SetKind::disc || set.kind == SetKind::ball)
    return contains(set, P_N, a.data()) ? static_cast<std::uint8_t>((1u << set.dim()) - 1u) : rows;
  for (int i = 0; i < set.dim(); ++i)
    if (std::abs(a[i]) <= set.radius(P_N, i)) rows = static_cast<std::uint8_t>(rows | (1u << i));
  return rows;
}

}  // namespace percussion

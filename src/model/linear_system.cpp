// Linear models in generalized coordinates, for small benchmark systems (woodpecker toy, impact oscillators):
//   linear_system    M u' = f(t) - D u - K q with constant matrices
//   contact_linear   g_N = w_N . q + g_0, gamma_T = w_T . u - u_T(t), one interval law
#include <fmt/format.h>

#include <Eigen/Cholesky>

#include "model/auto_function.hpp"
#include "model/dual_function.hpp"
#include "model/model_input.hpp"
#include "model/role_contribution.hpp"

namespace percussion {
namespace {

class LinearForce final : public Force {
 public:
  LinearForce(MatX K, MatX D, VecX f, TimeFunction factor)
      : K_(std::move(K)), D_(std::move(D)), f_(std::move(f)), factor_(std::move(factor)) {}
  void h(const LocalState& s, VecRef out) const override {
    out = factor_(s.t) * f_;
    out.noalias() -= K_ * ConstVecMap(s.q, K_.rows());
    out.noalias() -= D_ * ConstVecMap(s.u, K_.rows());
  }
  void h_q(const LocalState&, MatRef out) const override { out = -K_; }
  void h_u(const LocalState&, MatRef out) const override { out = -D_; }
  /// Of the symmetric stiffness and a constant load.
  double potential(const LocalState& s) const override {
    const ConstVecMap q(s.q, K_.rows());
    return 0.5 * q.dot(K_ * q) - (factor_.is_constant() ? factor_(0) * f_.dot(q) : 0.);
  }

 private:
  MatX K_, D_;
  VecX f_;
  TimeFunction factor_;
};

class ConstantInertia final : public Inertia {
 public:
  explicit ConstantInertia(MatX M) : M_(std::move(M)) {}
  void M(const LocalState&, MatRef out) const override { out = M_; }
  void Mv_q(const LocalState&, ConstVecRef, MatRef out) const override { out.setZero(); }

 private:
  MatX M_;
};

struct LinearGap {
  std::vector<double> w;
  double g_0;
  int rows() const { return 1; }
  template <class T>
  void operator()(const T&, const T* q, T* g) const {
    g[0] = T(g_0);
    for (std::size_t i = 0; i < w.size(); ++i) g[0] += w[i] * q[i];
  }
};

struct LinearSlip {
  std::vector<double> w;
  TimeFunction surface;
  int rows() const { return 1; }
  template <class T>
  void operator()(const T& t, const T*, const T* u, T* gamma) const {
    gamma[0] = -apply(surface, t);
    for (std::size_t i = 0; i < w.size(); ++i) gamma[0] += w[i] * u[i];
  }
};

MatX matrix_of(const Parameters& p, const std::string& key, int n) {
  if (!p.has(key)) return MatX::Zero(n, n);
  const std::vector<double>& x = p.reals(key);
  if (static_cast<int>(x.size()) != n * n)
    p.fail(key, fmt::format("a {} x {} matrix has {} entries, not {}", n, n, n * n, x.size()), "the rows one after the other", "give all entries");
  const MatX A = ConstMatMap(x.data(), n, n).transpose();
  if (!A.isApprox(A.transpose(), 1e-12)) p.fail(key, "the matrix is not symmetric", "a symmetric matrix", "check the entries");
  return A;
}

std::vector<double> row_of(const Parameters& p, const std::string& key, int n) {
  const std::vector<double>& x = p.reals(key);
  if (static_cast<int>(x.size()) != n) p.fail(key, "one entry per coordinate is needed", fmt::format("{} numbers", n), "give all entries");
  return x;
}

Schema system_schema() {
  Schema s;
  add_nodes(s, {1}, "a generalized node");
  s.reals("M").required().doc("mass matrix, rows one after the other; symmetric positive definite");
  s.reals("D").doc("damping matrix, the same way; default zero");
  s.reals("K").doc("stiffness matrix, the same way; default zero");
  s.reals("f").doc("force vector; default zero");
  s.function("factor").fallback(1.).doc("factor of f as a function of time");
  return s;
}

const RegisterContribution linear_system{
    "contributions", "linear_system", "M u' = f(t) - D u - K q in generalized coordinates", system_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_nodes(p, nodes, {NodeKind::generalized});
      const int n = nodes.front().nu();
      MatX M = matrix_of(p, "M", n);
      if (M.llt().info() != Eigen::Success) p.fail("M", "the matrix is not positive definite", "a mass matrix", "check the entries");
      const std::vector<double> f = p.has("f") ? row_of(p, "f", n) : std::vector<double>(n, 0.);
      Roles roles;
      roles.inertia = std::make_unique<ConstantInertia>(std::move(M));
      roles.force = std::make_unique<LinearForce>(matrix_of(p, "K", n), matrix_of(p, "D", n), ConstVecMap(f.data(), n), time_function_of(p, "factor"));
      return make_contribution(nodes, std::move(roles));
    }};

Schema contact_schema() {
  Schema s;
  add_nodes(s, {1}, "a generalized node with at most 14 coordinates");
  s.reals("w_N").required().doc("gap per coordinate");
  s.real("gap_0").fallback(0.).unit("m").doc("gap at q = 0");
  s.reals("w_T").doc("friction velocity per generalized velocity; absent: frictionless");
  s.function("surface_velocity").fallback(0.).unit("m/s").doc("tangential velocity of the surface");
  s.real("mu").fallback(0.).at_least(0).doc("friction coefficient");
  s.real("e_N").fallback(0.).between(0, 1).doc("restitution in normal direction");
  s.real("e_F").fallback(0.).between(0, 1).doc("restitution of the friction law");
  return s;
}

const RegisterContribution contact_linear{
    "contributions", "contact_linear", "unilateral contact with an affine gap in generalized coordinates", contact_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_nodes(p, nodes, {NodeKind::generalized});
      const int n = nodes.front().nu();
      if (n > detail::max_nq) p.fail("nodes", "the node has too many coordinates", "at most 14", "use a smaller node");
      Roles roles;
      ContactRows rows;
      rows.e_N = p.real("e_N"), rows.e_F = p.real("e_F");
      roles.gap = make_position(LinearGap{row_of(p, "w_N", n), p.real("gap_0")}, nodes);
      if (p.has("w_T")) {
        rows.laws = {{coulomb_interval(p.real("mu")), 0}};
        rows.scale = {1.};
        roles.friction = make_velocity(LinearSlip{row_of(p, "w_T", n), time_function_of(p, "surface_velocity")}, nodes);
      } else if (p.real("mu") > 0) {
        p.fail("mu", "friction needs a direction", "mu: 0, or w_T", "add w_T");
      }
      roles.contact = std::move(rows);
      return make_contribution(nodes, std::move(roles));
    }};

}  // namespace
}  // namespace percussion

// Turns one templated formula into a PositionFunction or VelocityFunction with all derivatives, by forward
// differentiation (math/dual.hpp). A formula is a copyable struct:
//
//   struct Gap      { int rows() const; template <class T> void operator()(const T& t, const T* q, T* g) const; };
//   struct Slip     { int rows() const; template <class T> void operator()(const T& t, const T* q, const T* u, T* gamma) const; };
//
// gamma must be affine in u. Cost: one derivative evaluates the formula with N-component duals, N the padded number of
// coordinates; the second-order Wla_q nests them. Declared contributions only; detected contacts have closed forms.
#pragma once
#include <array>
#include <cassert>
#include <memory>
#include <utility>
#include <vector>

#include "math/dual.hpp"
#include "model/function.hpp"
#include "model/node.hpp"

namespace percussion {

namespace detail {

/// Largest local problem of a differentiated formula: two rigid bodies.
constexpr int max_nq = 14;
constexpr int max_rows = 6;

/// Calls f with the smallest compiled dual width that holds n derivatives.
template <class F>
void with_width(int n, F&& f) {
  assert(n <= max_nq);
  if (n <= 3) return f(std::integral_constant<int, 3>{});
  if (n <= 7) return f(std::integral_constant<int, 7>{});
  return f(std::integral_constant<int, max_nq>{});
}

/// Independent variables: x seeded with unit derivatives.
template <class D, class S>
std::array<D, max_nq> seeded(const S* x, int n) {
  std::array<D, max_nq> y{};
  for (int i = 0; i < n; ++i) y[i] = D(x[i]), y[i].d[i] = S(1.);
  return y;
}

template <class T>
std::array<T, max_nq> constants(const double* x, int n) {
  std::array<T, max_nq> y{};
  for (int i = 0; i < n; ++i) y[i] = T(x[i]);
  return y;
}

template <class T>
void q_dot(const std::vector<NodeRef>& nodes, const T* q, const T* u, T* out) {
  for (const NodeRef& n : nodes) {
    percussion::q_dot(n.kind, n.dofs, q, u, out);
    q += n.nq(), u += n.nu(), out += n.nq();
  }
}

template <class T>
void B_transposed(const std::vector<NodeRef>& nodes, const T* q, const T* y, T* x) {
  for (const NodeRef& n : nodes) {
    percussion::B_transposed(n.kind, n.dofs, q, y, x);
    q += n.nq(), y += n.nq(), x += n.nu();
  }
}

/// Common bookkeeping of both adapters.
struct Blocks {
  explicit Blocks(std::vector<NodeRef> n) : nodes(std::move(n)) {
    for (const NodeRef& node : nodes) nq += node.nq(), nu += node.nu();
  }
  std::vector<NodeRef> nodes;
  int nq = 0, nu = 0;
};

/// Point moved along the flow for a time epsilon: first-order duals of (t, q) in direction (1, B u).
template <class T>
struct Flow {
  using D = Dual<T, 1>;
  Flow(const Blocks& b, const T& time, const T* q0, const T* u0) : t(time) {
    t.d[0] = T(1.);
    std::array<T, max_nq> v{};
    q_dot(b.nodes, q0, u0, v.data());
    for (int i = 0; i < b.nq; ++i) q[i] = D(q0[i]), q[i].d[0] = v[i];
    for (int i = 0; i < b.nu; ++i) u[i] = D(u0[i]);
  }
  D t;
  std::array<D, max_nq> q{}, u{};
};

}  // namespace detail

template <class Formula>
class AutoPosition final : public PositionFunction {
 public:
  AutoPosition(Formula formula, std::vector<NodeRef> nodes) : f_(std::move(formula)), b_(std::move(nodes)) {}

  int rows() const override { return f_.rows(); }

  void g(const LocalState& s, VecRef out) const override { f_(s.t, s.q, out.data()); }

  void g_q(const LocalState& s, MatRef out) const override {
    detail::with_width(b_.nq, [&](auto n) {
      using D = Dual<double, n()>;
      const auto q = detail::seeded<D>(s.q, b_.nq);
      const auto g = evaluate(D(s.t), q.data());
      for (int r = 0; r < rows(); ++r)
        for (int i = 0; i < b_.nq; ++i) out(r, i) = g[r].d[i];
    });
  }

  void W(const LocalState& s, MatRef out) const override {
    detail::with_width(b_.nq, [&](auto n) {
      using D = Dual<double, n()>;
      const auto q = detail::seeded<D>(s.q, b_.nq);
      const auto g = evaluate(D(s.t), q.data());
      for (int r = 0; r < rows(); ++r) detail::B_transposed(b_.nodes, s.q, g[r].d.data(), out.col(r).data());
    });
  }

  void chi(const LocalState& s, VecRef out) const override {
    using D = Dual<double, 1>;
    const auto q = detail::constants<D>(s.q, b_.nq);
    const auto g = evaluate(D(s.t, 0), q.data());  // beta = 0: only the explicit time dependence is left
    for (int r = 0; r < rows(); ++r) out[r] = g[r].d[0];
  }

  void g_dot(const LocalState& s, VecRef out) const override {
    const detail::Flow<double> flow(b_, s.t, s.q, s.u);
    const auto g = evaluate(flow.t, flow.q.data());
    for (int r = 0; r < rows(); ++r) out[r] = g[r].d[0];
  }

  void g_dot_q(const LocalState& s, MatRef out) const override {
    detail::with_width(b_.nq, [&](auto n) {
      using D = Dual<double, n()>;
      const auto q = detail::seeded<D>(s.q, b_.nq);
      const auto u = detail::constants<D>(s.u, b_.nu);
      const detail::Flow<D> flow(b_, D(s.t), q.data(), u.data());
      const auto g = evaluate(flow.t, flow.q.data());
      for (int r = 0; r < rows(); ++r)
        for (int i = 0; i < b_.nq; ++i) out(r, i) = g[r].d[0].d[i];
    });
  }

  void Wla_q(const LocalState& s, ConstVecRef la, MatRef out) const override {
    detail::with_width(b_.nq, [&](auto n) {
      using D = Dual<double, n()>;
      using DD = Dual<D, n()>;
      const auto q = detail::seeded<D>(s.q, b_.nq);
      const auto qq = detail::seeded<DD>(q.data(), b_.nq);
      const auto g = evaluate(DD(D(s.t)), qq.data());
      std::array<D, detail::max_nq> gradient{}, Wla{};
      for (int r = 0; r < rows(); ++r)
        for (int i = 0; i < b_.nq; ++i) gradient[i] += la[r] * g[r].d[i];
      detail::B_transposed(b_.nodes, q.data(), gradient.data(), Wla.data());
      for (int i = 0; i < b_.nu; ++i)
        for (int j = 0; j < b_.nq; ++j) out(i, j) = Wla[i].d[j];
    });
  }

  void zeta(const LocalState& s, VecRef out) const override {
    using D = Dual<double, 1>;
    const detail::Flow<double> outer(b_, s.t, s.q, s.u);
    const detail::Flow<D> flow(b_, outer.t, outer.q.data(), outer.u.data());
    const auto g = evaluate(flow.t, flow.q.data());
    for (int r = 0; r < rows(); ++r) out[r] = g[r].d[0].d[0];
  }

 private:
  template <class T>
  std::array<T, detail::max_rows> evaluate(const T& t, const T* q) const {
    std::array<T, detail::max_rows> g{};
    f_(t, q, g.data());
    return g;
  }
  Formula f_;
  detail::Blocks b_;
};

template <class Formula>
class AutoVelocity final : public VelocityFunction {
 public:
  AutoVelocity(Formula formula, std::vector<NodeRef> nodes) : f_(std::move(formula)), b_(std::move(nodes)) {}

  int rows() const override { return f_.rows(); }

  void gamma(const LocalState& s, VecRef out) const override { f_(s.t, s.q, s.u, out.data()); }

  void gamma_q(const LocalState& s, MatRef out) const override {
    detail::with_width(b_.nq, [&](auto n) {
      using D = Dual<double, n()>;
      const auto q = detail::seeded<D>(s.q, b_.nq);
      const auto u = detail::constants<D>(s.u, b_.nu);
      const auto gamma = evaluate(D(s.t), q.data(), u.data());
      for (int r = 0; r < rows(); ++r)
        for (int i = 0; i < b_.nq; ++i) out(r, i) = gamma[r].d[i];
    });
  }

  void W(const LocalState& s, MatRef out) const override {
    detail::with_width(b_.nu, [&](auto n) {
      using D = Dual<double, n()>;
      const auto q = detail::constants<D>(s.q, b_.nq);
      const auto u = detail::seeded<D>(s.u, b_.nu);
      const auto gamma = evaluate(D(s.t), q.data(), u.data());
      for (int r = 0; r < rows(); ++r)
        for (int i = 0; i < b_.nu; ++i) out(i, r) = gamma[r].d[i];
    });
  }

  void chi(const LocalState& s, VecRef out) const override {
    const std::array<double, detail::max_nq> rest{};
    f_(s.t, s.q, rest.data(), out.data());
  }

  void Wla_q(const LocalState& s, ConstVecRef la, MatRef out) const override {
    detail::with_width(b_.nq, [&](auto n) {
      using D = Dual<double, n()>;
      using DD = Dual<D, n()>;
      const auto q = detail::seeded<D>(s.q, b_.nq);
      const auto u = detail::constants<D>(s.u, b_.nu);
      std::array<DD, detail::max_nq> qq{};
      for (int i = 0; i < b_.nq; ++i) qq[i] = DD(q[i]);
      const auto uu = detail::seeded<DD>(u.data(), b_.nu);
      const auto gamma = evaluate(DD(D(s.t)), qq.data(), uu.data());
      out.setZero();
      for (int r = 0; r < rows(); ++r)
        for (int i = 0; i < b_.nu; ++i)
          for (int j = 0; j < b_.nq; ++j) out(i, j) += la[r] * gamma[r].d[i].d[j];
    });
  }

  void zeta(const LocalState& s, VecRef out) const override {
    const detail::Flow<double> flow(b_, s.t, s.q, s.u);
    const auto gamma = evaluate(flow.t, flow.q.data(), flow.u.data());
    for (int r = 0; r < rows(); ++r) out[r] = gamma[r].d[0];
  }

 private:
  template <class T>
  std::array<T, detail::max_rows> evaluate(const T& t, const T* q, const T* u) const {
    std::array<T, detail::max_rows> gamma{};
    f_(t, q, u, gamma.data());
    return gamma;
  }
  Formula f_;
  detail::Blocks b_;
};

/// Builds the adapter around a formula.
template <class Formula>
std::unique_ptr<PositionFunction> make_position(Formula formula, const std::vector<NodeRef>& nodes) {
  return std::make_unique<AutoPosition<Formula>>(std::move(formula), nodes);
}
template <class Formula>
std::unique_ptr<VelocityFunction> make_velocity(Formula formula, const std::vector<NodeRef>& nodes) {
  return std::make_unique<AutoVelocity<Formula>>(std::move(formula), nodes);
}

}  // namespace percussion

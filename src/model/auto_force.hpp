// Turns a templated force law or potential into a Force with h_q and h_u, by forward differentiation.
//
//   struct Law       { template <class T> void operator()(const T& t, const T* q, const T* u, T* h) const; };
//   struct Potential { template <class T> T operator()(const T& t, const T* q) const; };
//
// A law fills all of h (zero on entry) and may add `double potential(const LocalState&) const`.
// A potential V gives h = -(dV/dq B)^T, so that its power is -dV/dt at fixed t.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "model/auto_function.hpp"
#include "model/contribution.hpp"

namespace percussion {

template <class Law>
class AutoForce final : public Force {
 public:
  AutoForce(Law law, std::vector<NodeRef> nodes) : law_(std::move(law)), b_(std::move(nodes)) {}

  void h(const LocalState& s, VecRef out) const override {
    out.setZero();
    law_(s.t, s.q, s.u, out.data());
  }

  void h_q(const LocalState& s, MatRef out) const override {
    detail::with_width(b_.nq, [&](auto n) {
      using D = Dual<double, n()>;
      const auto q = detail::seeded<D>(s.q, b_.nq);
      const auto u = detail::constants<D>(s.u, b_.nu);
      copy(evaluate(D(s.t), q.data(), u.data()), b_.nq, out);
    });
  }

  void h_u(const LocalState& s, MatRef out) const override {
    detail::with_width(b_.nu, [&](auto n) {
      using D = Dual<double, n()>;
      const auto q = detail::constants<D>(s.q, b_.nq);
      const auto u = detail::seeded<D>(s.u, b_.nu);
      copy(evaluate(D(s.t), q.data(), u.data()), b_.nu, out);
    });
  }

  double potential(const LocalState& s) const override {
    if constexpr (requires { law_.potential(s); }) return law_.potential(s);
    return 0;
  }

 private:
  template <class D>
  std::array<D, detail::max_nq> evaluate(const D& t, const D* q, const D* u) const {
    std::array<D, detail::max_nq> h{};
    law_(t, q, u, h.data());
    return h;
  }
  template <class D>
  void copy(const std::array<D, detail::max_nq>& h, int columns, MatRef out) const {
    for (int i = 0; i < b_.nu; ++i)
      for (int j = 0; j < columns; ++j) out(i, j) = h[i].d[j];
  }
  Law law_;
  detail::Blocks b_;
};

template <class Potential>
class AutoPotential final : public Force {
 public:
  AutoPotential(Potential V, std::vector<NodeRef> nodes) : V_(std::move(V)), b_(std::move(nodes)) {}

  double potential(const LocalState& s) const override { return V_(s.t, s.q); }

  void h(const LocalState& s, VecRef out) const override {
    detail::with_width(b_.nq, [&](auto n) {
      using D = Dual<double, n()>;
      const auto q = detail::seeded<D>(s.q, b_.nq);
      const D V = V_(D(s.t), q.data());
      detail::B_transposed(b_.nodes, s.q, V.d.data(), out.data());
    });
    out = -out;
  }

  void h_q(const LocalState& s, MatRef out) const override {
    detail::with_width(b_.nq, [&](auto n) {
      using D = Dual<double, n()>;
      using DD = Dual<D, n()>;
      const auto q = detail::seeded<D>(s.q, b_.nq);
      const auto qq = detail::seeded<DD>(q.data(), b_.nq);
      const DD V = V_(DD(D(s.t)), qq.data());
      std::array<D, detail::max_nq> h{};
      detail::B_transposed(b_.nodes, q.data(), V.d.data(), h.data());
      for (int i = 0; i < b_.nu; ++i)
        for (int j = 0; j < b_.nq; ++j) out(i, j) = -h[i].d[j];
    });
  }

  void h_u(const LocalState&, MatRef out) const override { out.setZero(); }

 private:
  Potential V_;
  detail::Blocks b_;
};

template <class Law>
std::unique_ptr<Force> make_force(Law law, const std::vector<NodeRef>& nodes) {
  return std::make_unique<AutoForce<Law>>(std::move(law), nodes);
}
template <class Potential>
std::unique_ptr<Force> make_potential(Potential V, const std::vector<NodeRef>& nodes) {
  return std::make_unique<AutoPotential<Potential>>(std::move(V), nodes);
}

}  // namespace percussion

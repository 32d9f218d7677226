// Inertia and forces of generalized coordinates (q' = u) from templated energies, up to 7 degrees of freedom.
//
//   struct Energy {
//     template <class T> T kinetic(const T* q, const T* u) const;    // homogeneous quadratic in u
//     template <class T> T potential(const T& t, const T* q) const;
//   };
//
// Lagrange's equations d/dt T_u - T_q + V_q = 0 with T_u = M(q) u read M u' = h with
//   M = T_uu,   h = T_q - (T_u)_q u - V_q,   d(M v)/dq = d T_u(q, v) / dq.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "model/auto_force.hpp"

namespace percussion {

namespace detail {

constexpr int max_energy_dofs = 7;

template <class F>
void with_energy_width(int n, F&& f) {
  assert(n <= max_energy_dofs);
  if (n <= 3) return f(std::integral_constant<int, 3>{});
  return f(std::integral_constant<int, max_energy_dofs>{});
}

/// h of Lagrange's equations, itself a formula for AutoForce.
template <class Energy>
struct LagrangeForce {
  Energy energy;
  int dofs;

  template <class S>
  void operator()(const S& t, const S* q, const S* u, S* h) const {
    with_energy_width(dofs, [&](auto n) {
      using D = Dual<S, n()>;
      const auto q_seeded = seeded<D>(q, dofs);
      std::array<D, max_nq> u_fixed{};
      for (int i = 0; i < dofs; ++i) u_fixed[i] = D(u[i]);
      const D L = energy.kinetic(q_seeded.data(), u_fixed.data()) - energy.potential(D(t), q_seeded.data());
      for (int i = 0; i < dofs; ++i) h[i] = L.d[i];

      using E = Dual<S, 1>;        // along the flow q' = u
      using ED = Dual<E, n()>;     // and by u
      std::array<ED, max_nq> q_flow{}, u_seeded{};
      for (int i = 0; i < dofs; ++i) {
        E along(q[i]);
        along.d[0] = u[i];
        q_flow[i] = ED(along);
        u_seeded[i] = ED(E(u[i]), i);
      }
      const ED T = energy.kinetic(q_flow.data(), u_seeded.data());
      for (int i = 0; i < dofs; ++i) h[i] -= T.d[i].d[0];
    });
  }

  double potential(const LocalState& s) const { return energy.potential(s.t, s.q); }
};

}  // namespace detail

template <class Energy>
class AutoInertia final : public Inertia {
 public:
  AutoInertia(Energy energy, int dofs) : energy_(std::move(energy)), dofs_(dofs) {}

  void M(const LocalState& s, MatRef out) const override {
    detail::with_energy_width(dofs_, [&](auto n) {
      using D = Dual<double, n()>;
      using DD = Dual<D, n()>;
      const auto u = detail::seeded<D>(s.u, dofs_);
      const auto uu = detail::seeded<DD>(u.data(), dofs_);
      std::array<DD, detail::max_nq> q{};
      for (int i = 0; i < dofs_; ++i) q[i] = DD(D(s.q[i]));
      const DD T = energy_.kinetic(q.data(), uu.data());
      for (int i = 0; i < dofs_; ++i)
        for (int j = 0; j < dofs_; ++j) out(i, j) = T.d[i].d[j];
    });
  }

  void Mv_q(const LocalState& s, ConstVecRef v, MatRef out) const override {
    detail::with_energy_width(dofs_, [&](auto n) {
      using D = Dual<double, n()>;
      using DD = Dual<D, n()>;
      const auto q = detail::seeded<D>(s.q, dofs_);
      std::array<DD, detail::max_nq> qq{}, vv{};
      for (int i = 0; i < dofs_; ++i) qq[i] = DD(q[i]), vv[i] = DD(D(v[i]), i);
      const DD T = energy_.kinetic(qq.data(), vv.data());
      for (int i = 0; i < dofs_; ++i)
        for (int j = 0; j < dofs_; ++j) out(i, j) = T.d[i].d[j];
    });
  }

 private:
  Energy energy_;
  int dofs_;
};

template <class Energy>
std::unique_ptr<Inertia> make_inertia(const Energy& energy, int dofs) {
  return std::make_unique<AutoInertia<Energy>>(energy, dofs);
}
template <class Energy>
std::unique_ptr<Force> make_lagrange_force(const Energy& energy, const std::vector<NodeRef>& nodes) {
  return make_force(detail::LagrangeForce<Energy>{energy, nodes.front().nu()}, nodes);
}

}  // namespace percussion

// pendulum_chain: n massless links with point masses at their ends, hanging from the origin; absolute angles phi_i from
// the downward vertical. r_k = sum_{i <= k} l_i (sin phi_i, -cos phi_i), T = sum 1/2 m_k |v_k|^2, V = sum m_k g y_k.
#include <fmt/format.h>

#include "model/auto_inertia.hpp"
#include "model/model_input.hpp"
#include "model/role_contribution.hpp"

namespace percussion {
namespace {

struct ChainEnergy {
  std::vector<double> l, m;
  double g;

  template <class T>
  T kinetic(const T* q, const T* u) const {
    using std::cos;
    using std::sin;
    T v_x(0.), v_y(0.), energy(0.);
    for (std::size_t k = 0; k < l.size(); ++k) {
      v_x += l[k] * (cos(q[k]) * u[k]);
      v_y += l[k] * (sin(q[k]) * u[k]);
      energy += 0.5 * m[k] * (v_x * v_x + v_y * v_y);
    }
    return energy;
  }

  template <class T>
  T potential(const T&, const T* q) const {
    using std::cos;
    T y(0.), energy(0.);
    for (std::size_t k = 0; k < l.size(); ++k) {
      y -= l[k] * cos(q[k]);
      energy += (m[k] * g) * y;
    }
    return energy;
  }
};

Schema chain_schema() {
  Schema s;
  add_nodes(s, {1}, "a generalized node with one angle per link");
  s.reals("lengths", {1, 2, 3, 4, 5, 6, 7}).required().positive().unit("m").doc("l_i: lengths of the links, from the suspension");
  s.reals("masses", {1, 2, 3, 4, 5, 6, 7}).required().positive().unit("kg").doc("m_i: masses at the ends of the links");
  s.real("gravity").fallback(9.81).unit("m/s^2").doc("g: acting on the chain (the gravity of the case does not see its masses)");
  return s;
}

const RegisterContribution pendulum_chain{
    "contributions", "pendulum_chain", "planar chain of pendulums in absolute angles, M = M(q)", chain_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      const ChainEnergy energy{p.reals("lengths"), p.reals("masses"), p.real("gravity")};
      const int n = static_cast<int>(energy.l.size());
      if (energy.m.size() != energy.l.size())
        p.fail("masses", "their number differs from lengths", fmt::format("{} numbers", n), "give one mass per link");
      check_generalized(p, nodes, n);
      Roles roles;
      roles.inertia = make_inertia(energy, n);
      roles.force = make_lagrange_force(energy, nodes);
      return make_contribution(nodes, std::move(roles));
    }};

}  // namespace
}  // namespace percussion

// belt_friction: friction with Stribeck effect under a known normal force (Breuling 7.4).
//
//   gamma_T = e . v_P - u_b(t),   la_T = la_T0 + la_T1,   gamma_T in N_{B_1(mu_s la_N)}(-la_T0),
//   la_T1 = (mu_s - mu_d) la_N k arctan(eps gamma_T)                                          (7.14)
// The set-valued part is a contact without gap, the smooth one a force. For gamma_T -> inf the total is
// -(mu_s - (mu_s - mu_d) k pi/2) la_N, which is -mu_d la_N only for k = 2/pi. The thesis prints k = pi/2: then the
// limit is mu_s - 2.467 (mu_s - mu_d), with its numbers 0.0065 instead of mu_d = 0.3; friction stays dissipative, so
// both are simulated and `stribeck_factor` chooses.
#include <numbers>

#include "model/auto_force.hpp"
#include "model/auto_function.hpp"
#include "model/dual_function.hpp"
#include "model/model_input.hpp"
#include "model/role_contribution.hpp"
#include "model/small_vector.hpp"

namespace percussion {
namespace {

struct BeltSlip {
  Marker at;
  Vec3 e;
  TimeFunction u_b;
  int rows() const { return 1; }
  template <class T>
  void operator()(const T& t, const T* q, const T* u, T* gamma) const {
    gamma[0] = dot<T>(at.velocity(q, u), e) - apply(u_b, t);
  }
};

struct StribeckForce {
  BeltSlip slip;
  double amplitude, eps;
  template <class T>
  void operator()(const T& t, const T* q, const T* u, T* h) const {
    using std::atan;
    T gamma;
    slip(t, q, u, &gamma);
    const T la = amplitude * atan(eps * gamma);
    slip.at.add_force(q, VecT<T, 3>(la * slip.e[0], la * slip.e[1], la * slip.e[2]), h);
  }
};

Schema belt_schema() {
  Schema s;
  add_nodes(s, {1}, "the block");
  add_point(s, "point", "point of the block on the belt, body-fixed components");
  s.reals("direction", {2, 3}).fallback({1., 0., 0.}).doc("direction of the belt, inertial components");
  s.function("belt_velocity").fallback(0.).unit("m/s").doc("u_b: velocity of the belt");
  s.real("normal_force").required().at_least(0).unit("N").doc("la_N: known normal force");
  s.real("mu_s").required().at_least(0).doc("static friction coefficient");
  s.real("mu_d").required().at_least(0).doc("dynamic friction coefficient, at most mu_s");
  s.real("epsilon").fallback(0.).at_least(0).unit("s/m").doc("steepness of the Stribeck curve; 0: plain Coulomb friction with mu_s");
  s.text("stribeck_factor").one_of({"two_over_pi", "half_pi"}).fallback("two_over_pi")
      .doc("two_over_pi: friction tends to mu_d; half_pi: as printed in Breuling (7.14)");
  s.real("e_F").fallback(0.).between(0, 1).doc("restitution of the friction law");
  return s;
}

const RegisterContribution belt_friction{
    "contributions", "belt_friction", "block on a belt: Coulomb friction with Stribeck effect, known normal force", belt_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_placed_nodes(p, nodes);
      const double mu_s = p.real("mu_s"), mu_d = p.real("mu_d"), la_N = p.real("normal_force");
      if (mu_d > mu_s) p.fail("mu_d", "the Stribeck effect lowers friction", "at most mu_s = " + to_text(mu_s), "lower mu_d or raise mu_s");
      const Vec3 e = unit_vector_of(p, "direction");
      if (all_planar(nodes)) check_in_plane(p, "direction", e);
      const BeltSlip slip{marker_of(p, "point", "", nodes, 0), e, time_function_of(p, "belt_velocity")};
      constexpr double pi = std::numbers::pi;
      const double k = p.text("stribeck_factor") == "half_pi" ? pi / 2 : 2 / pi;

      Roles roles;
      roles.force = make_force(StribeckForce{slip, (mu_s - mu_d) * la_N * k, p.real("epsilon")}, nodes);
      roles.friction = make_velocity(slip, nodes);
      ContactRows rows;
      rows.la_N = la_N;
      rows.laws = {{coulomb_interval(mu_s), 0}};
      rows.e_F = p.real("e_F");
      rows.scale = {1.};
      roles.contact = std::move(rows);
      return make_contribution(nodes, std::move(roles));
    }};

}  // namespace
}  // namespace percussion

// The slider-crank mechanism in minimal coordinates q = (theta_1, theta_2, theta_3), Schindler section 2.1:
//   slider_crank_minimal   M(q) (23) and h(q, u) (24), from the energies of crank, rod and slider
//   slider_crank_corner    gap (25)-(28) and tangential velocity, the rate of (29)-(32), of one corner of the slider
//   slider_crank_guide     notch without clearance: the slider moves along y = 0 without rotation
// Fallbacks are the values of Table 1; the height of the notch is d = 2 b + 2 c.
#include "model/auto_inertia.hpp"
#include "model/contact_spec.hpp"
#include "model/model_input.hpp"
#include "model/role_contribution.hpp"

namespace percussion {
namespace {

struct CrankEnergy {
  double l_1, l_2, m_1, m_2, m_3, J_1, J_2, J_3, gravity;

  template <class T>
  T kinetic(const T* q, const T* u) const {
    using std::cos;
    const T A = (J_1 + l_1 * l_1 * (m_1 / 4 + m_2 + m_3)) * (u[0] * u[0]);
    const T B = (2 * l_1 * l_2 * (m_2 / 2 + m_3)) * (cos(q[0] - q[1]) * (u[0] * u[1]));
    const T C = (J_2 + l_2 * l_2 * (m_2 / 4 + m_3)) * (u[1] * u[1]);
    return 0.5 * (A + B + C + J_3 * (u[2] * u[2]));
  }

  template <class T>
  T potential(const T&, const T* q) const {
    using std::sin;
    return (gravity * l_1 * (m_1 / 2 + m_2 + m_3)) * sin(q[0]) + (gravity * l_2 * (m_2 / 2 + m_3)) * sin(q[1]);
  }
};

// Corners 1 to 4: rear top, front top, rear bottom, front bottom.
struct CornerGap {
  double l_1, l_2, a, b, d;
  int corner;
  int rows() const { return 1; }
  template <class T>
  void operator()(const T&, const T* q, T* g) const {
    using std::cos;
    using std::sin;
    const double wall = corner <= 2 ? -1 : 1;               // -1: the upper wall
    const double end = corner == 1 || corner == 3 ? -1 : 1;  // -1: the rear end
    const T y = l_1 * sin(q[0]) + l_2 * sin(q[1]) + (end * a) * sin(q[2]);
    g[0] = d / 2 + wall * y - b * cos(q[2]);
  }
};

struct CornerSlip {
  double l_1, l_2, a, b;
  int corner;
  int rows() const { return 1; }
  template <class T>
  void operator()(const T&, const T* q, const T* u, T* gamma) const {
    using std::cos;
    using std::sin;
    const double wall = corner <= 2 ? -1 : 1, end = corner == 1 || corner == 3 ? -1 : 1;
    gamma[0] = -l_1 * (sin(q[0]) * u[0]) - l_2 * (sin(q[1]) * u[1]) + (-(end * a) * sin(q[2]) + (wall * b) * cos(q[2])) * u[2];
  }
};

struct Guide {
  double l_1, l_2;
  int rows() const { return 2; }
  template <class T>
  void operator()(const T&, const T* q, T* g) const {
    using std::sin;
    g[0] = l_1 * sin(q[0]) + l_2 * sin(q[1]);
    g[1] = q[2];
  }
};

Schema lengths_schema() {
  Schema s;
  add_nodes(s, {1}, "the generalized node with the three angles");
  s.real("l_1").fallback(0.153).positive().unit("m").doc("length of the crank");
  s.real("l_2").fallback(0.306).positive().unit("m").doc("length of the connecting rod");
  return s;
}

Schema inertia_schema() {
  Schema s = lengths_schema();
  s.real("m_1").fallback(0.038).positive().unit("kg").doc("mass of the crank");
  s.real("m_2").fallback(0.038).positive().unit("kg").doc("mass of the connecting rod");
  s.real("m_3").fallback(0.076).positive().unit("kg").doc("mass of the slider");
  s.real("J_1").fallback(7.4e-5).positive().unit("kg m^2").doc("inertia of the crank about its centre");
  s.real("J_2").fallback(5.9e-4).positive().unit("kg m^2").doc("inertia of the connecting rod about its centre");
  s.real("J_3").fallback(2.7e-6).positive().unit("kg m^2").doc("inertia of the slider about its centre");
  s.real("gravity").fallback(9.81).unit("m/s^2").doc("along -y (the gravity of the case does not see these masses)");
  return s;
}

const RegisterContribution minimal{
    "contributions", "slider_crank_minimal", "slider-crank mechanism in three angles, M = M(q) (Schindler 23, 24)", inertia_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_generalized(p, nodes, 3);
      const auto x = [&](const char* key) { return p.real(key); };
      const CrankEnergy energy{x("l_1"), x("l_2"), x("m_1"), x("m_2"), x("m_3"), x("J_1"), x("J_2"), x("J_3"), x("gravity")};
      Roles roles;
      roles.inertia = make_inertia(energy, 3);
      roles.force = make_lagrange_force(energy, nodes);
      return make_contribution(nodes, std::move(roles));
    }};

Schema corner_schema() {
  Schema s = lengths_schema();
  s.integer("corner").required().between(1, 4).doc("1 rear top, 2 front top, 3 rear bottom, 4 front bottom");
  s.real("a").fallback(0.05).positive().unit("m").doc("half length of the slider");
  s.real("b").fallback(0.025).positive().unit("m").doc("half height of the slider");
  s.real("c").fallback(0.001).at_least(0).unit("m").doc("clearance on either side");
  s.real("e_N").fallback(0.4).between(0, 1).doc("restitution in normal direction");
  s.real("e_F").fallback(0.).between(0, 1).doc("restitution of the friction law");
  s.real("mu").fallback(0.01).at_least(0).doc("friction coefficient; 0: frictionless");
  return s;
}

const RegisterContribution corner{
    "contributions", "slider_crank_corner", "contact of one corner of the slider with the notch (Schindler 25-32)", corner_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_generalized(p, nodes, 3);
      const double l_1 = p.real("l_1"), l_2 = p.real("l_2"), a = p.real("a"), b = p.real("b"), d = 2 * (b + p.real("c"));
      const int k = static_cast<int>(p.integer("corner"));
      Roles roles;
      ContactRows rows;
      rows.e_N = p.real("e_N"), rows.e_F = p.real("e_F");
      roles.gap = make_position(CornerGap{l_1, l_2, a, b, d, k}, nodes);
      if (p.real("mu") > 0) {
        rows.laws = {{coulomb_interval(p.real("mu")), 0}};
        rows.scale = {1.};
        roles.friction = make_velocity(CornerSlip{l_1, l_2, a, b, k}, nodes);
      }
      roles.contact = std::move(rows);
      return make_contribution(nodes, std::move(roles));
    }};

const RegisterContribution guide{
    "contributions", "slider_crank_guide", "bilateral guide of the slider: notch without clearance", lengths_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_generalized(p, nodes, 3);
      return make_joint(nodes, make_position(Guide{p.real("l_1"), p.real("l_2")}, nodes));
    }};

}  // namespace
}  // namespace percussion

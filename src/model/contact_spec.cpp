#include "model/contact_spec.hpp"

#include "math/friction_scaling.hpp"
#include "model/auto_function.hpp"
#include "model/model_input.hpp"

namespace percussion {

namespace {

using Row = FrictionRow::Kind;

Schema law_schema() {
  Schema s;
  s.text("set").one_of({"disc", "ellipse", "rectangle", "contensou", "pivoting", "rolling"}).fallback("disc").doc("force reservoir");
  s.reals("mu", {1, 2}).required().at_least(0).doc(
      "friction coefficient (a length in m for pivoting and rolling); two values, along t1 and t2: ellipse, rectangle, rolling");
  s.reals("scale", {1, 2, 3}).positive().doc("ellipse, rectangle: [a1, a2]; contensou: [a3] or [a1, a2, a3], a3 in m; multiplies mu");
  s.real("contact_radius").positive().unit("m").doc("contensou: radius R of the contact area instead of scale, a3 = 3/16 pi R");
  return s;
}

/// Coefficients along the two tangents: two values of mu, or mu times the scale.
std::pair<double, double> two_coefficients(const Parameters& p) {
  const std::vector<double>& mu = p.reals("mu");
  if (!p.has("scale")) return {mu.front(), mu.back()};
  const std::vector<double>& a = p.reals("scale");
  if (a.size() != 2) p.fail("scale", "one factor per tangent is needed", "[a1, a2]", "give two numbers");
  if (mu.size() != 1) p.fail("mu", "two coefficients and a scale say the same twice", "one number beside scale", "leave scale out");
  return {mu[0] * a[0], mu[0] * a[1]};
}

double one_coefficient(const Parameters& p) {
  const std::vector<double>& mu = p.reals("mu");
  if (mu.size() != 1) p.fail("mu", "this set has one coefficient", "one number", "use set: ellipse or rectangle for two");
  return mu[0];
}

Vec3 contensou_axes(const Parameters& p) {
  if (p.has("scale") == p.has("contact_radius"))
    p.fail("", "Coulomb-Contensou friction needs the size of the contact area", "either scale or contact_radius", "give one of them");
  if (p.has("contact_radius")) return {1, 1, contensou_scale(p.real("contact_radius"))};
  const std::vector<double>& a = p.reals("scale");
  if (a.size() == 2) p.fail("scale", "two factors are ambiguous here", "[a3] or [a1, a2, a3]", "give one or three numbers");
  return a.size() == 1 ? Vec3(1, 1, a[0]) : Vec3(a[0], a[1], a[2]);
}

void check_unused(const Parameters& p, const std::string& set) {
  const bool scaled = set == "ellipse" || set == "rectangle" || set == "contensou";
  if (!scaled && p.has("scale")) p.fail("scale", "set: " + set + " has no scale", "no scale", "leave it out");
  if (set != "contensou" && p.has("contact_radius"))
    p.fail("contact_radius", "set: " + set + " has no contact area", "no contact_radius", "leave it out, or use set: contensou");
}

void add_law(const Parameters& p, ContactKinematics k, ContactSpec& spec) {
  const std::string& set = p.text("set");
  check_unused(p, set);
  if (k.planar && set != "disc" && set != "rolling")
    p.fail("set", "a planar contact has one tangent and no pivoting", "disc or rolling", "use set: disc");
  if (!k.rotates && (set == "contensou" || set == "pivoting" || set == "rolling"))
    p.fail("set", "point masses do not rotate", "disc, ellipse or rectangle", "use a body with orientation");
  const auto add = [&](FrictionSet law, std::initializer_list<FrictionRow> rows) {
    spec.laws.push_back({law, static_cast<int>(spec.rows.size())});
    spec.rows.insert(spec.rows.end(), rows);
  };
  if (set == "disc") {
    const double mu = one_coefficient(p);
    if (k.planar) add(coulomb_interval(mu), {{Row::slide_1}});
    else add(coulomb_disc(mu), {{Row::slide_1}, {Row::slide_2}});
  } else if (set == "ellipse") {
    const auto [mu_1, mu_2] = two_coefficients(p);
    if (!(mu_1 > 0 && mu_2 > 0)) p.fail("mu", "an ellipse needs two axes", "two numbers > 0", "use set: rectangle if one of them is zero");
    const EllipticFriction e = elliptic_disc(mu_1, mu_2);
    add(e.set, {{Row::slide_1, e.scaling.a[0]}, {Row::slide_2, e.scaling.a[1]}});
  } else if (set == "rectangle") {
    const auto [mu_1, mu_2] = two_coefficients(p);
    add(coulomb_rectangle(mu_1, mu_2), {{Row::slide_1}, {Row::slide_2}});
  } else if (set == "contensou") {
    const Vec3 a = contensou_axes(p);
    add(coulomb_ball(one_coefficient(p)), {{Row::slide_1, a[0]}, {Row::slide_2, a[1]}, {Row::pivot, a[2]}});
  } else if (set == "pivoting") {
    add(coulomb_interval(one_coefficient(p)), {{Row::pivot}});
  } else if (k.planar) {
    add(coulomb_interval(one_coefficient(p)), {{Row::roll_1}});
  } else {
    const auto [mu_1, mu_2] = two_coefficients(p);
    add(coulomb_rectangle(mu_1, mu_2), {{Row::roll_1}, {Row::roll_2}});
  }
}

}  // namespace

void add_contact_fields(Schema& s) {
  s.real("e_N").fallback(0.).between(0, 1).doc("restitution in normal direction (3.44)");
  s.real("e_F").fallback(0.).between(0, 1).doc("restitution of the friction laws (3.46)");
  s.sections("friction", law_schema()).doc("friction laws; none: frictionless");
  s.reals("tangent", {2, 3}).doc(
      "direction of the first tangent (projected on the tangent plane), in the frame of the second node or inertial");
}

ContactSpec contact_spec_of(const Parameters& p, ContactKinematics kinematics) {
  ContactSpec spec;
  spec.e_N = p.real("e_N");
  spec.e_F = p.real("e_F");
  for (const Parameters& law : p.sections("friction")) add_law(law, kinematics, spec);
  if (spec.rows.size() > detail::max_rows)
    p.fail("friction", "too many friction laws for one contact", "at most 6 friction velocities", "remove one of the laws");
  if (p.has("tangent")) spec.tangent = unit_vector_of(p, "tangent");
  return spec;
}

void check_tangent(const Parameters& p, const ContactSpec& spec, const Vec3& normal) {
  if (spec.tangent && spec.tangent->cross(normal).norm() < 1e-6)
    p.fail("tangent", "it is parallel to the normal", "a direction in the plane", "choose a direction normal to `normal`");
}

ContactRows contact_rows(const ContactSpec& spec) {
  ContactRows rows;
  rows.laws = spec.laws;
  for (const FrictionRow& row : spec.rows) rows.scale.push_back(row.scale);
  rows.e_N = spec.e_N, rows.e_F = spec.e_F;
  return rows;
}

}  // namespace percussion

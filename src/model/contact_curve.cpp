// contact_curve: a planar point against the graph y = f(x) on the ground.
//   t = (1, f') / |(1, f')| (7.23),   g_N = n^T (q - f(x)), n = (-f', 1) / |(1, f')| (7.24), foot at the same x.
// g_N is the distance to the tangent at the foot: zero exactly on the curve, the true distance to first order only.
#include <regex>
#include <stdexcept>

#include "model/dual_function.hpp"
#include "model/model_input.hpp"
#include "model/surface_contact.hpp"

namespace percussion {
namespace {

struct Curve {
  Marker body, support;
  TimeFunction f;
  double side;  // +1: the body is above the curve, -1: below
  template <class T>
  Touch<T> touch(const T* q) const {
    using std::sqrt;
    const VecT<T, 3> r = body.position(q);
    const T slope = apply<1>(f, r[0]), y = apply(f, r[0]);
    const T c = side / sqrt(1. + slope * slope);
    return {c * (r[1] - y), {-slope * c, c, T(0.)}, r, {r[0], y, T(0.)}};
  }
};

/// f is written in x; a TimeFunction calls its variable t.
TimeFunction curve_of(const Parameters& p) {
  const char* allowed = "an expression in x, optionally with derivatives: f; f'; f''";
  const std::string& text = p.text("curve");
  if (std::regex_search(text, std::regex(R"(\bt\b)"))) p.fail("curve", "the curve does not depend on t", allowed, "write it in x");
  try {
    return TimeFunction::from_text(std::regex_replace(text, std::regex(R"(\bx\b)"), "t"));
  } catch (const std::invalid_argument& e) {
    p.fail("curve", std::string(e.what()) + " (t stands for x here)", allowed, "correct the expression");
  }
}

Schema curve_schema() {
  Schema s;
  add_nodes(s, {1}, "the planar body or point mass");
  add_point(s, "point", "contact point, body-fixed components");
  s.text("curve").required().doc("y = f(x), e.g. exp(-x); derivatives may follow: exp(-x); -exp(-x); exp(-x)");
  s.text("side").one_of({"above", "below"}).fallback("above").doc("side of the curve on which the body is");
  add_contact_fields(s);
  return s;
}

const RegisterContribution contact_curve{
    "contributions", "contact_curve", "unilateral contact of a planar point with a curve y = f(x)", curve_schema(),
    [](const Parameters& p, const std::vector<NodeRef>& nodes) {
      check_nodes(p, nodes, {NodeKind::point_2d, NodeKind::planar_body});
      const Curve curve{marker_of(p, "point", "", nodes, 0), Marker::ground(Vec3::Zero()), curve_of(p), p.text("side") == "above" ? 1. : -1.};
      const ContactKinematics k = kinematics_of(curve.body, curve.support, nodes);
      return make_surface_contact(nodes, curve, contact_spec_of(p, k), true);
    }};

}  // namespace
}  // namespace percussion

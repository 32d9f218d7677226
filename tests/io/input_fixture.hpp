// A small case schema with one field of every kind, and helpers for tests about reading it.
#pragma once
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/registry.hpp"
#include "io/input.hpp"

namespace input_test {

/// Types of the catalogues `test_bodies` and `test_schemes`; registered once.
inline void register_types() {
  using percussion::Catalogue;
  if (Catalogue::instance().find("test_bodies", "sphere")) return;
  percussion::Schema sphere;
  sphere.real("mass").required().positive().unit("kg").doc("mass of the body");
  sphere.real("radius").fallback(0.5).positive().unit("m").doc("radius");
  sphere.reals("position", 3).fallback({0., 0., 0.}).unit("m").doc("centre");
  percussion::Schema box;
  box.reals("size", 3).required().positive().unit("m").doc("edge lengths");
  Catalogue::instance().add("test_bodies", {"sphere", "a ball", sphere});
  Catalogue::instance().add("test_bodies", {"box", "a cuboid", box});
  percussion::Schema moreau, radau;
  moreau.real("theta").fallback(0.5).between(0, 1).doc("weight of the end point");
  radau.integer("stages").fallback(2).between(1, 3).doc("number of stages");
  Catalogue::instance().add("test_schemes", {"moreau", "midpoint rule", moreau});
  Catalogue::instance().add("test_schemes", {"radau", "Radau IIA", radau});
}

inline percussion::Schema schema() {
  register_types();
  percussion::Schema time, limits, probe, s;
  time.real("start").fallback(0).unit("s").doc("initial time");
  time.real("end").required().unit("s").doc("final time");
  time.real("step").required().positive().unit("s").doc("step size");
  limits.reals("lower", {2, 3}).required();
  limits.reals("upper", {2, 3}).required();
  probe.text("name").required();
  probe.integer("every").fallback(10).at_least(1);
  s.section("time", time).required().doc("interval");
  s.section("limits", limits);
  s.choice("scheme", "test_schemes").fallback("moreau").doc("time integrator");
  s.choices("bodies", "test_bodies").doc("bodies");
  s.sections("probes", probe);
  s.reals("gravity", {2, 3}).fallback({0., 0., 0.}).unit("m/s^2");
  s.texts("tags");
  s.function("load").unit("N").doc("force");
  s.text("set").one_of({"disc", "rectangle"}).fallback("disc");
  s.text("title").fallback("");
  s.text("mesh").readable_file();
  s.integer("seed").fallback(1).at_least(0);
  s.boolean("verbose").fallback(false);
  return s;
}

inline percussion::Parameters read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return percussion::parse_input(text, "case.yaml", ".", overrides, schema());
}

/// The message of the InputError, or a note that there was none.
inline std::string message(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    read(text, overrides);
  } catch (const percussion::InputError& e) {
    return e.what();
  }
  return "no error";
}

inline void check_contains(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    BOOST_TEST(text.find(part) != std::string::npos, "`" << part << "` is not in:\n" << text);
}

inline const std::string good = R"(time: {end: 2, step: 1e-3}
)";

}  // namespace input_test

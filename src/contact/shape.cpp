#include "contact/shape.hpp"

#include <memory>
#include <numbers>

#include "base/registry.hpp"

namespace percussion {

namespace {

using RegisterShape = Registration<Shape, const Parameters&>;

Schema sphere_schema() {
  Schema s;
  s.real("radius").required().positive().unit("m").doc("radius of the sphere");
  return s;
}

const RegisterShape sphere{"shapes", "sphere", "sphere; a disc for planar bodies", sphere_schema(),
                           [](const Parameters& p) {
                             return std::make_unique<Shape>(Shape{ShapeKind::sphere, p.real("radius")});
                           }};

}  // namespace

const char* name(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::sphere: return "sphere";
  }
  return "?";
}

Shape make_shape(const Parameters& parameters) {
  return *Registry<Shape, const Parameters&>::instance().create(parameters.type(), parameters);
}

double volume(const Shape& shape) {
  return 4. / 3. * std::numbers::pi * shape.radius * shape.radius * shape.radius;
}

std::array<double, 3> inertia_per_mass(const Shape& shape) {
  const double theta = 0.4 * shape.radius * shape.radius;
  return {theta, theta, theta};
}

double area(const Shape& shape) { return std::numbers::pi * shape.radius * shape.radius; }

double planar_inertia_per_mass(const Shape& shape) { return 0.5 * shape.radius * shape.radius; }

}  // namespace percussion

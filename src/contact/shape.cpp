#include "contact/shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "base/registry.hpp"
#include "contact/mass_properties.hpp"

namespace percussion {

namespace {

constexpr double pi = std::numbers::pi;

/// Places the body in its principal frame; returns the rotation input -> principal.
Mat3 set_mass(Shape& shape, const MassProperties& m) {
  const PrincipalAxes p = principal_axes(m.inertia);
  shape.volume = m.volume, shape.centre = m.centre;
  shape.turn = quat_from_matrix(p.axes);
  for (int i = 0; i < 3; ++i) shape.inertia_per_mass[i] = p.moments[i] / m.volume;
  return p.axes.transpose();
}

}  // namespace

const char* name(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::sphere: return "sphere";
    case ShapeKind::box: return "box";
    case ShapeKind::capsule: return "capsule";
    case ShapeKind::cylinder: return "cylinder";
    case ShapeKind::polyhedron: return "polyhedron";
    case ShapeKind::clump: return "clump";
  }
  return "?";
}

Shape make_shape(const Parameters& parameters) {
  return *Registry<Shape, const Parameters&>::instance().create(parameters.type(), parameters);
}

Shape sphere_shape(double radius) {
  Shape s;
  s.radius = s.core_radius = radius;
  s.volume = 4. / 3. * pi * radius * radius * radius;
  s.inertia_per_mass.fill(0.4 * radius * radius);
  return s;
}

Shape box_shape(const Vec3& size) {
  Shape s;
  s.kind = ShapeKind::box;
  s.polyhedron = std::make_shared<Polyhedron>(box_polyhedron(0.5 * size));
  s.radius = 0.5 * size.norm();
  s.volume = size.prod();
  for (int i = 0; i < 3; ++i) {
    const double a = size[(i + 1) % 3], b = size[(i + 2) % 3];
    s.inertia_per_mass[i] = (a * a + b * b) / 12;
  }
  return s;
}

Shape capsule_shape(double r, double length) {
  Shape s;
  s.kind = ShapeKind::capsule;
  s.core_radius = r, s.half_length = 0.5 * length, s.radius = r + s.half_length;
  const double cylinder = pi * r * r * length, ball = 4. / 3. * pi * r * r * r;
  s.volume = cylinder + ball;
  // Half balls: centre of mass 3/8 r from the flat side; about that side 2/5 m r^2 in all directions.
  const double c = cylinder / s.volume, b = ball / s.volume, h = s.half_length;
  const double across = c * (r * r / 4 + length * length / 12) + b * (0.4 * r * r + h * h + 0.75 * h * r);
  s.inertia_per_mass = {across, across, c * r * r / 2 + b * 0.4 * r * r};
  return s;
}

Shape cylinder_shape(double r, double length) {
  Shape s;
  s.kind = ShapeKind::cylinder;
  s.core_radius = r, s.half_length = 0.5 * length, s.radius = std::hypot(r, s.half_length);
  s.volume = pi * r * r * length;
  const double across = r * r / 4 + length * length / 12;
  s.inertia_per_mass = {across, across, r * r / 2};
  return s;
}

Shape polyhedron_shape(std::span<const Vec3> points) {
  Shape s;
  s.kind = ShapeKind::polyhedron;
  const Polyhedron hull = convex_hull(points);
  const MassProperties m = mass_properties(hull);
  const Mat3 turn = set_mass(s, m);
  s.polyhedron = std::make_shared<Polyhedron>(moved(hull, m.centre, turn));
  s.radius = s.polyhedron->radius();
  return s;
}

Shape clump_shape(std::vector<ClumpSphere> spheres) {
  if (spheres.empty()) throw std::invalid_argument("a clump has at least one sphere");
  Shape s;
  s.kind = ShapeKind::clump;
  const MassProperties m = mass_properties(spheres);
  const Mat3 turn = set_mass(s, m);
  for (ClumpSphere& part : spheres) {
    part.x = turn * (part.x - m.centre);
    s.radius = std::max(s.radius, part.x.norm() + part.r);
  }
  s.spheres = std::move(spheres);
  return s;
}

double area(const Shape& shape) { return pi * shape.radius * shape.radius; }

double planar_inertia_per_mass(const Shape& shape) { return 0.5 * shape.radius * shape.radius; }

}  // namespace percussion

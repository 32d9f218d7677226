// Shapes of bodies: what NodeData::shape points to. Catalogue "shapes".
//
// A model keeps one table of shapes, the same on all ranks; entry 0 is the sphere. A shape is given in the frame of its
// principal axes with the centre of mass in the origin, so that it fits a rigid body with diagonal inertia. The size of a
// body is NodeData::radius, that of its bounding sphere: a body is its shape times radius / Shape::radius, and bodies of
// many sizes share one entry.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/parameters.hpp"
#include "contact/polyhedron.hpp"
#include "math/rotation.hpp"

namespace percussion {

enum class ShapeKind : std::uint8_t { sphere, box, capsule, cylinder, polyhedron, clump };

/// A sphere of a clump.
struct ClumpSphere {
  Vec3 x;
  double r;
};

struct Shape {
  ShapeKind kind = ShapeKind::sphere;
  double radius = 0;                           ///< of the bounding sphere around the centre of mass
  double core_radius = 0;                      ///< capsule, cylinder: radius; their axis is z
  double half_length = 0;                      ///< capsule: of its axis segment; cylinder: half its length
  std::shared_ptr<const Polyhedron> polyhedron;  ///< box, polyhedron
  std::vector<ClumpSphere> spheres;            ///< clump
  double volume = 0;
  std::array<double, 3> inertia_per_mass{};    ///< principal moments over the mass of a homogeneous body
  Vec3 centre = Vec3::Zero();                  ///< centre of mass in the frame of the input
  Quat turn = quat_identity();                 ///< principal axes -> frame of the input
};

using ShapeTable = std::vector<Shape>;

const char* name(ShapeKind kind);

/// `parameters`: a validated section with `type`. InputError for shapes that are flat, not convex, not closed, or whose
/// file cannot be read.
Shape make_shape(const Parameters& parameters);

Shape sphere_shape(double radius);
Shape box_shape(const Vec3& size);  ///< edges
Shape capsule_shape(double radius, double length);  ///< length of the axis segment
Shape cylinder_shape(double radius, double length);
/// Hull of points in any frame. std::invalid_argument if flat.
Shape polyhedron_shape(std::span<const Vec3> points);
/// Union of spheres in any frame; they may overlap. std::invalid_argument if empty.
Shape clump_shape(std::vector<ClumpSphere> spheres);

inline double volume(const Shape& shape) { return shape.volume; }
/// Principal moments of inertia about the centre of mass, divided by the mass (homogeneous body).
inline std::array<double, 3> inertia_per_mass(const Shape& shape) { return shape.inertia_per_mass; }

/// The same for planar bodies, whose shape is the cut of a sphere with their plane: a disc.
double area(const Shape& shape);
double planar_inertia_per_mass(const Shape& shape);

}  // namespace percussion

// Volume, centre and inertia of homogeneous bodies.
#pragma once
#include <span>

#include "contact/polyhedron.hpp"
#include "contact/shape.hpp"

namespace percussion {

struct MassProperties {
  double volume = 0;
  Vec3 centre = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();  ///< about the centre, for density 1
};

/// Exact: sum over tetrahedra.
MassProperties mass_properties(const Polyhedron& body);

/// Union of spheres: closed form if none overlap; otherwise by columns, exact along z and a midpoint rule of 400 x 400
/// across, which is good to about 1e-5.
MassProperties mass_properties(std::span<const ClumpSphere> spheres);

/// Principal axes as columns, right-handed, and the moments. The identity if `inertia` is diagonal up to rounding; equal
/// moments up to rounding become equal.
struct PrincipalAxes {
  Mat3 axes;
  Vec3 moments;
};
PrincipalAxes principal_axes(const Mat3& inertia);

}  // namespace percussion

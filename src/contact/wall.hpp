// Walls: fixed or uniformly moving planes that bound the bodies, the same on all ranks.
//
// Catalogue "walls": `plane` (point, normal) and `box` (lower, upper, open sides). A wall is an input section; what
// contact detection and the solvers see are its planes, flattened into one array. The normal of a plane points into
// the free half space, gap = n.x - offset - r. The velocity is constant: its normal part moves the plane, its
// tangential part drags bodies along (a belt) without moving anything.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/parameters.hpp"

namespace percussion {

/// Friction and restitution of a contact: coefficient mu, coefficients e_N and e_F of Newton's impact law.
struct SurfaceLaw {
  double mu = 0, e_N = 0, e_F = 0;
};

struct Plane {
  double n[3] = {0, 0, 1};
  double offset = 0;  ///< n.x of its points
  double velocity[3] = {0, 0, 0};
  double mu = 0, e_N = 0, e_F = 0;
};

/// One input section: its planes with the names of their sides (empty for a lone plane).
struct Wall {
  std::string name;
  std::vector<Plane> planes;
  std::vector<std::string> sides;
};

/// All planes at t = 0; plane k belongs to the wall wall_of[k] of the input and is called names[k] ("floor", "box.left").
struct Walls {
  std::vector<Plane> planes;
  std::vector<std::int32_t> wall_of;
  std::vector<std::string> names;
};

/// `walls`: the validated sections of the input. What a wall does not say about friction and restitution comes from
/// `law`. Names are made unique. InputError for a zero normal, an empty box or a box without sides.
Walls make_walls(const ParametersList& walls, const SurfaceLaw& law);

/// The planes at time t, given those at t = 0.
void planes_at(std::span<const Plane> planes, double t, std::vector<Plane>& result);

}  // namespace percussion

// Walls: what bounds the bodies, fixed or in prescribed motion, the same on all ranks. Catalogue "walls".
//
// A wall is an input section. What contact detection and the solvers see are its surfaces, numbered over all walls: first
// the planes (of `plane`, `box`, the ends of a `drum`), flattened into one array, then the surfaces of the obstacles (drum,
// hopper, triangles of a mesh). The normal of a plane points into the free half space, gap = n.x - offset - r.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/parameters.hpp"
#include "contact/obstacles.hpp"
#include "contact/surface_law.hpp"

namespace percussion {

struct Plane {
  double n[3] = {0, 0, 1};
  double offset = 0;  ///< n.x of its points
  double velocity[3] = {0, 0, 0};
  double mu = 0, e_N = 0, e_F = 0;
  double omega[3] = {0, 0, 0};  ///< its point at x moves with velocity + omega x x
  double rolling = 0, pivoting = 0;

  SurfaceLaw law() const { return {mu, e_N, e_F, rolling, pivoting}; }
};

/// One input section: its planes with the names of their sides (empty for a lone plane), and what is not a plane.
struct Wall {
  std::string name;
  std::vector<Plane> planes;
  std::vector<std::string> sides;
  WallMotion motion{};
  std::vector<Revolution> revolutions{};
  std::vector<std::shared_ptr<const MeshWall>> meshes{};
};

/// All surfaces at t = 0; plane k belongs to the wall wall_of[k] of the input and is called names[k] ("floor", "box.left").
struct Walls {
  std::vector<Plane> planes;
  std::vector<std::int32_t> wall_of;
  std::vector<std::string> names;
  std::vector<WallMotion> motions;        ///< per wall of the input; empty: all planes move with their velocity
  std::vector<std::string> input_names;   ///< per wall of the input
  Obstacles obstacles;

  /// Whether some surface has rolling or pivoting friction.
  bool turn() const;
  /// Only planes that rest or move with a constant velocity.
  bool are_plain() const;
  /// Name of a surface, for messages and records.
  const std::string& name(std::int32_t surface) const;
  /// Number of the wall of the input a surface belongs to.
  std::int32_t input(std::int32_t surface) const;
};

/// `walls`: the validated sections of the input. What a wall does not say about friction and restitution comes from
/// `law`. Names are made unique. InputError for a zero normal, an empty box or a box without sides, an unreadable mesh.
Walls make_walls(const ParametersList& walls, const SurfaceLaw& law);

/// The planes at time t, given those at t = 0, moving with their velocities.
void planes_at(std::span<const Plane> planes, double t, std::vector<Plane>& result);
/// The same with the motions of the walls; velocities at t_velocity. Obstacles are placed likewise.
void place_walls(Walls& walls, double t, double t_velocity, std::vector<Plane>& result);

/// Velocity of the surface at x, and its law, with the planes at their place.
Vec3 surface_velocity(const Walls& walls, std::span<const Plane> planes, std::int32_t surface, const Vec3& x);
Vec3 surface_spin(const Walls& walls, std::span<const Plane> planes, std::int32_t surface);  ///< angular velocity
SurfaceLaw surface_law(const Walls& walls, std::span<const Plane> planes, std::int32_t surface);

}  // namespace percussion

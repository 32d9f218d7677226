// Walls that are not planes, at their place of a moment: drums, hoppers, meshes.
//
// Each has a motion of its own; contact is computed in its frame. What can be touched is a numbered surface: one per wall of
// revolution, one per triangle of a mesh. The number is part of the identity of a contact and never changes.
#pragma once
#include <memory>
#include <variant>
#include <vector>

#include "contact/mesh_wall.hpp"
#include "contact/revolution.hpp"
#include "contact/surface_law.hpp"
#include "contact/wall_motion.hpp"

namespace percussion {

class Obstacles {
 public:
  void add(Revolution wall, const WallMotion& motion, const SurfaceLaw& law, std::int32_t input);
  void add(std::shared_ptr<const MeshWall> wall, const WallMotion& motion, const SurfaceLaw& law, std::int32_t input);

  bool empty() const { return entries_.empty(); }
  /// To time t; `velocities` at another time if given.
  void place(double t) { place(t, t); }
  void place(double t, double t_velocity);

  /// found(surface) for every surface that may be within `reach` of x.
  template <class Found>
  void for_each_near(const Vec3& x, double reach, Found&& found) const;

  /// visit(wall, first surface, wall of the input) for each, in their order; wall: a Revolution or MeshWall in its frame.
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (const Entry& e : entries_) {
      if (const Revolution* wall = std::get_if<Revolution>(&e.wall)) visit(*wall, e.first, e.input);
      else visit(*std::get<1>(e.wall), e.first, e.input);
    }
  }

  /// Contacts of a body with a surface; replaces the content of `manifold`.
  void contacts(std::int32_t surface, const Convex& a, double threshold, Manifold& manifold) const;

  const SurfaceLaw& law(std::int32_t surface) const { return entry(surface).law; }
  Vec3 velocity(std::int32_t surface, const Vec3& x) const { return entry(surface).pose.velocity_at(x); }
  Vec3 spin(std::int32_t surface) const { return entry(surface).pose.omega; }
  bool turn() const;  ///< some surface has rolling or pivoting friction
  /// The wall of the input.
  std::int32_t input(std::int32_t surface) const { return entry(surface).input; }

  /// Bound for the largest distance by which a surface within the box has moved since `mark()`.
  void mark();
  double displacement(const Vec3& lower, const Vec3& upper) const;
  /// Bound for the speed of surfaces within the box.
  double speed(const Vec3& lower, const Vec3& upper) const;

 private:
  struct Entry {
    std::variant<Revolution, std::shared_ptr<const MeshWall>> wall;
    WallMotion motion;
    SurfaceLaw law;
    std::int32_t input, first, size;
    WallPose pose, marked;
  };
  const Entry& entry(std::int32_t surface) const;

  std::vector<Entry> entries_;
};

// ---------------------------------------------------------------------------------------------------------------------

template <class Found>
void Obstacles::for_each_near(const Vec3& x, double reach, Found&& found) const {
  for (const Entry& e : entries_) {
    const Vec3 local = e.pose.to_wall(x);
    if (const Revolution* wall = std::get_if<Revolution>(&e.wall)) {
      if (distance_of(*wall, local, side_of(*wall, local)).distance <= reach) found(e.first);
    } else {
      std::get<1>(e.wall)->for_each_near(local, reach, [&](std::int32_t t) { found(e.first + t); });
    }
  }
}

}  // namespace percussion

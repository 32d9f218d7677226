// The part of a wall that is drawn: planes are infinite, pictures are not.
#pragma once
#include <limits>
#include <vector>

#include "contact/wall.hpp"
#include "math/types.hpp"

namespace percussion {

/// A box along the axes; empty at first.
struct SceneBox {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 upper = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void include(const Vec3& x, double radius = 0) {
    lower = lower.cwiseMin((x.array() - radius).matrix()), upper = upper.cwiseMax((x.array() + radius).matrix());
  }
  bool is_empty() const { return !(lower.array() <= upper.array()).all(); }
};

/// The corners of plane k, one polygon in order: what the other planes of its wall leave of it, as far as the bodies in
/// `extent` reach (a lone plane a little further). Empty if nothing is left. `planes`: at the present time.
std::vector<Vec3> plane_polygon(const Walls& walls, const std::vector<Plane>& planes, std::size_t k, const SceneBox& extent);

}  // namespace percussion

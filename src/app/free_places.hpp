// Which of some balls touch nothing: neither bodies of this rank nor walls.
#pragma once
#include <vector>

#include "assembly/system.hpp"
#include "contact/cell_grid.hpp"

namespace percussion {

class FreePlaces {
 public:
  /// Bodies that can meet balls of radius up to `largest` between the corners; `gone`: not those with a flag, per owned node.
  /// Walls at their place of `system.planes`.
  FreePlaces(const System& system, const Vec3& lower, const Vec3& upper, double largest, std::span<const std::uint8_t> gone);

  bool is_free(const Vec3& x, double r) const;

 private:
  bool meets_wall(const Vec3& x, double r) const;

  const System& system_;
  CellGrid grid_;
};

/// Whether two balls are apart, by their nearest images.
bool are_apart(const PeriodicBox& box, const Vec3& x, double r, const Vec3& y, double s);

}  // namespace percussion

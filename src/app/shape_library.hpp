// The shapes of a case: each described shape once, however many bodies have it; the same on all ranks.
#pragma once
#include <vector>

#include "contact/shape.hpp"
#include "math/random.hpp"
#include "model/node_types.hpp"

namespace percussion {

/// A body of a fill, whose radius is that of its bounding sphere: shape, mass and inertia; turned at random if asked for.
void finish_grain(const ShapeTable& shapes, std::int32_t shape, double density, const CounterRandom* random_orientation, NodeInit& node);

class ShapeLibrary {
 public:
  /// Adds to `table`, whose entry 0 is the sphere. The table must outlive the library.
  explicit ShapeLibrary(ShapeTable& table) : table_(table) {}

  /// Index of the shape that a validated section describes. InputError for shapes that cannot be.
  std::int32_t index(const Parameters& section);

  /// A node of the input with a `shape`: radius, and mass and inertia where the input leaves them out. Its orientation and
  /// angular velocity, given in the frame of the input, become those of the principal axes.
  void finish_node(const Parameters& p, NodeInit& node);

 private:
  ShapeTable& table_;
  std::vector<Parameters> sections_;
  std::vector<std::int32_t> indices_;
};

}  // namespace percussion

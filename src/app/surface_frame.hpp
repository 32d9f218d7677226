// Surfaces of a frame: the polygons of every owned body that is no sphere, at its place and turned as it is, with the fields
// of the body on each of its polygons. Spheres are the points of bodies.pvd.
#pragma once
#include <string>
#include <vector>

#include "app/case.hpp"
#include "contact/shape_surface.hpp"
#include "io/vtk_series.hpp"

namespace percussion {

class SurfaceFrame {
 public:
  /// `segments`: polygons around round parts, made even.
  SurfaceFrame(const ShapeTable& shapes, int segments);

  /// Collective. `q`: positions for output, laid out like nodes.q(). `fields`: some of body_field_names().
  void write(const Case& c, const std::vector<double>& q, const std::vector<std::string>& fields, std::int64_t step, VtkSeries& series) const;

 private:
  std::vector<ShapeSurface> surfaces_;  ///< by shape; entry 0, the sphere, is empty
};

}  // namespace percussion

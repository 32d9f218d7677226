// Walls of a frame: polygons where the walls are, with what the bodies do to each of them.
//
// A plane is one polygon, as far as bodies have been seen or its drum goes; a mesh is its triangles; drums and hoppers are cut into patches,
// and a contact belongs to the patch it lies on. All are turned to where the bodies are. Sums over the polygons of a wall are the reactions of the wall.
#pragma once
#include <span>
#include <vector>

#include "app/case.hpp"
#include "app/wall_surface.hpp"
#include "contact/shape_surface.hpp"
#include "io/vtk_series.hpp"

namespace percussion {

/// Collective. Grows by the owned bodies of all ranks.
void include_bodies(const System& system, const std::vector<double>& q, SceneBox& extent);

class WallFrame {
 public:
  explicit WallFrame(const Walls& walls);

  /// Collective: one reduction of four numbers per polygon. `series`: on rank 0 only, which writes all walls at system.t.
  void write(const Case& c, const SceneBox& extent, std::span<const ContactRecord> records, std::int64_t step, VtkSeries* series) const;

 private:
  /// A wall that is no plane, in its own frame.
  struct Obstacle {
    ShapeSurface polygons;
    std::int32_t input, first_surface, first_polygon;
    std::int32_t slices;  ///< drums and hoppers; 0: a mesh, whose polygons are its surfaces
    Revolution revolution{};
  };
  std::size_t polygon_of(const Walls& walls, const ContactRecord& record, double t) const;

  std::vector<Obstacle> obstacles_;
  std::vector<ShapeSurface> ends_;  ///< by plane: the end of a drum in its frame; other planes: empty
  std::size_t planes_ = 0, polygons_ = 0;
};

}  // namespace percussion

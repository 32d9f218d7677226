// Walls of a frame: polygons with the percussion and the force that the bodies exert on them.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "app/case.hpp"
#include "app/wall_surface.hpp"
#include "io/vtk_series.hpp"

namespace percussion {

/// Collective: one reduction of three numbers per plane. Sum of the percussions on each plane in the last step [N s].
std::vector<Vec3> wall_percussions(const System& system, std::span<const ContactRecord> records);

/// Collective. Grows by the owned bodies of all ranks.
void include_bodies(const System& system, const std::vector<double>& q, SceneBox& extent);

/// Local, on the rank that has the series. Walls at system.t as far as `extent` reaches.
void write_wall_frame(const Case& c, const SceneBox& extent, std::span<const Vec3> percussions, std::int64_t step, VtkSeries& series);

}  // namespace percussion

#include "app/wall_frame.hpp"

#include <utility>

namespace percussion {

std::vector<Vec3> wall_percussions(const System& system, std::span<const ContactRecord> records) {
  std::vector<Vec3> sums(system.walls.planes.size(), Vec3::Zero());
  for (const ContactRecord& r : records)
    if (r.plane >= 0 && std::cmp_less(r.plane, sums.size())) sums[r.plane] += r.P;
  if (!sums.empty()) MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(3 * sums.size()), MPI_DOUBLE, MPI_SUM, system.comm());
  return sums;
}

void include_bodies(const System& system, const std::vector<double>& q, SceneBox& extent) {
  const NodeStore& nodes = system.nodes;
  for (std::int32_t i = 0; i < nodes.owned(); ++i)
    if (nodes[i].kind != NodeKind::generalized)
      extent.include(system.periodic.wrapped(placement(nodes[i].kind, q.data() + nodes.q_offset()[i]).r), nodes[i].radius);
  Vec3 ends[2] = {extent.lower, -extent.upper};
  MPI_Allreduce(MPI_IN_PLACE, ends, 6, MPI_DOUBLE, MPI_MIN, system.comm());
  extent.lower = ends[0], extent.upper = -ends[1];
}

void write_wall_frame(const Case& c, const SceneBox& extent, std::span<const Vec3> percussions,
                      std::int64_t step, VtkSeries& series) {
  const Walls& walls = c.system.walls;
  std::vector<Plane> planes;
  Walls placed = walls;
  place_walls(placed, c.system.t, c.system.t, planes);
  std::vector<double> points, percussion, force;
  std::vector<std::int32_t> corners, ends;
  std::vector<std::int64_t> plane, wall;
  for (std::size_t k = 0; k < planes.size(); ++k) {
    for (const Vec3& x : plane_polygon(walls, planes, k, extent)) {
      corners.push_back(static_cast<std::int32_t>(corners.size()));
      points.insert(points.end(), x.data(), x.data() + 3);
    }
    ends.push_back(static_cast<std::int32_t>(corners.size()));
    plane.push_back(static_cast<std::int64_t>(k)), wall.push_back(walls.wall_of[k]);
    for (const double P : percussions[k]) percussion.push_back(P), force.push_back(P / c.last_step());
  }
  PointData data{points, {}};
  data.cells = Cells::polygons, data.corners = corners, data.ends = ends;
  data.cell_fields = {
      {"wall", 1, wall}, {"plane", 1, plane}, {"percussion", 3, percussion}, {"force", 3, force}};
  series.write(c.system.t, step, data);
}

}  // namespace percussion

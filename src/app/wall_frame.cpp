#include "app/wall_frame.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <utility>

namespace percussion {

namespace {

constexpr int segments = 64;  // around drums and hoppers
constexpr int most_slices = 64;

/// Patches about as long as they are wide.
int slices_of(const Revolution& wall) {
  const double width = 2 * std::numbers::pi * std::max(wall.r_0, wall.r_1) / segments, length = std::hypot(wall.r_1 - wall.r_0, wall.z_1 - wall.z_0);
  return std::clamp(static_cast<int>(std::ceil(length / width)), 1, most_slices);
}

ShapeSurface surface(const TriangleMesh& mesh) {
  ShapeSurface out{mesh.vertices, {}};
  for (const auto& t : mesh.triangles) out.polygons.emplace_back(t.begin(), t.end());
  return out;
}

ShapeSurface one_polygon(std::vector<Vec3> corners) {
  ShapeSurface out{std::move(corners), {{}}};
  for (std::size_t k = 0; k < out.points.size(); ++k) out.polygons[0].push_back(static_cast<std::int32_t>(k));
  return out;
}

/// A plane across the axis of a wall of revolution, as a polygon within it.
ShapeSurface end_of(const Revolution& wall, const Plane& plane) {
  const Vec3 n = Eigen::Map<const Vec3>(plane.n);
  const double z = n.dot(wall.axis) * (plane.offset - n.dot(wall.point));
  const double radius = wall.r_0 + (wall.r_1 - wall.r_0) * (z - wall.z_0) / (wall.z_1 - wall.z_0);
  const auto t = tangent_frame<double>(n);
  std::vector<Vec3> corners;
  for (int k = 0; k < segments; ++k) {
    const double phi = 2 * std::numbers::pi * k / segments;
    corners.push_back(wall.point + z * wall.axis + radius * (std::cos(phi) * t.col(0) + std::sin(phi) * t.col(1)));
  }
  return one_polygon(std::move(corners));
}

/// The arrays of a frame.
class Polygons {
 public:
  /// `surfaces_follow`: every polygon is a surface, numbered from `surface`; otherwise all are the same one.
  void add(const ShapeSurface& part, const WallPose& pose, std::int32_t wall, std::int32_t surface, bool surfaces_follow) {
    const auto before = static_cast<std::int32_t>(points_.size());
    for (const Vec3& x : part.points) points_.push_back(pose.A * x + pose.r);
    for (const auto& polygon : part.polygons) {
      Vec3 twice = Vec3::Zero();
      for (std::size_t k = 0; k < polygon.size(); ++k) {
        corners_.push_back(before + polygon[k]);
        if (k > 1) twice += (part.points[polygon[k - 1]] - part.points[polygon[0]]).cross(part.points[polygon[k]] - part.points[polygon[0]]);
      }
      ends_.push_back(static_cast<std::int32_t>(corners_.size()));
      area_.push_back(0.5 * twice.norm());
      wall_.push_back(wall), surface_.push_back(surface);
      surface += surfaces_follow;
    }
  }
  /// `sums`: percussion and its normal part of each polygon in a step h.
  void write(const std::vector<Vec4>& sums, double h, double t, std::int64_t step, VtkSeries& series) const {
    std::vector<double> percussion, force, pressure;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      for (int i = 0; i < 3; ++i) percussion.push_back(sums[k][i]), force.push_back(sums[k][i] / h);
      pressure.push_back(area_[k] > 0 ? sums[k][3] / (h * area_[k]) : 0.);
    }
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    PointData data{std::span(reinterpret_cast<const double*>(points_.data()), 3 * points_.size()), {}};
    data.cells = Cells::polygons, data.corners = corners_, data.ends = ends_;
    data.cell_fields = {{"wall", 1, wall_}, {"surface", 1, surface_}, {"percussion", 3, percussion}, {"force", 3, force}, {"pressure", 1, pressure}};
    series.write(t, step, data);
  }

 private:
  std::vector<Vec3> points_;
  std::vector<double> area_;
  std::vector<std::int32_t> corners_, ends_;
  std::vector<std::int64_t> wall_, surface_;
};

}  // namespace

void include_bodies(const System& system, const std::vector<double>& q, SceneBox& extent) {
  const NodeStore& nodes = system.nodes;
  for (std::int32_t i = 0; i < nodes.owned(); ++i)
    if (nodes[i].kind != NodeKind::generalized)
      extent.include(system.periodic.wrapped(placement(nodes[i].kind, q.data() + nodes.q_offset()[i]).r), nodes[i].radius);
  Vec3 ends[2] = {extent.lower, -extent.upper};
  MPI_Allreduce(MPI_IN_PLACE, ends, 6, MPI_DOUBLE, MPI_MIN, system.comm());
  extent.lower = ends[0], extent.upper = -ends[1];
}

WallFrame::WallFrame(const Walls& walls) : ends_(walls.planes.size()), planes_(walls.planes.size()), polygons_(planes_) {
  const auto planes = static_cast<std::int32_t>(planes_);
  walls.obstacles.for_each([&](const auto& wall, std::int32_t first, std::int32_t input) {
    Obstacle o{{}, input, planes + first, static_cast<std::int32_t>(polygons_), 0};
    if constexpr (std::is_same_v<decltype(wall), const Revolution&>) {
      o.revolution = wall, o.slices = slices_of(wall);
      o.polygons = surface(wall, segments, o.slices);
      for (std::size_t k = 0; k < planes_; ++k)
        if (walls.wall_of[k] == input) ends_[k] = end_of(wall, walls.planes[k]);
    } else {
      o.polygons = surface(wall.mesh());
    }
    polygons_ += o.polygons.polygons.size();
    obstacles_.push_back(std::move(o));
  });
}

std::size_t WallFrame::polygon_of(const Walls& walls, const ContactRecord& record, double t) const {
  if (std::cmp_less(record.plane, planes_)) return static_cast<std::size_t>(record.plane);
  const auto next = std::ranges::upper_bound(obstacles_, record.plane, {}, &Obstacle::first_surface);
  const Obstacle& o = *(next - 1);
  const std::int32_t place = o.slices == 0 ? record.plane - o.first_surface
                                           : polygon_at(o.revolution, segments, o.slices, walls.motions[o.input].at(t).to_wall(record.point));
  return static_cast<std::size_t>(o.first_polygon + place);
}

void WallFrame::write(const Case& c, const SceneBox& extent, std::span<const ContactRecord> records, std::int64_t step, VtkSeries* series) const {
  const Walls& walls = c.system.walls;
  const double t = c.system.t;
  std::vector<Vec4> sums(polygons_, Vec4::Zero());
  for (const ContactRecord& r : records) {
    if (r.plane < 0) continue;
    Vec4& sum = sums[polygon_of(walls, r, t)];
    sum.head<3>() += r.P, sum[3] += r.n.dot(r.P);
  }
  const bool writes = c.system.distribution.rank() == 0;
  MPI_Reduce(writes ? MPI_IN_PLACE : sums.data(), sums.data(), static_cast<int>(4 * sums.size()), MPI_DOUBLE, MPI_SUM, 0, c.system.comm());
  all_or_none(c.system.comm(), [&] {
    if (!series) return;
    std::vector<Plane> planes;
    Walls placed = walls;
    place_walls(placed, t, t, planes);
    Polygons polygons;
    for (std::size_t k = 0; k < planes.size(); ++k) {
      const auto plane = static_cast<std::int32_t>(k);
      if (ends_[k].points.empty())
        polygons.add(one_polygon(plane_polygon(walls, planes, k, extent)), WallPose(), walls.wall_of[k], plane, false);
      else
        polygons.add(ends_[k], walls.motions[walls.wall_of[k]].at(t), walls.wall_of[k], plane, false);
    }
    for (const Obstacle& o : obstacles_)
      polygons.add(o.polygons, walls.motions[o.input].at(t), o.input, o.first_surface, o.slices == 0);
    polygons.write(sums, c.last_step(), t, step, *series);
  });
}

}  // namespace percussion

#include "app/surface_frame.hpp"

#include "app/body_fields.hpp"

namespace percussion {

SurfaceFrame::SurfaceFrame(const ShapeTable& shapes, int segments) : surfaces_(shapes.size()) {
  for (std::size_t k = 1; k < shapes.size(); ++k) surfaces_[k] = surface(shapes[k], segments + segments % 2);
}

void SurfaceFrame::write(const Case& c, const std::vector<double>& q, const std::vector<std::string>& fields, std::int64_t step,
                         VtkSeries& series) const {
  const NodeStore& nodes = c.system.nodes;
  FrameColumns<BodySample> columns(body_fields(), fields);
  std::vector<double> points;
  std::vector<std::int32_t> corners, ends;
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    if (nodes[i].kind != NodeKind::rigid_body || nodes[i].shape == 0) continue;
    const BodySample body = body_sample(c.system, q, i);
    const auto place = placement(body.node.kind, body.q);
    const Vec3 centre = c.system.periodic.wrapped(place.r);
    const ShapeSurface& surface = surfaces_[nodes[i].shape];
    const double scale = nodes[i].radius / c.system.shapes[nodes[i].shape].radius;
    const auto before = static_cast<std::int32_t>(points.size() / 3);
    for (const Vec3& x : surface.points) {
      const Vec3 r = centre + place.A * (scale * x);
      points.insert(points.end(), r.data(), r.data() + 3);
    }
    for (const auto& polygon : surface.polygons) {
      for (const std::int32_t v : polygon) corners.push_back(before + v);
      ends.push_back(static_cast<std::int32_t>(corners.size()));
    }
    columns.add(body, surface.polygons.size());
  }
  PointData data{points, {}};
  data.cells = Cells::polygons, data.corners = corners, data.ends = ends;
  data.cell_fields = columns.fields();
  series.write(c.system.t, step, data);
}

}  // namespace percussion

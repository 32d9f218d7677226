#include "app/body_frame.hpp"

#include "app/body_fields.hpp"

namespace percussion {

void write_body_frame(const Case& c, const std::vector<double>& q, const std::vector<std::string>& fields,
                      std::int64_t step, VtkSeries& series) {
  const NodeStore& nodes = c.system.nodes;
  FrameColumns<BodySample> columns(body_fields(), fields);
  columns.reserve(nodes.owned());
  std::vector<double> points;
  points.reserve(3 * static_cast<std::size_t>(nodes.owned()));
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    if (nodes[i].kind == NodeKind::generalized) continue;
    const BodySample body = body_sample(c.system, q, i);
    const Vec3 r = c.system.periodic.wrapped(placement(body.node.kind, body.q).r);
    points.insert(points.end(), r.data(), r.data() + 3);
    columns.add(body);
  }
  series.write(c.system.t, step, {points, columns.fields()});
}

}  // namespace percussion

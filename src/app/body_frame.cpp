#include "app/body_frame.hpp"

#include <cmath>

#include "app/frame_columns.hpp"
#include "model/node_terms.hpp"

namespace percussion {

namespace {

struct Body {
  const NodeData& node;
  const double *q, *u;
  Motion<double> motion;
  int rank;
};

void copy(const double* from, int n, double* to) {
  std::copy_n(from, n, to);
}

/// (w, x, y, z), as ParaView's glyphs take it.
void orientation(const Body& b, double* p) {
  const double identity[4] = {1, 0, 0, 0};
  copy(b.node.kind == NodeKind::rigid_body ? b.q + 3 : identity, 4, p);
  if (b.node.kind == NodeKind::planar_body) p[0] = std::cos(0.5 * b.q[2]), p[3] = std::sin(0.5 * b.q[2]);
}

constexpr FrameField<Body> table[] = {
    {"id", 1, true, [](const Body& b, double* x) { *x = static_cast<double>(b.node.id); }},
    {"rank", 1, true, [](const Body& b, double* x) { *x = b.rank; }},
    {"shape", 1, true, [](const Body& b, double* x) { *x = b.node.shape; }},
    {"radius", 1, false, [](const Body& b, double* x) { *x = b.node.radius; }},
    {"mass", 1, false, [](const Body& b, double* x) { *x = b.node.mass; }},
    {"velocity", 3, false, [](const Body& b, double* x) { copy(b.motion.v.data(), 3, x); }},
    {"angular_velocity", 3, false, [](const Body& b, double* x) { copy(b.motion.omega.data(), 3, x); }},
    {"orientation", 4, false, orientation},
    {"kinetic_energy", 1, false, [](const Body& b, double* x) { *x = kinetic_energy(b.node, b.u); }},
};

}  // namespace

std::vector<std::string> body_field_names() {
  return names_of<Body>(table);
}

void write_body_frame(const Case& c, const std::vector<double>& q, const std::vector<std::string>& fields,
                      std::int64_t step, VtkSeries& series) {
  const NodeStore& nodes = c.system.nodes;
  FrameColumns<Body> columns(table, fields);
  columns.reserve(nodes.owned());
  std::vector<double> points;
  points.reserve(3 * static_cast<std::size_t>(nodes.owned()));
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    const NodeData& node = nodes[i];
    if (node.kind == NodeKind::generalized) continue;
    const double *q_i = q.data() + nodes.q_offset()[i], *u_i = nodes.u(i).data();
    const Vec3 r = c.system.periodic.wrapped(placement(node.kind, q_i).r);
    points.insert(points.end(), r.data(), r.data() + 3);
    columns.add({node, q_i, u_i, motion(node.kind, q_i, u_i), c.system.distribution.rank()});
  }
  series.write(c.system.t, step, {points, columns.fields()});
}

}  // namespace percussion

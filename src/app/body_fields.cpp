#include "app/body_fields.hpp"

#include <cmath>

namespace percussion {

namespace {

void copy(const double* from, int n, double* to) {
  std::copy_n(from, n, to);
}

/// (w, x, y, z), as ParaView's glyphs take it.
void orientation(const BodySample& b, double* p) {
  const double identity[4] = {1, 0, 0, 0};
  copy(b.node.kind == NodeKind::rigid_body ? b.q + 3 : identity, 4, p);
  if (b.node.kind == NodeKind::planar_body) p[0] = std::cos(0.5 * b.q[2]), p[3] = std::sin(0.5 * b.q[2]);
}

constexpr FrameField<BodySample> table[] = {
    {"id", 1, true, [](const BodySample& b, double* x) { *x = static_cast<double>(b.node.id); }},
    {"rank", 1, true, [](const BodySample& b, double* x) { *x = b.rank; }},
    {"shape", 1, true, [](const BodySample& b, double* x) { *x = b.node.shape; }},
    {"radius", 1, false, [](const BodySample& b, double* x) { *x = b.node.radius; }},
    {"mass", 1, false, [](const BodySample& b, double* x) { *x = b.node.mass; }},
    {"velocity", 3, false, [](const BodySample& b, double* x) { copy(b.motion.v.data(), 3, x); }},
    {"angular_velocity", 3, false, [](const BodySample& b, double* x) { copy(b.motion.omega.data(), 3, x); }},
    {"orientation", 4, false, orientation},
    {"kinetic_energy", 1, false, [](const BodySample& b, double* x) { *x = kinetic_energy(b.node, b.u); }},
};

}  // namespace

BodySample body_sample(const System& system, const std::vector<double>& q, std::int32_t i) {
  const NodeStore& nodes = system.nodes;
  const double *q_i = q.data() + nodes.q_offset()[i], *u_i = nodes.u(i).data();
  return {nodes[i], q_i, u_i, motion(nodes[i].kind, q_i, u_i), system.distribution.rank()};
}

std::span<const FrameField<BodySample>> body_fields() {
  return table;
}

std::vector<std::string> body_field_names() {
  return names_of(body_fields());
}

}  // namespace percussion

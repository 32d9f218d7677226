// The fields of a body in a frame, of its point (bodies.pvd) and of its surface (surfaces.pvd).
#pragma once
#include <span>
#include <string>
#include <vector>

#include "app/case.hpp"
#include "app/frame_columns.hpp"
#include "model/node_terms.hpp"

namespace percussion {

struct BodySample {
  const NodeData& node;
  const double *q, *u;
  Motion<double> motion;
  int rank;
};

/// The owned node i, with positions for output laid out like nodes.q().
BodySample body_sample(const System& system, const std::vector<double>& q, std::int32_t i);

/// What there is; what `output.body_fields` may name.
std::span<const FrameField<BodySample>> body_fields();
std::vector<std::string> body_field_names();

}  // namespace percussion

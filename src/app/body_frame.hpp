// Bodies of a frame: one point per owned node that has a place, with the fields the input chose.
#pragma once
#include <string>
#include <vector>

#include "app/case.hpp"
#include "io/vtk_series.hpp"

namespace percussion {

/// Collective. `q`: positions for output, laid out like nodes.q(). `fields`: some of body_field_names().
void write_body_frame(const Case& c, const std::vector<double>& q, const std::vector<std::string>& fields, std::int64_t step, VtkSeries& series);

}  // namespace percussion

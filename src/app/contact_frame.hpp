// Contacts of a frame: points with the fields the input chose, and force chains, the same contacts as lines.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "app/case.hpp"
#include "io/vtk_series.hpp"

namespace percussion {

/// What `output.contact_fields` may name.
std::vector<std::string> contact_field_names();
/// Without it: all but the sum of normal and friction percussion.
std::vector<std::string> default_contact_fields();

/// Collective. `records`: the contacts of the last step on this rank.
void write_contact_frame(const Case& c, std::span<const ContactRecord> records, const std::vector<std::string>& fields, std::int64_t step,
                         VtkSeries& series);

/// Collective. One line per loaded contact that was detected: between the centres of two bodies, or from a centre to the
/// wall, so that a chain is connected and ParaView's Tube filter can draw it as thick as its percussion.
void write_chain_frame(const Case& c, const std::vector<double>& q, std::span<const ContactRecord> records, std::int64_t step, VtkSeries& series);

}  // namespace percussion

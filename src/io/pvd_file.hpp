// The .pvd collection file of ParaView: which file belongs to which time. Local (no communication).
#pragma once
#include <filesystem>
#include <vector>

#include "io/vtk_series.hpp"

namespace percussion {

/// Replaces the file atomically; times are written so that they read back bit by bit.
void write_pvd(const std::filesystem::path& path, const std::vector<VtkSeries::Frame>& frames);

/// The frames of an existing file, in its order; RunError if it is no .pvd.
std::vector<VtkSeries::Frame> read_pvd(const std::filesystem::path& path);

}  // namespace percussion

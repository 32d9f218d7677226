// One rank's part of a VTK frame and the file that lists all parts, through VTK's writers. Local (no
// communication): VTK's own collective writer waits for ever when one rank cannot write its piece, and leaves
// empty pieces out.
#pragma once
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <filesystem>

#include "io/vtk_series.hpp"

namespace percussion {

/// Wraps the arrays of `data`, without copying them unless their precision changes: they must outlive the result.
/// `data` must be consistent.
vtkSmartPointer<vtkPolyData> make_poly_data(const PointData& data, Precision precision);

/// Writes a .vtp; RunError with path and reason.
void write_piece(vtkPolyData* piece, const std::filesystem::path& path);

/// Writes <stem>.pvtp for the pieces <stem>_0.vtp ... beside it; `like` shows which arrays they have.
void write_piece_list(vtkPolyData* like, const std::filesystem::path& path, int pieces);

}  // namespace percussion

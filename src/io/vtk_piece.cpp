#include "io/vtk_piece.hpp"

#include <fmt/format.h>
#include <vtkAOSDataArrayTemplate.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkErrorCode.h>
#include <vtkExecutive.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkXMLPPolyDataWriter.h>
#include <vtkXMLPolyDataWriter.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>

#include "base/error.hpp"
#include "io/vtk_errors.hpp"

namespace percussion {

namespace {

// Every piece is on disk already when the list is written, also those of other ranks and the empty ones.
class PieceListWriter : public vtkXMLPPolyDataWriter {
 public:
  static PieceListWriter* New() {
    auto* writer = new PieceListWriter;
    writer->InitializeObjectBase();
    return writer;
  }

 protected:
  int WritePieceInternal() override {
    std::fill_n(PieceWrittenFlags, NumberOfPieces, static_cast<unsigned char>(1));
    return 1;
  }
};

template <class T>
using Array = vtkAOSDataArrayTemplate<T>;

template <class T>
vtkSmartPointer<Array<T>> borrow(std::span<const T> values, int components, const std::string& name = {}) {
  auto array = vtkSmartPointer<Array<T>>::New();
  if (!name.empty()) array->SetName(name.c_str());
  array->SetNumberOfComponents(components);
  // The writers only read; `save` = 1 keeps VTK from freeing what it does not own.
  if (!values.empty())
    array->SetArray(const_cast<T*>(values.data()), static_cast<vtkIdType>(values.size()), 1);
  return array;
}

vtkSmartPointer<vtkDataArray> real_array(std::span<const double> values, int components, const std::string& name, Precision precision) {
  if (precision == Precision::full) return borrow(values, components, name);
  auto array = vtkSmartPointer<Array<float>>::New();
  array->SetName(name.c_str());
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(static_cast<vtkIdType>(values.size()) / components);
  std::ranges::transform(values, array->Begin(), [](double x) { return static_cast<float>(x); });
  return array;
}

vtkSmartPointer<vtkDataArray> make_array(const VtkField& field, Precision precision) {
  if (const auto* whole = std::get_if<std::span<const std::int64_t>>(&field.values)) return borrow(*whole, field.components, field.name);
  return real_array(std::get<std::span<const double>>(field.values), field.components, field.name, precision);
}

void add_fields(vtkDataSetAttributes* attributes, const std::vector<VtkField>& fields, Precision precision) {
  for (const auto& field : fields) attributes->AddArray(make_array(field, precision));
}

vtkSmartPointer<vtkCellArray> make_cells(Array<std::int32_t>* connectivity, int points_per_cell) {
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  cells->SetData(points_per_cell, connectivity);
  return cells;
}

vtkSmartPointer<vtkCellArray> make_polygons(const PointData& data) {
  vtkNew<Array<std::int32_t>> offsets;  // one more than polygons, the first is 0
  offsets->SetNumberOfValues(static_cast<vtkIdType>(data.ends.size()) + 1);
  offsets->SetValue(0, 0);
  std::ranges::copy(data.ends, offsets->Begin() + 1);
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  cells->SetData(offsets.Get(), borrow(data.corners, 1).Get());
  return cells;
}

void configure(vtkXMLWriter* writer, vtkPolyData* input, const std::filesystem::path& path) {
  writer->SetCompressorTypeToZLib();
  writer->SetCompressionLevel(1);
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  writer->SetHeaderTypeToUInt64();
  writer->SetInputDataObject(input);
  writer->SetFileName(path.c_str());
}

void run(vtkXMLWriter* writer, const std::filesystem::path& path) {
  VtkErrors errors(*writer);
  errors.watch(*writer->GetExecutive());
  errno = 0;
  const bool written =
      writer->Write() == 1 && writer->GetErrorCode() == vtkErrorCode::NoError && errors.text().empty();
  if (written) return;
  const int system_reason = errno;
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  // VTK calls every failed write "out of disk space"; the system usually knows better.
  throw RunError(fmt::format("cannot write {}: {}", path.string(),
                             system_reason != 0 ? std::string(std::strerror(system_reason)) : errors.text()));
}

}  // namespace

vtkSmartPointer<vtkPolyData> make_poly_data(const PointData& data, Precision precision) {
  auto piece = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints> points;
  points->SetData(real_array(data.points, 3, "Points", precision));
  piece->SetPoints(points);
  if (data.cells == Cells::vertices) {
    vtkNew<Array<std::int32_t>> all;
    all->SetNumberOfValues(static_cast<vtkIdType>(data.points.size() / 3));
    std::iota(all->Begin(), all->End(), 0);
    piece->SetVerts(make_cells(all, 1));
  } else if (data.cells == Cells::lines) {
    piece->SetLines(make_cells(borrow(data.corners, 1), 2));
  } else {
    piece->SetPolys(make_polygons(data));
  }
  add_fields(piece->GetPointData(), data.fields, precision);
  add_fields(piece->GetCellData(), data.cell_fields, precision);
  return piece;
}

void write_piece(vtkPolyData* piece, const std::filesystem::path& path) {
  vtkNew<vtkXMLPolyDataWriter> writer;
  configure(writer, piece, path);
  run(writer, path);
}

void write_piece_list(vtkPolyData* like, const std::filesystem::path& path, int pieces) {
  vtkNew<PieceListWriter> writer;
  configure(writer, like, path);
  writer->SetController(nullptr);
  writer->SetNumberOfPieces(pieces);
  run(writer, path);
}

}  // namespace percussion

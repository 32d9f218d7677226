// Frames as ParaView reads them.
#pragma once
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkXMLPPolyDataReader.h>

#include <filesystem>
#include <string>

#include "io/pvd_file.hpp"
#include "math/types.hpp"

namespace percussion {

inline vtkSmartPointer<vtkPolyData> read_frame(const std::filesystem::path& file) {
  vtkNew<vtkXMLPPolyDataReader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  return reader->GetOutput();
}

/// Frame number k of a series; the last one without it.
inline vtkSmartPointer<vtkPolyData> frame_of(const std::filesystem::path& pvd, int k = -1) {
  const auto frames = read_pvd(pvd);
  return read_frame(pvd.parent_path() / (k < 0 ? frames.back() : frames.at(k)).file);
}

inline Vec3 vector(vtkDataArray* array, vtkIdType i) { return {array->GetComponent(i, 0), array->GetComponent(i, 1), array->GetComponent(i, 2)}; }
inline Vec3 point(vtkPolyData* frame, vtkIdType i) {
  Vec3 x;
  frame->GetPoint(i, x.data());
  return x;
}
inline double of_cell(vtkPolyData* frame, const char* name, vtkIdType i) { return frame->GetCellData()->GetArray(name)->GetComponent(i, 0); }
inline double of_point(vtkPolyData* frame, const char* name, vtkIdType i) { return frame->GetPointData()->GetArray(name)->GetComponent(i, 0); }

}  // namespace percussion

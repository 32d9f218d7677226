#include "io/pvd_file.hpp"

#include <fmt/format.h>
#include <vtkSmartPointer.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLDataParser.h>

#include <bit>

#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "io/vtk_errors.hpp"

namespace percussion {

void write_pvd(const std::filesystem::path& path, const std::vector<VtkSeries::Frame>& frames) {
  const char* order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"{}\">\n  "
      "<Collection>\n",
      order);
  for (const auto& frame : frames)
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", frame.time, frame.file);
  text += "  </Collection>\n</VTKFile>\n";
  write_file_atomically(path, text);
}

std::vector<VtkSeries::Frame> read_pvd(const std::filesystem::path& path) {
  const auto broken = [&path](const std::string& why) {
    return RunError(fmt::format("cannot continue the series {}: {}", path.string(), why));
  };
  const auto parser = vtkSmartPointer<vtkXMLDataParser>::New();
  VtkErrors errors(*parser);
  parser->SetFileName(path.c_str());
  if (!parser->Parse()) throw broken("it is no XML file");
  vtkXMLDataElement* root = parser->GetRootElement();
  vtkXMLDataElement* collection = root ? root->FindNestedElementWithName("Collection") : nullptr;
  if (!collection) throw broken("it has no <Collection>");

  std::vector<VtkSeries::Frame> frames;
  for (int i = 0; i < collection->GetNumberOfNestedElements(); ++i) {
    vtkXMLDataElement* entry = collection->GetNestedElement(i);
    double time = 0;
    const char* file = entry->GetAttribute("file");
    if (!file || !entry->GetScalarAttribute("timestep", time))
      throw broken("a <DataSet> lacks file or timestep");
    frames.push_back({time, file});
  }
  return frames;
}

}  // namespace percussion

#include "io/vtk_series.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "io/pvd_file.hpp"
#include "io/vtk_piece.hpp"

namespace percussion {

namespace {

void check_field(const VtkField& field, std::size_t tuples, const char* what) {
  PERCUSSION_CHECK(
      field.components > 0 && field.size() == tuples * static_cast<std::size_t>(field.components),
      fmt::format("field `{}` has {} values for {} {} of {} components", field.name, field.size(), tuples,
                  what, field.components));
}

void check(const PointData& data) {
  PERCUSSION_CHECK(data.points.size() % 3 == 0, "points come as triples");
  const std::size_t n = data.points.size() / 3;
  PERCUSSION_CHECK(n <= INT32_MAX, "a piece holds at most 2^31-1 points");
  for (const auto& field : data.fields) check_field(field, n, "points");
  PERCUSSION_CHECK(data.cells != Cells::vertices || (data.corners.empty() && data.cell_fields.empty()), "cells with corners are lines or polygons");
  PERCUSSION_CHECK(data.cells == Cells::polygons || data.ends.empty(), "only polygons have ends");
  PERCUSSION_CHECK(data.cells != Cells::lines || data.corners.size() % 2 == 0, "lines come as pairs");
  PERCUSSION_CHECK(std::ranges::all_of(data.corners, [n](auto i) { return i >= 0 && static_cast<std::size_t>(i) < n; }),
                   "a cell refers to a point that is not there");
  PERCUSSION_CHECK(std::ranges::is_sorted(data.ends) && (data.cells != Cells::polygons || data.corners.size() == (data.ends.empty() ? 0 : static_cast<std::size_t>(data.ends.back()))),
                   "polygons do not end where their corners do");
  for (const auto& field : data.cell_fields) check_field(field, data.cell_count(), "cells");
}

// Everything that must be the same on all ranks, as one number (FNV-1a).
std::uint64_t signature(const PointData& data) {
  std::string text = fmt::format("{}", static_cast<int>(data.cells));
  for (const auto* fields : {&data.fields, &data.cell_fields}) {
    text += '|';
    for (const auto& f : *fields) text += fmt::format("{}:{}:{};", f.name, f.components, f.values.index());
  }
  std::uint64_t hash = 14695981039346656037ull;
  for (const unsigned char c : text) hash = (hash ^ c) * 1099511628211ull;
  return hash;
}

void check_same_everywhere(MPI_Comm comm, std::uint64_t mine) {
  const std::uint64_t both[2] = {mine, ~mine};
  std::uint64_t smallest[2];
  MPI_Allreduce(both, smallest, 2, MPI_UINT64_T, MPI_MIN, comm);
  PERCUSSION_CHECK(smallest[0] == ~smallest[1], "the ranks write different arrays into one VTK series");
}

}  // namespace

VtkSeries::VtkSeries(MPI_Comm comm, std::filesystem::path folder, std::string name,
                     std::optional<double> keep_before, Precision precision)
    : comm_(comm), folder_(std::move(folder)), pvd_(folder_ / (name + ".pvd")), name_(std::move(name)), precision_(precision) {
  all_or_none(comm_.get(), [&] {
    if (comm_.rank() != 0) return;
    std::error_code failure;
    std::filesystem::create_directories(folder_ / name_, failure);
    if (failure)
      throw RunError(fmt::format("cannot create {}: {}", (folder_ / name_).string(), failure.message()));
  });
  // Every rank reads the old list before rank 0 replaces it, so the lists agree without sending them.
  all_or_none(comm_.get(), [&] {
    if (!keep_before || !std::filesystem::exists(pvd_)) return;
    frames_ = read_pvd(pvd_);
    std::erase_if(frames_, [&](const Frame& frame) { return !(frame.time < *keep_before); });
  });
  all_or_none(comm_.get(), [&] {
    if (comm_.rank() == 0) write_pvd(pvd_, frames_);
  });
}

void VtkSeries::write(double time, std::int64_t step, const PointData& data) {
  vtkSmartPointer<vtkPolyData> piece;
  all_or_none(comm_.get(), [&] {
    check(data);
    piece = make_poly_data(data, precision_);
  });
  check_same_everywhere(comm_.get(), signature(data));

  const std::string frame = fmt::format("{}_{:06d}", name_, step);
  const std::string file = fmt::format("{}/{}.pvtp", name_, frame);
  // A frame that is about to be replaced leaves the list first: no listed frame is ever incomplete.
  const auto listed = std::erase_if(frames_, [&](const Frame& old) { return old.file == file; });
  all_or_none(comm_.get(), [&] {
    if (comm_.rank() == 0 && listed > 0) write_pvd(pvd_, frames_);
  });
  all_or_none(comm_.get(),
              [&] { write_piece(piece, folder_ / name_ / fmt::format("{}_{}.vtp", frame, comm_.rank())); });
  auto frames = frames_;
  frames.push_back({time, file});
  all_or_none(comm_.get(), [&] {
    if (comm_.rank() != 0) return;
    write_piece_list(piece, folder_ / file, comm_.size());
    write_pvd(pvd_, frames);
  });
  frames_ = std::move(frames);
}

}  // namespace percussion

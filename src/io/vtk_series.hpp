// A time series of points (bodies, contacts), lines (force chains) or polygons (walls, surfaces of bodies) for ParaView,
// written by all ranks.
//
// Files: <folder>/<name>.pvd lists the frames; frame 12 is <folder>/<name>/<name>_000012.pvtp, which lists
// one piece _000012_<rank>.vtp per rank (appended raw data, zlib level 1, UInt64 headers), empty ranks
// included. The .pvd is replaced by rename after its frame is complete, so a run that dies leaves a valid
// series behind. No model types here: the caller owns the arrays and lends them for the duration of write().
// All members are collective; an error on any rank is thrown on all of them.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "partition/communicator.hpp"

namespace percussion {

/// A named array, one tuple of `components` values per point (or cell).
struct VtkField {
  std::string name;
  int components = 1;
  std::variant<std::span<const double>, std::span<const std::int64_t>> values;

  std::size_t size() const {
    return std::visit([](const auto& v) { return v.size(); }, values);
  }
};

enum class Cells { vertices, lines, polygons };

/// How doubles reach the file; whole numbers always stay as they are.
enum class Precision { full, single };

/// What this rank contributes to a frame. Names, components and types of the fields and `cells` must be the
/// same on all ranks, those without points included.
struct PointData {
  std::span<const double> points;  ///< 3n coordinates
  std::vector<VtkField> fields;       ///< per point

  Cells cells = Cells::vertices;  ///< vertices: every point is a cell of its own, so that it is drawn
  std::span<const std::int32_t> corners = {};  ///< indices of this rank's points: lines as pairs, polygons one after the other
  std::span<const std::int32_t> ends = {};     ///< polygons: where each ends in `corners`
  std::vector<VtkField> cell_fields = {};      ///< per line or polygon

  std::size_t cell_count() const { return cells == Cells::lines ? corners.size() / 2 : ends.size(); }
};

class VtkSeries {
 public:
  /// Creates the folders. `keep_before`: continue an existing series, keeping its frames with time <
  /// keep_before; without it, the series starts anew.
  VtkSeries(MPI_Comm comm, std::filesystem::path folder, std::string name,
            std::optional<double> keep_before = std::nullopt, Precision precision = Precision::full);

  /// Adds a frame. A step that was written before is replaced. Throws RunError (disk full, not writable) on
  /// all ranks; the .pvd on disk then still lists the complete frames only.
  void write(double time, std::int64_t step, const PointData& data);

  const std::filesystem::path& pvd_path() const { return pvd_; }

  struct Frame {
    double time;
    std::string file;  ///< relative to the .pvd
  };
  /// The frames of the series, oldest first.
  const std::vector<Frame>& frames() const { return frames_; }

 private:
  Communicator comm_;
  std::filesystem::path folder_, pvd_;
  std::string name_;
  Precision precision_;
  std::vector<Frame> frames_;  // the same on all ranks
};

}  // namespace percussion

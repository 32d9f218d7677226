// The file formats behind TimeSeries. Local (no communication); every call opens and closes the file.
// All of them throw RunError with path and reason.
#pragma once
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "io/time_series.hpp"

namespace percussion {

class SeriesFile {
 public:
  virtual ~SeriesFile() = default;
  /// Starts a file without rows, replacing an old one.
  virtual void create() = 0;
  /// Shortens an existing file to its first rows with time (first column) < `time`; its columns must be ours.
  virtual void keep_before(double time) = 0;
  /// Adds whole rows (row by row in `rows`), all of them or none.
  virtual void append(std::span<const double> rows) = 0;
};

std::unique_ptr<SeriesFile> make_hdf5_series(const std::filesystem::path& path,
                                             const std::vector<Column>& columns);
std::unique_ptr<SeriesFile> make_csv_series(const std::filesystem::path& path,
                                            const std::vector<Column>& columns);

}  // namespace percussion

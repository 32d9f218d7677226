// A table of named columns (energy, contacts, iterations over time) that grows by one row per call.
//
// Rank 0 owns the file; a row holds global values, known on all ranks, so the table does not grow with the
// problem. Rows are buffered and reach the file in whole rows only: after `flush_rows` rows, `flush_seconds`
// after the last flush, at flush(), at the end; less often for a long hdf5 file, which every flush copies. In
// between the file is closed, so a run that dies leaves it readable and a running one can be watched. hdf5: one
// 1-D chunked dataset per column with the attributes `unit` and `meaning`, whole whenever the run is killed.
// csv: a header line `name [unit],...`, then numbers that read back bit by bit.
#pragma once
#include <mpi.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "partition/communicator.hpp"

namespace percussion {

struct Column {
  std::string name;
  std::string unit;     ///< empty: a plain number
  std::string meaning;  ///< one sentence
};

enum class SeriesFormat { hdf5, csv };

class SeriesFile;

class TimeSeries {
 public:
  struct Options {
    /// Continue an existing file: its rows whose first column (the time) is < keep_before stay. Without it,
    /// or if there is no file yet, the file starts anew.
    std::optional<double> keep_before = std::nullopt;
    int flush_rows = 256;
    double flush_seconds = 10;
  };

  /// Collective, like all members; an error (RunError) is thrown on all ranks.
  TimeSeries(MPI_Comm comm, std::filesystem::path path, SeriesFormat format, std::vector<Column> columns,
             Options options);
  TimeSeries(MPI_Comm comm, std::filesystem::path path, SeriesFormat format, std::vector<Column> columns)
      : TimeSeries(comm, std::move(path), format, std::move(columns), Options()) {}
  /// Writes what is left, if it can; call flush() at the end to hear about failures.
  ~TimeSeries();
  TimeSeries(const TimeSeries&) = delete;
  TimeSeries& operator=(const TimeSeries&) = delete;

  /// Adds a row: one value per column, in their order. When its flush fails, the rows stay buffered and a
  /// later flush tries again.
  void append(std::span<const double> row);
  void flush();

  const std::filesystem::path& path() const { return path_; }

 private:
  void write_buffer();
  bool is_flush_due() const;

  Communicator comm_;
  std::filesystem::path path_;
  std::vector<Column> columns_;
  Options options_;
  std::unique_ptr<SeriesFile> file_;  // rank 0
  std::vector<double> buffer_;        // rank 0, row by row
  std::chrono::steady_clock::time_point last_flush_;
  double flush_cost_ = 0;      // s, of the last flush
  std::size_t file_rows_ = 0;  // that a flush copies
};

}  // namespace percussion

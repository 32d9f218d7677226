// Writes a checkpoint: arrays that all ranks hold parts of, and small values that all ranks know.
//
// write() makes the file under a temporary name, brings it to the disk and renames it: whenever the run is
// killed, the file under its own name is whole or the old one. Rank 0 makes the file with all its space
// first, so a full disk is noticed before any rank writes. Cost: one collective write per array, each rank
// its rows; nothing grows with the number of ranks but the table of slices, one row per rank.
#pragma once
#include <mpi.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/checkpoint_types.hpp"

namespace percussion {

class CheckpointWriter {
 public:
  /// An array of which this rank has the rows `mine`, lent until write(). Same calls on all ranks; sizeof(T)
  /// is a multiple of 8.
  template <class T>
  void distributed(const std::string& name, std::span<const T> mine) {
    static_assert(sizeof(T) % 8 == 0, "slices begin at whole words");
    arrays_.push_back({name, hdf5_type<T>(), sizeof(T), std::as_bytes(mine)});
  }
  /// The same on all ranks.
  template <class T>
  void common(const std::string& name, std::span<const T> values) {
    const auto bytes = std::as_bytes(values);
    commons_.push_back({name, hdf5_type<T>(), sizeof(T), {bytes.begin(), bytes.end()}});
  }
  void text(const std::string& name, const std::string& value) { common(name, std::span<const char>(value)); }
  void integer(const std::string& name, std::int64_t value) {
    common(name, std::span<const std::int64_t>(&value, 1));
  }
  void real(const std::string& name, double value) { common(name, std::span<const double>(&value, 1)); }

  /// Collective. RunError on all ranks (disk full, not writable); files that were there are untouched then.
  void write(MPI_Comm comm, const std::filesystem::path& path);

 private:
  struct Array {
    std::string name;
    Hdf5Handle type;
    std::size_t record;
    std::span<const std::byte> mine;
    std::int64_t rows() const { return static_cast<std::int64_t>(mine.size() / record); }
  };
  struct Common {
    std::string name;
    Hdf5Handle type;
    std::size_t record;
    std::vector<std::byte> bytes;
  };
  /// Where the rows of this rank go.
  struct Layout {
    std::vector<std::int64_t> mine, first, all;  ///< rows per array
    std::vector<std::uint64_t> checksum;
  };

  Layout make_layout(MPI_Comm comm) const;
  void create(const std::string& file, const Layout& layout, int ranks, std::uint64_t slices_checksum) const;
  void write_rows(MPI_Comm comm, const std::string& file, const Layout& layout) const;

  std::vector<Array> arrays_;
  std::vector<Common> commons_;
};

}  // namespace percussion

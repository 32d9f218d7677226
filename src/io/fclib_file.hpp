// An HDF5 file in the layout of FCLIB, opened by all ranks together; each rank reads and writes its slice of
// a dataset.
//
// Names are paths below the root: `fclib_local/W/m`. All functions are collective. Whatever is wrong with the
// contents is an InputError with file and dataset, the same on all ranks; failures of the file system are
// RunErrors.
#pragma once
#include <mpi.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "io/hdf5_handle.hpp"

namespace percussion {

/// Elements [first, last) of a dataset.
struct DatasetSlice {
  std::int64_t first = 0, last = 0;
};

class FclibFile {
 public:
  enum class Mode { read, create, change };

  /// InputError if there is no HDF5 file at `path` (read, change).
  FclibFile(MPI_Comm comm, std::filesystem::path path, Mode mode);

  MPI_Comm comm() const { return comm_; }
  const std::filesystem::path& path() const { return path_; }

  bool has(const std::string& name) const;
  /// Elements of a dataset in one dimension.
  std::int64_t size(const std::string& name) const;
  /// The only element of a dataset.
  std::int64_t integer(const std::string& name) const;
  std::vector<std::int64_t> integers(const std::string& name, DatasetSlice slice) const;
  /// Finite numbers only.
  std::vector<double> reals(const std::string& name, DatasetSlice slice) const;

  /// Datasets of `size` elements, of which this rank writes those from `first` on. 32-bit integers, as FCLIB
  /// has them.
  void write_integers(const std::string& name, std::int64_t size, std::int64_t first,
                      std::span<const std::int64_t> values);
  void write_reals(const std::string& name, std::int64_t size, std::int64_t first,
                   std::span<const double> values);
  void write_integer(const std::string& name, std::int64_t value);
  void write_text(const std::string& name, const std::string& text);
  void make_group(const std::string& name);
  void remove(const std::string& name);
  /// Closes a file that was written: the destructor could not tell of a failure.
  void close();

  /// The complaint about a dataset of this file.
  [[noreturn]] void fail(const std::string& name, std::string problem, std::string allowed,
                         std::string value = {}) const;

 private:
  template <class T>
  std::vector<T> read(const std::string& name, hid_t type, DatasetSlice slice) const;
  void write(const std::string& name, hid_t stored, hid_t type, std::int64_t size, std::int64_t first,
             std::size_t count, const void* values);
  Hdf5Handle open(const std::string& name) const;

  MPI_Comm comm_;
  std::filesystem::path path_;
  Hdf5Quiet quiet_;
  Hdf5Handle file_;
};

}  // namespace percussion

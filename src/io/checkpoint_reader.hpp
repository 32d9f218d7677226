// Reads a checkpoint on any number of ranks. Whatever is wrong with the file is an InputError on all ranks
// that says what: not there, truncated, no checkpoint, of a newer version, damaged. Nothing is trusted: every
// dataset is checked against its checksum when it is read.
#pragma once
#include <mpi.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "io/checkpoint_types.hpp"

namespace percussion {

/// Rows of a distributed array.
struct Slice {
  std::int64_t first = 0, count = 0;
};

class CheckpointReader {
 public:
  /// Collective, like all members.
  CheckpointReader(MPI_Comm comm, std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  std::int64_t ranks() const { return ranks_; }  ///< that wrote it
  bool same_ranks() const;

  std::int64_t integer(const std::string& name) const { return single<std::int64_t>(name); }
  double real(const std::string& name) const { return single<double>(name); }
  std::string text(const std::string& name) const {
    const auto bytes = common<char>(name);
    return {bytes.begin(), bytes.end()};
  }
  /// What CheckpointWriter::common wrote.
  template <class T>
  std::vector<T> common(const std::string& name) const {
    return of_bytes<T>(common_bytes(name, hdf5_type<T>(), sizeof(T)));
  }

  std::int64_t rows(const std::string& name) const;  ///< of all ranks
  /// This rank's own rows on as many ranks as wrote the file, else an equal share.
  Slice slice(const std::string& name) const;
  /// The slices of the ranks must follow each other and make up the array.
  template <class T>
  std::vector<T> read(const std::string& name, Slice slice) const {
    return of_bytes<T>(distributed_bytes(name, hdf5_type<T>(), sizeof(T), slice));
  }
  /// The same for an array of which this rank needs the next `count` rows, whatever the ranks before need.
  template <class T>
  std::vector<T> read_next(const std::string& name, std::int64_t count) const {
    return read<T>(name, {rows_before(count), count});
  }

  /// Everything in the file against its checksum, read by rank 0 alone.
  void verify() const;

 private:
  template <class T>
  T single(const std::string& name) const {
    const auto values = common<T>(name);
    if (values.size() != 1) fail(name + " should be one value");
    return values.front();
  }
  template <class T>
  static std::vector<T> of_bytes(const std::vector<std::byte>& bytes) {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
  }
  std::vector<std::byte> common_bytes(const std::string& name, const Hdf5Handle& type,
                                      std::size_t record) const;
  std::vector<std::byte> distributed_bytes(const std::string& name, const Hdf5Handle& type,
                                           std::size_t record, Slice slice) const;
  std::int64_t rows_before(std::int64_t count) const;
  [[noreturn]] void fail(const std::string& problem) const;
  template <class Work>
  void guarded(Work&& work) const;

  MPI_Comm comm_;
  int rank_ = 0, size_ = 1;
  std::filesystem::path path_;
  std::int64_t ranks_ = 0;
  std::vector<std::string> arrays_, commons_;  ///< distributed, in the order of `slices`; known to all
  std::vector<std::int64_t> first_, mine_;     ///< on the same number of ranks: this rank's rows of each
};

}  // namespace percussion

#include "io/checkpoint_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "base/error.hpp"
#include "io/checksum.hpp"

namespace percussion {

namespace {

struct Dataset {
  Hdf5Handle file, dataset;
  std::vector<hsize_t> size;
};

Hdf5Handle open_file(const std::string& path) {
  return {path, H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
}

Dataset open_dataset(const std::string& path, const std::string& name) {
  Dataset d;
  d.file = open_file(path);
  d.dataset = {path, H5Dopen2(d.file.get(), name.c_str(), H5P_DEFAULT), H5Dclose};
  const Hdf5Handle space(path, H5Dget_space(d.dataset.get()), H5Sclose);
  d.size.resize(static_cast<std::size_t>(hdf5_check(path, H5Sget_simple_extent_ndims(space.get()))));
  hdf5_check(path, H5Sget_simple_extent_dims(space.get(), d.size.data(), nullptr));
  return d;
}

std::uint64_t stored_checksum(const std::string& path, const Dataset& d) {
  const Hdf5Handle attribute(path, H5Aopen(d.dataset.get(), "checksum", H5P_DEFAULT), H5Aclose);
  std::uint64_t value = 0;
  hdf5_check(path, H5Aread(attribute.get(), H5T_NATIVE_UINT64, &value));
  return value;
}

std::string text_attribute(const std::string& path, hid_t object, const char* name) {
  const Hdf5Handle attribute(path, H5Aopen(object, name, H5P_DEFAULT), H5Aclose),
      type(path, H5Aget_type(attribute.get()), H5Tclose);
  std::string text(H5Tget_size(type.get()), '\0');
  hdf5_check(path, H5Aread(attribute.get(), type.get(), text.data()));
  return text.c_str();
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

void check_type(const std::string& name, const Dataset& d, const Hdf5Handle& type) {
  const Hdf5Handle stored(name, H5Dget_type(d.dataset.get()), H5Tclose);
  if (H5Tequal(stored.get(), type.get()) <= 0) throw RunError(name + " has records of another type");
}

std::vector<std::byte> read_rows(const std::string& path, const Dataset& d, const Hdf5Handle& type,
                                 std::size_t record, Slice slice) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(slice.count) * record);
  if (slice.count == 0) return bytes;
  const auto first = static_cast<hsize_t>(slice.first), count = static_cast<hsize_t>(slice.count);
  const Hdf5Handle space(path, H5Dget_space(d.dataset.get()), H5Sclose),
      memory(path, H5Screate_simple(1, &count, nullptr), H5Sclose);
  hdf5_check(path, H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &first, nullptr, &count, nullptr));
  hdf5_check(path,
             H5Dread(d.dataset.get(), type.get(), memory.get(), space.get(), H5P_DEFAULT, bytes.data()));
  return bytes;
}

}  // namespace

void CheckpointReader::fail(const std::string& problem) const {
  throw InputError(Complaint{{path_.string(), 0},
                             "",
                             "",
                             problem,
                             "a whole checkpoint of this case",
                             "choose another file with --restart"});
}

/// Collective. Local failures of HDF5 as InputError about the file, on all ranks.
template <class Work>
void CheckpointReader::guarded(Work&& work) const {
  const Hdf5Quiet quiet;
  all_or_none(comm_, [&] {
    try {
      work();
    } catch (const RunError& e) {
      fail(fmt::format("the checkpoint cannot be read: {}", e.what()));
    }
  });
}

CheckpointReader::CheckpointReader(MPI_Comm comm, std::filesystem::path path)
    : comm_(comm), path_(std::move(path)) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
  const std::string file = path_.string();
  guarded([&] {
    if (!std::filesystem::is_regular_file(path_)) fail("there is no such file");
    const htri_t hdf5 = H5Fis_hdf5(file.c_str());
    if (hdf5 <= 0) fail("no checkpoint: it is not an HDF5 file, or its beginning is lost");
    const Hdf5Handle h5 = open_file(file), root(file, H5Gopen2(h5.get(), "/", H5P_DEFAULT), H5Gclose);
    if (H5Aexists(root.get(), "format") <= 0 ||
        text_attribute(file, root.get(), "format") != checkpoint_format)
      fail("an HDF5 file, but no checkpoint of this program");
    const Hdf5Handle attribute(file, H5Aopen(root.get(), "version", H5P_DEFAULT), H5Aclose);
    std::int64_t version = 0;
    hdf5_check(file, H5Aread(attribute.get(), H5T_NATIVE_INT64, &version));
    if (version > checkpoint_version)
      fail(fmt::format("written by a newer program: its version is {}, this program reads up to {}", version,
                       checkpoint_version));

    const Dataset slices = open_dataset(file, "slices");
    commons_ = words(text_attribute(file, root.get(), "common")),
    arrays_ = words(text_attribute(file, slices.dataset.get(), "of"));
    if (slices.size.size() != 2 || slices.size[1] != arrays_.size())
      throw RunError("the table of slices is damaged");
    ranks_ = static_cast<std::int64_t>(slices.size[0]);
  });
  if (!same_ranks()) return;
  std::uint64_t sum = 0, stored = 0;
  mine_.resize(arrays_.size()), first_.assign(arrays_.size(), 0);
  guarded([&] {
    const Dataset slices = open_dataset(file, "slices");
    stored = stored_checksum(file, slices);
    const hsize_t first[2] = {static_cast<hsize_t>(rank_), 0}, count[2] = {1, arrays_.size()};
    const Hdf5Handle space(file, H5Dget_space(slices.dataset.get()), H5Sclose),
        memory(file, H5Screate_simple(2, count, nullptr), H5Sclose);
    hdf5_check(file, H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, first, nullptr, count, nullptr));
    hdf5_check(file, H5Dread(slices.dataset.get(), H5T_NATIVE_INT64, memory.get(), space.get(), H5P_DEFAULT,
                             mine_.data()));
    const auto bytes = std::as_bytes(std::span(mine_));
    sum = checksum_of(bytes, static_cast<std::uint64_t>(rank_) * bytes.size());
  });
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, comm_);
  if (sum != stored) fail("the checkpoint is damaged: wrong checksum of slices");
  MPI_Exscan(mine_.data(), first_.data(), static_cast<int>(mine_.size()), MPI_INT64_T, MPI_SUM, comm_);
  if (rank_ == 0) first_.assign(arrays_.size(), 0);  // undefined there
}

bool CheckpointReader::same_ranks() const {
  return ranks_ == size_;
}

std::vector<std::byte> CheckpointReader::common_bytes(const std::string& name, const Hdf5Handle& type,
                                                      std::size_t record) const {
  const std::string file = path_.string();
  std::vector<std::byte> bytes;
  guarded([&] {
    if (rank_ != 0) return;
    const Dataset d = open_dataset(file, name);
    check_type(name, d, type);
    if (d.size.size() != 1) throw RunError(name + " is not one-dimensional");
    bytes = read_rows(file, d, type, record, {0, static_cast<std::int64_t>(d.size[0])});
    if (checksum_of(bytes, 0) != stored_checksum(file, d))
      fail("the checkpoint is damaged: wrong checksum of " + name);
  });
  auto size = static_cast<std::int64_t>(bytes.size());
  MPI_Bcast(&size, 1, MPI_INT64_T, 0, comm_);
  bytes.resize(static_cast<std::size_t>(size));
  MPI_Bcast(bytes.data(), static_cast<int>(size), MPI_BYTE, 0, comm_);
  return bytes;
}

std::int64_t CheckpointReader::rows(const std::string& name) const {
  std::int64_t rows = 0;
  guarded([&] {
    const Dataset d = open_dataset(path_.string(), name);
    if (d.size.size() != 1) throw RunError(name + " is not one-dimensional");
    rows = static_cast<std::int64_t>(d.size[0]);
  });
  return rows;
}

Slice CheckpointReader::slice(const std::string& name) const {
  const std::int64_t all = rows(name);
  if (!same_ranks()) return {all * rank_ / size_, all * (rank_ + 1) / size_ - all * rank_ / size_};
  const auto at = std::ranges::find(arrays_, name);
  if (at == arrays_.end()) fail("the checkpoint has no array " + name);
  const auto k = static_cast<std::size_t>(at - arrays_.begin());
  return {first_[k], mine_[k]};
}

std::int64_t CheckpointReader::rows_before(std::int64_t count) const {
  std::int64_t before = 0;
  MPI_Exscan(&count, &before, 1, MPI_INT64_T, MPI_SUM, comm_);
  return rank_ == 0 ? 0 : before;
}

std::vector<std::byte> CheckpointReader::distributed_bytes(const std::string& name, const Hdf5Handle& type,
                                                           std::size_t record, Slice slice) const {
  const std::string file = path_.string();
  std::vector<std::byte> bytes;
  std::uint64_t sums[2] = {0, 0}, stored = 0, all = 0;  // checksum, rows
  guarded([&] {
    const Dataset d = open_dataset(file, name);
    check_type(name, d, type);
    stored = stored_checksum(file, d), all = d.size.at(0);
    if (slice.first < 0 || slice.count < 0 || static_cast<hsize_t>(slice.first + slice.count) > all)
      fail("the checkpoint is damaged: too few rows in " + name);
    bytes = read_rows(file, d, type, record, slice);
    sums[0] = checksum_of(bytes, static_cast<std::uint64_t>(slice.first) * record),
    sums[1] = static_cast<std::uint64_t>(slice.count);
  });
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM, comm_);
  if (sums[1] != all)
    fail(fmt::format("the checkpoint is damaged: {} has {} rows where {} are needed", name, all, sums[1]));
  if (sums[0] != stored) fail("the checkpoint is damaged: wrong checksum of " + name);
  return bytes;
}

void CheckpointReader::verify() const {
  constexpr std::int64_t block = 1 << 16;  // rows
  const std::string file = path_.string();
  std::vector<std::string> names = commons_;
  names.insert(names.end(), arrays_.begin(), arrays_.end());
  guarded([&] {
    for (const std::string& name : names) {
      if (rank_ != 0) return;
      const Dataset d = open_dataset(file, name);
      const Hdf5Handle type(file, H5Dget_type(d.dataset.get()), H5Tclose);
      const std::size_t record = H5Tget_size(type.get());
      std::uint64_t sum = 0;
      const auto rows = static_cast<std::int64_t>(d.size.at(0));
      for (std::int64_t first = 0; first < rows; first += block)
        sum += checksum_of(read_rows(file, d, type, record, {first, std::min(block, rows - first)}),
                           static_cast<std::uint64_t>(first) * record);
      if (sum != stored_checksum(file, d)) fail("the checkpoint is damaged: wrong checksum of " + name);
    }
  });
}

}  // namespace percussion

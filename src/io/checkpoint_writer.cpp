#include "io/checkpoint_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "io/checksum.hpp"
#include "partition/communicator.hpp"

namespace percussion {

namespace {

void write_attribute(const std::string& file, hid_t object, const char* name, hid_t type, const void* value) {
  const Hdf5Handle space(file, H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(file, H5Acreate2(object, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
  hdf5_check(file, H5Awrite(attribute.get(), type, value));
}

void write_attribute(const std::string& file, hid_t object, const char* name, const std::string& value) {
  const Hdf5Handle type(file, H5Tcopy(H5T_C_S1), H5Tclose);
  hdf5_check(file, H5Tset_size(type.get(), value.size() + 1));
  write_attribute(file, object, name, type.get(), value.c_str());
}

/// Contiguous, with its place on the disk fixed now and no time spent on filling it.
Hdf5Handle create_dataset(const std::string& file, hid_t parent, const std::string& name, hid_t type,
                          std::span<const hsize_t> size, std::uint64_t checksum) {
  const Hdf5Handle space(file, H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
                         H5Sclose);
  const Hdf5Handle layout(file, H5Pcreate(H5P_DATASET_CREATE), H5Pclose),
      links(file, H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  hdf5_check(file, H5Pset_create_intermediate_group(links.get(), 1));
  hdf5_check(file, H5Pset_alloc_time(layout.get(), H5D_ALLOC_TIME_EARLY));
  hdf5_check(file, H5Pset_fill_time(layout.get(), H5D_FILL_TIME_NEVER));
  Hdf5Handle dataset(
      file, H5Dcreate2(parent, name.c_str(), type, space.get(), links.get(), layout.get(), H5P_DEFAULT),
      H5Dclose);
  write_attribute(file, dataset.get(), "checksum", H5T_NATIVE_UINT64, &checksum);
  return dataset;
}

template <class T>
std::vector<T> reduced(MPI_Comm comm, std::vector<T> values) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), mpi_type<T>(), MPI_SUM, comm);
  return values;
}

std::uint64_t slices_part(const std::vector<std::int64_t>& row, int rank) {
  const auto bytes = std::as_bytes(std::span(row));
  return checksum_of(bytes, static_cast<std::uint64_t>(rank) * bytes.size());
}

}  // namespace

CheckpointWriter::Layout CheckpointWriter::make_layout(MPI_Comm comm) const {
  Layout layout;
  for (const Array& array : arrays_) layout.mine.push_back(array.rows());
  layout.all = reduced(comm, layout.mine);
  layout.first.assign(arrays_.size(), 0);
  MPI_Exscan(layout.mine.data(), layout.first.data(), static_cast<int>(arrays_.size()), MPI_INT64_T, MPI_SUM,
             comm);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) layout.first.assign(arrays_.size(), 0);  // undefined there
  for (std::size_t k = 0; k < arrays_.size(); ++k)
    layout.checksum.push_back(
        checksum_of(arrays_[k].mine, static_cast<std::uint64_t>(layout.first[k]) * arrays_[k].record));
  layout.checksum = reduced(comm, std::move(layout.checksum));
  return layout;
}

void CheckpointWriter::create(const std::string& file, const Layout& layout, int ranks,
                              std::uint64_t slices_checksum) const {
  std::vector<std::string> names;
  std::size_t bytes = 65536;  // and what HDF5 itself needs
  for (std::size_t k = 0; k < arrays_.size(); ++k)
    names.push_back(arrays_[k].name), bytes += static_cast<std::size_t>(layout.all[k]) * arrays_[k].record;
  for (const Common& common : commons_) bytes += common.bytes.size() + 2048;
  bytes += static_cast<std::size_t>(ranks) * arrays_.size() * sizeof(std::int64_t);
  std::remove(file.c_str());
  reserve_space(file, bytes);  // the operating system's own words if there is no room

  const Hdf5Handle access(file, H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  hdf5_check(file, H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110,
                                        H5F_LIBVER_V110));  // its headers have checksums
  Hdf5Handle h5(file, H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
  {
    const Hdf5Handle root(file, H5Gopen2(h5.get(), "/", H5P_DEFAULT), H5Gclose);
    write_attribute(file, root.get(), "format", checkpoint_format);
    write_attribute(file, root.get(), "version", H5T_NATIVE_INT64, &checkpoint_version);
    std::vector<std::string> common_names;
    for (const Common& common : commons_) {
      common_names.push_back(common.name);
      const hsize_t size = common.bytes.size() / common.record;
      const Hdf5Handle dataset = create_dataset(file, h5.get(), common.name, common.type.get(),
                                                std::span(&size, 1), checksum_of(common.bytes, 0));
      if (size > 0)
        hdf5_check(file, H5Dwrite(dataset.get(), common.type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                  common.bytes.data()));
    }
    write_attribute(file, root.get(), "common", fmt::format("{}", fmt::join(common_names, " ")));
    for (std::size_t k = 0; k < arrays_.size(); ++k) {
      const auto size = static_cast<hsize_t>(layout.all[k]);
      create_dataset(file, h5.get(), arrays_[k].name, arrays_[k].type.get(), std::span(&size, 1),
                     layout.checksum[k]);
    }
    const hsize_t table[2] = {static_cast<hsize_t>(ranks), arrays_.size()};
    const Hdf5Handle slices =
        create_dataset(file, h5.get(), "slices", H5T_NATIVE_INT64, table, slices_checksum);
    write_attribute(file, slices.get(), "of", fmt::format("{}", fmt::join(names, " ")));
  }
  h5.close(file);
  fill_holes(file);
}

void CheckpointWriter::write_rows(MPI_Comm comm, const std::string& file, const Layout& layout) const {
  Hdf5Handle access, h5, transfer;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  all_or_none(comm, [&] {
    access = {file, H5Pcreate(H5P_FILE_ACCESS), H5Pclose},
    transfer = {file, H5Pcreate(H5P_DATASET_XFER), H5Pclose};
    hdf5_check(file, H5Pset_fapl_mpio(access.get(), comm, MPI_INFO_NULL));
    hdf5_check(file, H5Pset_dxpl_mpio(transfer.get(), H5FD_MPIO_COLLECTIVE));
  });
  const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDWR, access.get());
  all_or_none(comm, [&] { h5 = {file, opened, H5Fclose}; });

  // Nobody leaves before the last array: the writes are collective.
  std::string failure;
  const auto write = [&](const std::string& name, hid_t type, std::span<const hsize_t> first,
                         std::span<const hsize_t> count, const void* data) {
    try {
      const Hdf5Handle dataset(file, H5Dopen2(h5.get(), name.c_str(), H5P_DEFAULT), H5Dclose),
          space(file, H5Dget_space(dataset.get()), H5Sclose);
      const Hdf5Handle memory(file, H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                              H5Sclose);
      if (count[0] > 0) {
        hdf5_check(file, H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, first.data(), nullptr, count.data(),
                                             nullptr));
      } else {
        hdf5_check(file, H5Sselect_none(space.get())), hdf5_check(file, H5Sselect_none(memory.get()));
      }
      hdf5_check(file, H5Dwrite(dataset.get(), type, memory.get(), space.get(), transfer.get(), data));
    } catch (const RunError& e) {
      if (failure.empty()) failure = e.what();
    }
  };
  for (std::size_t k = 0; k < arrays_.size(); ++k) {
    if (layout.all[k] == 0) continue;
    const auto first = static_cast<hsize_t>(layout.first[k]), count = static_cast<hsize_t>(layout.mine[k]);
    write(arrays_[k].name, arrays_[k].type.get(), std::span(&first, 1), std::span(&count, 1),
          arrays_[k].mine.data());
  }
  const hsize_t first[2] = {static_cast<hsize_t>(rank), 0}, count[2] = {1, arrays_.size()};
  write("slices", H5T_NATIVE_INT64, first, count, layout.mine.data());
  try {
    h5.close(file);
  } catch (const RunError& e) {
    if (failure.empty()) failure = e.what();
  }
  all_or_none(comm, [&] {
    if (!failure.empty()) throw RunError(failure);
  });
}

void CheckpointWriter::write(MPI_Comm comm, const std::filesystem::path& path) {
  const Hdf5Quiet quiet;
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const Layout layout = make_layout(comm);
  const std::uint64_t slices = reduced(comm, std::vector<std::uint64_t>{slices_part(layout.mine, rank)})[0];
  const std::filesystem::path temporary = path.string() + ".tmp";
  try {
    all_or_none(comm, [&] {
      if (rank == 0) create(temporary.string(), layout, ranks, slices);
    });
    write_rows(comm, temporary.string(), layout);
    all_or_none(comm, [&] {
      if (rank == 0) rename_durably(temporary, path);
    });
  } catch (...) {
    if (rank == 0) std::remove(temporary.c_str());
    throw;
  }
}

}  // namespace percussion

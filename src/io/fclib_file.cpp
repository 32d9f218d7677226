#include "io/fclib_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace percussion {

namespace fs = std::filesystem;

namespace {

/// What an operating system can say without HDF5.
void check_readable(const fs::path& path) {
  std::error_code error;
  Complaint complaint{{path.string(), 0},
                      "",
                      "",
                      "",
                      "an HDF5 file in the layout of FCLIB",
                      "check the name and the current folder"};
  if (!fs::exists(path, error))
    complaint.problem = "file not found";
  else if (fs::is_directory(path, error))
    complaint.problem = "is a folder, not a file";
  else if (const htri_t hdf5 = H5Fis_hdf5(path.c_str()); hdf5 < 0)
    complaint.problem = "cannot be read";
  else if (hdf5 == 0)
    complaint.problem = "is not an HDF5 file";
  else
    return;
  throw InputError(complaint);
}

Hdf5Handle selection(const std::string& path, std::int64_t size, std::int64_t first, std::int64_t count) {
  const auto n = static_cast<hsize_t>(size), start = static_cast<hsize_t>(first),
             length = static_cast<hsize_t>(count);
  Hdf5Handle space(path, H5Screate_simple(1, &n, nullptr), H5Sclose);
  if (count == 0)
    hdf5_check(path, H5Sselect_none(space.get()));
  else
    hdf5_check(path, H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &length, nullptr));
  return space;
}

}  // namespace

FclibFile::FclibFile(MPI_Comm comm, fs::path path, Mode mode) : comm_(comm), path_(std::move(path)) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (mode != Mode::create)
    all_or_none(comm, [&] {
      if (rank == 0) check_readable(path_);
    });
  const std::string name = path_.string();
  const Hdf5Handle access(name, H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  hdf5_check(name, H5Pset_fapl_mpio(access.get(), comm, MPI_INFO_NULL));
  hdf5_check(name, H5Pset_all_coll_metadata_ops(access.get(), true));
  hid_t id = -1;
  if (mode == Mode::create)
    id = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get());
  else
    id = H5Fopen(name.c_str(), mode == Mode::read ? H5F_ACC_RDONLY : H5F_ACC_RDWR, access.get());
  all_or_none(comm, [&] { file_ = Hdf5Handle(name, id, H5Fclose); });
}

void FclibFile::fail(const std::string& name, std::string problem, std::string allowed,
                     std::string value) const {
  throw InputError(Complaint{{path_.string(), 0},
                             name,
                             std::move(value),
                             std::move(problem),
                             std::move(allowed),
                             "write the file anew, or correct the dataset"});
}

bool FclibFile::has(const std::string& name) const {
  // Every part of the path must exist before the next may be asked for.
  for (std::size_t end = name.find('/');; end = name.find('/', end + 1)) {
    if (H5Lexists(file_.get(), name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

Hdf5Handle FclibFile::open(const std::string& name) const {
  if (!has(name)) fail(name, "missing", "a dataset");
  const hid_t id = H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT);
  if (id < 0) fail(name, "is not a dataset", "a dataset");
  return Hdf5Handle(path_.string(), id, H5Dclose);
}

std::int64_t FclibFile::size(const std::string& name) const {
  const Hdf5Handle dataset = open(name);
  const Hdf5Handle space(path_.string(), H5Dget_space(dataset.get()), H5Sclose);
  if (H5Sget_simple_extent_ndims(space.get()) > 1)
    fail(name, "has more than one dimension", "a list of numbers");
  return static_cast<std::int64_t>(H5Sget_simple_extent_npoints(space.get()));
}

template <class T>
std::vector<T> FclibFile::read(const std::string& name, hid_t type, DatasetSlice slice) const {
  const std::string path = path_.string();
  const std::int64_t n = size(name), count = slice.last - slice.first;
  const Hdf5Handle dataset = open(name);
  const Hdf5Handle stored(path, H5Dget_type(dataset.get()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(stored.get());
  if (kind != H5T_INTEGER && (kind != H5T_FLOAT || std::is_integral_v<T>))
    fail(name, "has elements of the wrong type", std::is_integral_v<T> ? "integers" : "numbers");
  std::vector<T> values(static_cast<std::size_t>(count));
  // Not collective: slices of unequal use (none at all on some ranks) are common, and one rank may fail
  // alone.
  all_or_none(comm_, [&] {
    if (count == 0) return;
    const Hdf5Handle memory = selection(path, count, 0, count);
    Hdf5Handle on_disk(path, H5Dget_space(dataset.get()), H5Sclose);
    if (n > 1 || H5Sget_simple_extent_ndims(on_disk.get()) == 1)
      on_disk = selection(path, n, slice.first, count);
    hdf5_check(path, H5Dread(dataset.get(), type, n > 1 ? memory.get() : H5S_ALL,
                             n > 1 ? on_disk.get() : H5S_ALL, H5P_DEFAULT, values.data()));
  });
  return values;
}

std::int64_t FclibFile::integer(const std::string& name) const {
  if (const std::int64_t n = size(name); n != 1)
    fail(name, "is not a single number", "one integer", fmt::format("{} elements", n));
  return read<std::int64_t>(name, H5T_NATIVE_INT64, {0, 1}).front();
}

std::vector<std::int64_t> FclibFile::integers(const std::string& name, DatasetSlice slice) const {
  return read<std::int64_t>(name, H5T_NATIVE_INT64, slice);
}

std::vector<double> FclibFile::reals(const std::string& name, DatasetSlice slice) const {
  std::vector<double> values = read<double>(name, H5T_NATIVE_DOUBLE, slice);
  all_or_none(comm_, [&] {
    for (std::size_t k = 0; k < values.size(); ++k)
      if (!std::isfinite(values[k]))
        fail(name, "is not finite", "finite numbers",
             fmt::format("[{}] = {}", slice.first + static_cast<std::int64_t>(k), values[k]));
  });
  return values;
}

void FclibFile::write(const std::string& name, hid_t stored, hid_t type, std::int64_t size,
                      std::int64_t first, std::size_t count, const void* values) {
  const std::string path = path_.string();
  const auto n = static_cast<std::int64_t>(count);
  const Hdf5Handle memory = selection(path, n, 0, n), on_disk = selection(path, size, first, n);
  const Hdf5Handle whole = selection(path, size, 0, size);
  const Hdf5Handle dataset(
      path, H5Dcreate2(file_.get(), name.c_str(), stored, whole.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  if (size == 0) return;
  const Hdf5Handle transfer(path, H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  hdf5_check(path, H5Pset_dxpl_mpio(transfer.get(), H5FD_MPIO_COLLECTIVE));
  const double nothing = 0;
  const herr_t result =
      H5Dwrite(dataset.get(), type, memory.get(), on_disk.get(), transfer.get(), n > 0 ? values : &nothing);
  all_or_none(comm_, [&] { hdf5_check(path, result); });
}

void FclibFile::write_integers(const std::string& name, std::int64_t size, std::int64_t first,
                               std::span<const std::int64_t> values) {
  std::vector<std::int32_t> narrow(values.begin(), values.end());
  all_or_none(comm_, [&] {
    for (const std::int64_t v : values)
      if (v > std::numeric_limits<std::int32_t>::max())
        throw RunError(fmt::format("{}: {}: {} does not fit into the 32-bit integers of FCLIB",
                                   path_.string(), name, v));
  });
  write(name, H5T_NATIVE_INT32, H5T_NATIVE_INT32, size, first, narrow.size(), narrow.data());
}

void FclibFile::write_reals(const std::string& name, std::int64_t size, std::int64_t first,
                            std::span<const double> values) {
  write(name, H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE, size, first, values.size(), values.data());
}

void FclibFile::write_integer(const std::string& name, std::int64_t value) {
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  write_integers(name, 1, 0, std::span(&value, rank == 0 ? 1 : 0));
}

void FclibFile::write_text(const std::string& name, const std::string& text) {
  const std::string path = path_.string();
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  const Hdf5Handle type(path, H5Tcopy(H5T_C_S1), H5Tclose);
  hdf5_check(path, H5Tset_size(type.get(), text.size() + 1));
  write(name, type.get(), type.get(), 1, 0, rank == 0 ? 1 : 0, text.c_str());
}

void FclibFile::make_group(const std::string& name) {
  if (has(name)) return;
  const Hdf5Handle group(
      path_.string(), H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
}

void FclibFile::remove(const std::string& name) {
  if (has(name)) hdf5_check(path_.string(), H5Ldelete(file_.get(), name.c_str(), H5P_DEFAULT));
}

void FclibFile::close() {
  file_.close(path_.string());
}

}  // namespace percussion

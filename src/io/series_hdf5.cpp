// HDF5 time series: one extendible 1-D dataset per column.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5_handle.hpp"
#include "io/series_file.hpp"

namespace percussion {

namespace {

constexpr hsize_t chunk_rows = 1024;

// HDF5 changes a file in many places before it is whole again, and a kill or a full disk in between ruins it. So a
// flush changes a copy and renames it over the file. TimeSeries flushes the less often the longer the file is, and
// the copies cost a fixed multiple of its size in all. Space is reserved first, for the operating system's own words if
// there is none; bytes per column: the chunks and, generously, their index.
constexpr std::size_t space_for(std::size_t rows) {
  const std::size_t chunks = rows / chunk_rows + 2;
  return chunks * chunk_rows * sizeof(double) * 5 / 4 + 8192;
}

class Hdf5Series final : public SeriesFile {
 public:
  Hdf5Series(std::string path, std::vector<Column> columns)
      : path_(std::move(path)), columns_(std::move(columns)) {}

  void create() override {
    const ReplacedFile copy(path_);
    reserve_space(copy.path(), columns_.size() * space_for(0));
    const Hdf5Quiet quiet;
    Hdf5Handle file(path_, H5Fcreate(copy.path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    const hsize_t none = 0, unlimited = H5S_UNLIMITED;
    const Hdf5Handle space(path_, H5Screate_simple(1, &none, &unlimited), H5Sclose);
    const Hdf5Handle layout(path_, H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    check(H5Pset_chunk(layout.get(), 1, &chunk_rows));
    for (const auto& column : columns_) {
      const Hdf5Handle dataset(path_,
                               H5Dcreate2(file.get(), column.name.c_str(), H5T_NATIVE_DOUBLE, space.get(),
                                          H5P_DEFAULT, layout.get(), H5P_DEFAULT),
                               H5Dclose);
      write_attribute(dataset, "unit", column.unit);
      write_attribute(dataset, "meaning", column.meaning);
    }
    close(file);
    copy.replace();
  }

  void keep_before(double time) override {
    const ReplacedFile copy(path_);
    copy.copy_old();
    const Hdf5Quiet quiet;
    Hdf5Handle file = open(copy);
    auto datasets = open_columns(file);
    hsize_t rows = common_rows(datasets);
    std::vector<double> times(rows);
    const Hdf5Handle memory(path_, H5Screate_simple(1, &rows, nullptr), H5Sclose);
    const Hdf5Handle region = rows_of(datasets[0], 0, rows);
    check(
        H5Dread(datasets[0].get(), H5T_NATIVE_DOUBLE, memory.get(), region.get(), H5P_DEFAULT, times.data()));
    rows = static_cast<hsize_t>(std::ranges::find_if_not(times, [time](double t) { return t < time; }) -
                                times.begin());
    for (const auto& dataset : datasets) check(H5Dset_extent(dataset.get(), &rows));
    datasets.clear();
    close(file);
    copy.replace();
  }

  void append(std::span<const double> rows) override {
    const ReplacedFile copy(path_);
    copy.copy_old();
    reserve_space(copy.path(), columns_.size() * space_for(rows.size() / columns_.size()));
    const Hdf5Quiet quiet;
    Hdf5Handle file = open(copy);
    auto datasets = open_columns(file);
    extend(datasets, common_rows(datasets), rows);
    datasets.clear();
    close(file);
    copy.replace();
  }

 private:
  void check(hid_t result) const { hdf5_check(path_, result); }

  void close(Hdf5Handle& file) const {
    check(H5Fflush(file.get(), H5F_SCOPE_GLOBAL));
    file.close(path_);
  }

  Hdf5Handle open(const ReplacedFile& copy) const {
    return {path_, H5Fopen(copy.path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose};
  }

  std::vector<Hdf5Handle> open_columns(const Hdf5Handle& file) const {
    std::vector<Hdf5Handle> datasets;
    for (const auto& column : columns_) {
      if (H5Lexists(file.get(), column.name.c_str(), H5P_DEFAULT) <= 0)
        throw RunError(fmt::format("cannot continue {}: it has no column `{}`", path_, column.name));
      datasets.emplace_back(path_, H5Dopen2(file.get(), column.name.c_str(), H5P_DEFAULT), H5Dclose);
    }
    return datasets;
  }

  hsize_t common_rows(const std::vector<Hdf5Handle>& datasets) const {
    hsize_t rows = std::numeric_limits<hsize_t>::max();
    for (const auto& dataset : datasets) {
      const Hdf5Handle space(path_, H5Dget_space(dataset.get()), H5Sclose);
      hsize_t mine = 0;
      check(H5Sget_simple_extent_dims(space.get(), &mine, nullptr));
      rows = std::min(rows, mine);
    }
    return rows;
  }

  Hdf5Handle rows_of(const Hdf5Handle& dataset, hsize_t begin, hsize_t count) const {
    Hdf5Handle region(path_, H5Dget_space(dataset.get()), H5Sclose);
    check(H5Sselect_hyperslab(region.get(), H5S_SELECT_SET, &begin, nullptr, &count, nullptr));
    return region;
  }

  void extend(const std::vector<Hdf5Handle>& datasets, hsize_t before, std::span<const double> rows) const {
    const std::size_t width = columns_.size();
    const hsize_t added = rows.size() / width, after = before + added;
    const Hdf5Handle memory(path_, H5Screate_simple(1, &added, nullptr), H5Sclose);
    std::vector<double> values(added);
    for (std::size_t c = 0; c < width; ++c) {
      for (hsize_t r = 0; r < added; ++r) values[r] = rows[r * width + c];
      check(H5Dset_extent(datasets[c].get(), &after));
      const Hdf5Handle region = rows_of(datasets[c], before, added);
      check(H5Dwrite(datasets[c].get(), H5T_NATIVE_DOUBLE, memory.get(), region.get(), H5P_DEFAULT,
                     values.data()));
    }
  }

  void write_attribute(const Hdf5Handle& dataset, const char* name, const std::string& text) const {
    const Hdf5Handle type(path_, H5Tcopy(H5T_C_S1), H5Tclose);
    check(H5Tset_size(type.get(), text.size() + 1));  // HDF5 knows no strings of size 0
    check(H5Tset_cset(type.get(), H5T_CSET_UTF8));
    const Hdf5Handle space(path_, H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Handle attribute(
        path_, H5Acreate2(dataset.get(), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(H5Awrite(attribute.get(), type.get(), text.c_str()));
  }

  std::string path_;
  std::vector<Column> columns_;
};

}  // namespace

std::unique_ptr<SeriesFile> make_hdf5_series(const std::filesystem::path& path,
                                             const std::vector<Column>& columns) {
  return std::make_unique<Hdf5Series>(path.string(), columns);
}

}  // namespace percussion

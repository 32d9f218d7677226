// Time series: the columns read back bit by bit with plain HDF5 or as text, whatever interrupted the writer.
#include <hdf5.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/error.hpp"
#include "io/scratch_folder.hpp"
#include "io/time_series.hpp"
#include "io/write_limit.hpp"

using namespace percussion;

namespace {

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

const std::vector<Column> columns{{"time", "s", "simulated time"},
                                  {"energy", "J", "kinetic and potential energy"},
                                  {"contacts", "", "closed contacts"}};

std::array<double, 3> row(int i) {
  return {i * 0.1, std::sqrt(i) / 3, i * 7.0};
}

void append_rows(TimeSeries& series, int begin, int end) {
  for (int i = begin; i < end; ++i) series.append(row(i));
}

// A file of either format, column by column.
using Table = std::vector<std::vector<double>>;

Table read_hdf5(const std::filesystem::path& path) {
  Table table;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  BOOST_REQUIRE(file >= 0);
  for (const auto& column : columns) {
    const hid_t dataset = H5Dopen2(file, column.name.c_str(), H5P_DEFAULT);
    BOOST_REQUIRE(dataset >= 0);
    const hid_t space = H5Dget_space(dataset);
    BOOST_REQUIRE_EQUAL(H5Sget_simple_extent_ndims(space), 1);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    BOOST_TEST(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    table.push_back(values);
    H5Sclose(space);
    H5Dclose(dataset);
  }
  H5Fclose(file);
  return table;
}

std::string read_attribute(const std::filesystem::path& path, const std::string& column, const char* name) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t attribute = H5Aopen_by_name(file, column.c_str(), name, H5P_DEFAULT, H5P_DEFAULT);
  BOOST_REQUIRE(attribute >= 0);
  const hid_t type = H5Aget_type(attribute);
  std::string text(H5Tget_size(type), '\0');
  H5Aread(attribute, type, text.data());
  H5Tclose(type);
  H5Aclose(attribute);
  H5Fclose(file);
  return text.c_str();  // up to the terminating zero
}

Table read_csv(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  BOOST_TEST(line == "time [s],energy [J],contacts");
  Table table(columns.size());
  while (std::getline(in, line)) {
    BOOST_TEST(!in.eof());  // every line has its end
    std::istringstream cells(line);
    std::string cell;
    for (auto& column : table) {
      BOOST_REQUIRE(std::getline(cells, cell, ','));
      column.push_back(std::strtod(cell.c_str(), nullptr));
    }
  }
  return table;
}

Table read(const std::filesystem::path& path, SeriesFormat format) {
  const Table table = format == SeriesFormat::hdf5 ? read_hdf5(path) : read_csv(path);
  MPI_Barrier(MPI_COMM_WORLD);  // nobody writes while another rank still reads
  return table;
}

// Exact: neither format may lose a bit.
void check_rows(const Table& table, int count) {
  BOOST_REQUIRE_EQUAL(table.size(), columns.size());
  for (std::size_t c = 0; c < table.size(); ++c) {
    BOOST_REQUIRE_EQUAL(table[c].size(), count);
    int different = 0;
    for (int i = 0; i < count; ++i) different += table[c][i] != row(i)[c];
    BOOST_TEST(different == 0);
  }
}

constexpr SeriesFormat formats[] = {SeriesFormat::hdf5, SeriesFormat::csv};

}  // namespace

BOOST_AUTO_TEST_SUITE(time_series)

BOOST_AUTO_TEST_CASE(rows_read_back_exactly_after_every_flush) {
  for (const auto format : formats) {
    const ScratchFolder scratch;
    const auto path = scratch / "series";
    TimeSeries series(MPI_COMM_WORLD, path, format, columns);
    check_rows(read(path, format), 0);
    // Longer than a chunk (1024 rows) of the dataset, and not a multiple of it.
    int written = 0;
    for (const int rows : {1, 100, 2500}) {
      append_rows(series, written, written + rows);
      written += rows;
      series.flush();
      check_rows(read(path, format), written);
    }
  }
}

BOOST_AUTO_TEST_CASE(columns_carry_unit_and_meaning) {
  const ScratchFolder scratch;
  const TimeSeries series(MPI_COMM_WORLD, scratch / "series.h5", SeriesFormat::hdf5, columns);
  for (const auto& column : columns) {
    BOOST_TEST(read_attribute(scratch / "series.h5", column.name, "unit") == column.unit);
    BOOST_TEST(read_attribute(scratch / "series.h5", column.name, "meaning") == column.meaning);
  }
}

BOOST_AUTO_TEST_CASE(buffer_is_written_by_rows_by_time_and_at_the_end) {
  for (const auto format : formats) {
    const ScratchFolder scratch;
    const auto path = scratch / "series";
    {
      TimeSeries series(MPI_COMM_WORLD, path, format, columns, {.flush_rows = 10, .flush_seconds = 1e9});
      append_rows(series, 0, 9);
      check_rows(read(path, format), 0);  // still in the buffer; the file is readable all the same
      append_rows(series, 9, 12);
      check_rows(read(path, format), 10);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    check_rows(read(path, format), 12);
    TimeSeries hasty(MPI_COMM_WORLD, path, format, columns, {.flush_rows = 1000, .flush_seconds = 0});
    append_rows(hasty, 0, 1);
    check_rows(read(path, format), 1);
  }
}

BOOST_AUTO_TEST_CASE(restart_keeps_the_rows_before_it) {
  for (const auto format : formats) {
    const ScratchFolder scratch;
    const auto path = scratch / "series";
    {
      TimeSeries series(MPI_COMM_WORLD, path, format, columns);
      append_rows(series, 0, 30);
    }
    TimeSeries series(MPI_COMM_WORLD, path, format, columns, {.keep_before = row(20)[0]});
    check_rows(read(path, format), 20);
    append_rows(series, 20, 25);
    series.flush();
    check_rows(read(path, format), 25);
    // Nothing to cut, and nothing there yet.
    TimeSeries whole(MPI_COMM_WORLD, path, format, columns, {.keep_before = 1e9});
    check_rows(read(path, format), 25);
    TimeSeries none(MPI_COMM_WORLD, scratch / "new", format, columns, {.keep_before = 1.0});
    check_rows(read(scratch / "new", format), 0);
    // A table with other columns is not continued.
    const std::vector<Column> other{{"time", "s", ""}, {"momentum", "Ns", ""}};
    BOOST_CHECK_THROW(TimeSeries(MPI_COMM_WORLD, path, format, other, {.keep_before = 1.0}), RunError);
  }
}

BOOST_AUTO_TEST_CASE(csv_continues_after_a_line_that_was_cut_off) {
  const ScratchFolder scratch;
  const auto path = scratch / "series.csv";
  {
    TimeSeries series(MPI_COMM_WORLD, path, SeriesFormat::csv, columns);
    append_rows(series, 0, 3);
  }
  if (world_rank() == 0) std::ofstream(path, std::ios::app) << "0.3,0.";
  const TimeSeries series(MPI_COMM_WORLD, path, SeriesFormat::csv, columns, {.keep_before = 1e9});
  check_rows(read(path, SeriesFormat::csv), 3);
}

BOOST_AUTO_TEST_CASE(unwritable_path_is_an_error_on_all_ranks) {
  const ScratchFolder scratch;
  if (world_rank() == 0) std::ofstream(scratch / "file") << "in the way";
  for (const auto format : formats)
    BOOST_CHECK_EXCEPTION(TimeSeries(MPI_COMM_WORLD, scratch / "file/series", format, columns), RunError,
                          [&](const RunError& e) {
                            const std::string text = e.what();
                            return text.find((scratch / "file/series").string()) != text.npos &&
                                   text.find("Not a directory") != text.npos;
                          });
}

BOOST_AUTO_TEST_CASE(full_disk_is_an_error_on_all_ranks_and_leaves_whole_rows) {
  for (const auto format : formats) {
    const ScratchFolder scratch;
    const auto path = scratch / "series";
    TimeSeries series(MPI_COMM_WORLD, path, format, columns, {.flush_rows = 1 << 20, .flush_seconds = 1e9});
    append_rows(series, 0, 500);
    series.flush();
    append_rows(series, 500, 20000);
    {
      // Room for some of the new rows, not for all.
      const WriteLimit full(100000);
      BOOST_CHECK_EXCEPTION(series.flush(), RunError, [&](const RunError& e) {
        const std::string text = e.what();
        return text.find(path.string()) != text.npos && text.find("File too large") != text.npos;
      });
      check_rows(read(path, format), 500);
    }
    series.flush();  // space again: nothing was lost
    check_rows(read(path, format), 20000);
  }
}

BOOST_AUTO_TEST_CASE(special_numbers_survive) {
  for (const auto format : formats) {
    const ScratchFolder scratch;
    const auto path = scratch / "series";
    TimeSeries series(MPI_COMM_WORLD, path, format, columns);
    const double inf = std::numeric_limits<double>::infinity(),
                 tiny = std::numeric_limits<double>::denorm_min();
    series.append(std::array{tiny, std::nan(""), -inf});
    series.flush();
    const auto table = read(path, format);
    BOOST_TEST(table[0].at(0) == tiny);
    BOOST_TEST(std::isnan(table[1].at(0)));
    BOOST_TEST(table[2].at(0) == -inf);
  }
}

BOOST_AUTO_TEST_CASE(rows_of_a_wrong_length_are_refused) {
  const ScratchFolder scratch;
  TimeSeries series(MPI_COMM_WORLD, scratch / "series.csv", SeriesFormat::csv, columns);
  BOOST_CHECK_THROW(series.append(std::array{1.0, 2.0}), std::exception);
  series.flush();
  check_rows(read(scratch / "series.csv", SeriesFormat::csv), 0);
}

BOOST_AUTO_TEST_SUITE_END()

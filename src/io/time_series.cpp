#include "io/time_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "io/series_file.hpp"

namespace percussion {

TimeSeries::TimeSeries(MPI_Comm comm, std::filesystem::path path, SeriesFormat format,
                       std::vector<Column> columns, Options options)
    : comm_(comm),
      path_(std::move(path)),
      columns_(std::move(columns)),
      options_(options),
      last_flush_(std::chrono::steady_clock::now()) {
  all_or_none(comm_.get(), [&] {
    std::set<std::string> names;
    for (const auto& column : columns_)
      PERCUSSION_CHECK(!column.name.empty() && names.insert(column.name).second,
                       fmt::format("column `{}` of a time series has no name or appears twice", column.name));
    PERCUSSION_CHECK(!columns_.empty(), "a time series needs a column");
    if (comm_.rank() != 0) return;
    file_ =
        format == SeriesFormat::hdf5 ? make_hdf5_series(path_, columns_) : make_csv_series(path_, columns_);
    std::error_code ignored;
    if (options_.keep_before && std::filesystem::exists(path_, ignored))
      file_->keep_before(*options_.keep_before);
    else
      file_->create();
  });
}

TimeSeries::~TimeSeries() {
  try {
    write_buffer();
  } catch (...) {  // nobody is left to hear it
  }
}

void TimeSeries::append(std::span<const double> row) {
  all_or_none(comm_.get(), [&] {
    PERCUSSION_CHECK(row.size() == columns_.size(), fmt::format("a row of {} values for {} columns in {}",
                                                                row.size(), columns_.size(), path_.string()));
    if (comm_.rank() != 0) return;
    buffer_.insert(buffer_.end(), row.begin(), row.end());
    if (is_flush_due()) write_buffer();
  });
}

void TimeSeries::flush() {
  all_or_none(comm_.get(), [&] { write_buffer(); });
}

void TimeSeries::write_buffer() {
  const auto begin = last_flush_ = std::chrono::steady_clock::now();
  if (buffer_.empty()) return;
  file_->append(buffer_);
  buffer_.clear();
  last_flush_ = std::chrono::steady_clock::now();
  flush_cost_ = std::chrono::duration<double>(last_flush_ - begin).count();
  std::error_code ignored;
  if (path_.extension() == ".h5") file_rows_ = std::filesystem::file_size(path_, ignored) / (sizeof(double) * columns_.size());
}

// The rows of a flush are at least a sixteenth of what it copies, its cost a fiftieth of the time between two.
bool TimeSeries::is_flush_due() const {
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - last_flush_;
  return buffer_.size() / columns_.size() >= std::max(static_cast<std::size_t>(options_.flush_rows), file_rows_ / 16) ||
         since.count() >= std::max(options_.flush_seconds, 50 * flush_cost_);
}

}  // namespace percussion

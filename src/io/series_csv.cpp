// CSV time series: a header line, then rows in the shortest form that reads back bit by bit.
#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "io/series_file.hpp"

namespace percussion {

namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

class CsvSeries final : public SeriesFile {
 public:
  CsvSeries(std::filesystem::path path, std::size_t width, std::string header)
      : path_(std::move(path)), width_(width), header_(std::move(header)) {}

  void create() override { write_file_atomically(path_, header_); }

  void keep_before(double time) override {
    std::ifstream in(path_);
    std::string line;
    if (!std::getline(in, line) || line + '\n' != header_)
      throw RunError(fmt::format("cannot continue {}: its header is not `{}`", path_.string(),
                                 header_.substr(0, header_.size() - 1)));
    std::string text = header_;
    while (std::getline(in, line)) {
      // A last line without its end was cut off by a crash.
      if (in.eof() || !(std::strtod(line.c_str(), nullptr) < time)) break;
      text += line + '\n';
    }
    if (in.bad()) throw RunError(fmt::format("cannot read {}: {}", path_.string(), std::strerror(errno)));
    write_file_atomically(path_, text);
  }

  void append(std::span<const double> rows) override {
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i)
      fmt::format_to(std::back_inserter(text), "{}{}", rows[i], (i + 1) % width_ == 0 ? '\n' : ',');
    append_to_file(path_, text);
  }

 private:
  std::filesystem::path path_;
  std::size_t width_;
  std::string header_;
};

}  // namespace

std::unique_ptr<SeriesFile> make_csv_series(const std::filesystem::path& path,
                                            const std::vector<Column>& columns) {
  std::string header;
  for (const auto& c : columns)
    header += (header.empty() ? "" : ",") +
              quoted(c.unit.empty() ? c.name : fmt::format("{} [{}]", c.name, c.unit));
  return std::make_unique<CsvSeries>(path, columns.size(), header + '\n');
}

}  // namespace percussion

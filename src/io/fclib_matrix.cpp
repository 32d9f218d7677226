#include "io/fclib_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "partition/index_blocks.hpp"
#include "partition/send_items.hpp"

namespace percussion {

namespace {

/// Names of the datasets of one matrix.
struct Names {
  std::string group;
  std::string operator()(const char* dataset) const { return group + "/" + dataset; }
};

std::int64_t count(const FclibFile& file, const std::string& name) {
  const std::int64_t n = file.integer(name);
  if (n < 0) file.fail(name, "is negative", "a number of rows or columns >= 0", std::to_string(n));
  return n;
}

void check_size(const FclibFile& file, const std::string& name, std::int64_t wanted, bool exact) {
  const std::int64_t n = file.size(name);
  if (exact ? n == wanted : n >= wanted) return;
  file.fail(name, "has the wrong length", fmt::format("{} elements", wanted), fmt::format("{} elements", n));
}

/// Collective. 0 <= index < n.
void check_range(const FclibFile& file, const std::string& name, const std::vector<std::int64_t>& index,
                 std::int64_t first, std::int64_t n) {
  all_or_none(file.comm(), [&] {
    for (std::size_t k = 0; k < index.size(); ++k)
      if (index[k] < 0 || index[k] >= n)
        file.fail(name, "index out of range", fmt::format("0 .. {}", n - 1),
                  fmt::format("[{}] = {}", first + static_cast<std::int64_t>(k), index[k]));
  });
}

void read_triplets(const FclibFile& file, const Names& name, std::int64_t nz, StoredMatrix& matrix) {
  for (const char* dataset : {"p", "i", "x"}) check_size(file, name(dataset), nz, false);
  const IndexBlocks share(file.comm(), nz);
  const DatasetSlice slice{share.first(), share.last()};
  const auto row = file.integers(name("i"), slice), column = file.integers(name("p"), slice);
  const auto value = file.reals(name("x"), slice);
  check_range(file, name("i"), row, slice.first, matrix.rows);
  check_range(file, name("p"), column, slice.first, matrix.columns);
  for (std::size_t k = 0; k < value.size(); ++k) matrix.entries.push_back({row[k], column[k], value[k]});
}

void read_compressed(const FclibFile& file, const Names& name, bool by_columns, StoredMatrix& matrix) {
  const std::int64_t major = by_columns ? matrix.columns : matrix.rows,
                     minor = by_columns ? matrix.rows : matrix.columns;
  check_size(file, name("p"), major + 1, true);
  const std::int64_t entries = std::min(file.size(name("i")), file.size(name("x")));
  const IndexBlocks share(file.comm(), major);
  const auto first = file.integers(name("p"), {share.first(), share.last() + 1});
  all_or_none(file.comm(), [&] {
    if (share.first() == 0 && first.front() != 0)
      file.fail(name("p"), "does not begin with 0", "0", fmt::format("[0] = {}", first.front()));
    for (std::size_t k = 0; k < first.size(); ++k)
      if (first[k] < 0 || first[k] > entries || (k > 0 && first[k] < first[k - 1]))
        file.fail(
            name("p"), "is not a rising list of first entries",
            fmt::format("numbers that do not fall, from 0 to at most {}, the length of i and x", entries),
            fmt::format("[{}] = {}", share.first() + static_cast<std::int64_t>(k), first[k]));
  });
  const DatasetSlice slice{first.front(), first.back()};
  const auto index = file.integers(name("i"), slice);
  const auto value = file.reals(name("x"), slice);
  check_range(file, name("i"), index, slice.first, minor);
  matrix.entries.reserve(value.size());
  for (std::int64_t m = 0; m < share.size(); ++m)
    for (std::int64_t k = first[m]; k < first[m + 1]; ++k) {
      const std::int64_t here = share.first() + m, there = index[k - slice.first];
      matrix.entries.push_back(
          {by_columns ? there : here, by_columns ? here : there, value[k - slice.first]});
    }
}

}  // namespace

StoredMatrix read_matrix(const FclibFile& file, const std::string& group) {
  const Names name{group};
  if (!file.has(group)) file.fail(group, "missing", "a matrix: a group with m, n, nz, p, i and x");
  StoredMatrix matrix;
  matrix.rows = count(file, name("m")), matrix.columns = count(file, name("n"));
  const std::int64_t nz = file.integer(name("nz"));
  if (nz < -2)
    file.fail(name("nz"), "unknown form of a matrix",
              "the number of triplets, -1 (compressed columns) or -2 (compressed rows)", std::to_string(nz));
  if (nz >= 0)
    read_triplets(file, name, nz, matrix);
  else
    read_compressed(file, name, nz == -1, matrix);
  return matrix;
}

std::vector<MatrixEntry> send_entries(MPI_Comm comm, const std::vector<MatrixEntry>& entries,
                                      const std::function<int(const MatrixEntry&)>& owner) {
  std::vector<MatrixEntry> mine = send_items(comm, entries, owner);
  std::stable_sort(mine.begin(), mine.end(), [](const auto& a, const auto& b) {
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
  });
  return mine;
}

void write_matrix(FclibFile& file, const std::string& group, const StoredMatrix& matrix, MatrixForm form) {
  const Names name{group};
  const bool by_columns = form == MatrixForm::columns;
  // The same code for columns and rows: of a matrix by columns the transposed is written by rows.
  std::vector<MatrixEntry> entries = matrix.entries;
  if (by_columns)
    for (MatrixEntry& e : entries) std::swap(e.row, e.column);
  const std::int64_t major = by_columns ? matrix.columns : matrix.rows;
  const IndexBlocks share(file.comm(), major);
  entries = send_entries(file.comm(), entries, [&](const MatrixEntry& e) { return share.owner(e.row); });

  const auto mine = static_cast<std::int64_t>(entries.size());
  std::int64_t before = 0, total = 0;
  MPI_Scan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, file.comm());
  before -= mine;
  MPI_Allreduce(&mine, &total, 1, MPI_INT64_T, MPI_SUM, file.comm());

  std::vector<std::int64_t> p, i;
  std::vector<double> x;
  for (const MatrixEntry& e : entries)
    i.push_back(form == MatrixForm::triplets ? e.row : e.column), x.push_back(e.value);
  std::int64_t p_size = major + 1, p_first = share.first();
  if (form == MatrixForm::triplets) {
    for (const MatrixEntry& e : entries) p.push_back(e.column);
    p_size = total, p_first = before;
  } else {
    std::size_t k = 0;
    for (std::int64_t m = share.first(); m < share.last() + (share.rank + 1 == share.ranks); ++m) {
      while (k < entries.size() && entries[k].row < m) ++k;
      p.push_back(before + static_cast<std::int64_t>(k));
    }
  }
  file.make_group(group);
  file.write_integer(name("nzmax"), total), file.write_integer(name("m"), matrix.rows),
      file.write_integer(name("n"), matrix.columns);
  file.write_integer(name("nz"), form == MatrixForm::triplets  ? total
                                 : form == MatrixForm::columns ? -1
                                                               : -2);
  file.write_integers(name("p"), p_size, p_first, p);
  file.write_integers(name("i"), total, before, i);
  file.write_reals(name("x"), total, before, x);
}

}  // namespace percussion

// Sparse matrices of an FCLIB file: datasets m, n, nz, nzmax, p, i, x of a group.
//
//   nz >= 0   triplets: i row, p column, x value
//   nz = -1   compressed columns: p first entry of each column, i rows
//   nz = -2   compressed rows: p first entry of each row, i columns
//
// The order of triplets is that of CSparse, which Siconos and the files of the collection follow. Entries that
// occur twice are added up by whoever uses the matrix.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "io/fclib_file.hpp"

namespace percussion {

enum class MatrixForm { triplets, columns, rows };

struct MatrixEntry {
  std::int64_t row, column;
  double value;
};

/// The part of a matrix that this rank has: any of its entries.
struct StoredMatrix {
  std::int64_t rows = 0, columns = 0;
  std::vector<MatrixEntry> entries;
};

/// Collective. Every rank reads an equal share of the columns, rows or triplets. InputError if anything is
/// missing, of the wrong size, out of range or not finite.
StoredMatrix read_matrix(const FclibFile& file, const std::string& group);

/// Collective. Entries are put in order, whoever has them.
void write_matrix(FclibFile& file, const std::string& group, const StoredMatrix& matrix, MatrixForm form);

/// Collective. Entries to the ranks that `owner` names; sorted by row, then column.
std::vector<MatrixEntry> send_entries(MPI_Comm comm, const std::vector<MatrixEntry>& entries,
                                      const std::function<int(const MatrixEntry&)>& owner);

}  // namespace percussion

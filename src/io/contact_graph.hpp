// Which rank gets which contact of a stored problem.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "io/fclib_matrix.hpp"

namespace percussion {

/// Numbers of the units of a problem, what is distributed as one: the contacts with `dimension` rows each,
/// then the bilateral constraints with one row each. Rows are counted in that order.
struct UnitNumbers {
  std::int64_t contacts = 0, constraints = 0;
  int dimension = 3;

  std::int64_t units() const { return contacts + constraints; }
  std::int64_t rows() const { return dimension * contacts + constraints; }
  std::int64_t unit(std::int64_t row) const {
    return row < dimension * contacts ? row / dimension : contacts + (row - dimension * contacts);
  }
  std::int64_t first_row(std::int64_t unit) const {
    return unit < contacts ? dimension * unit : dimension * contacts + (unit - contacts);
  }
  int size(std::int64_t unit) const { return unit < contacts ? dimension : 1; }
};

/// Collective. Rank of each unit of this rank's share (partition/index_blocks.hpp). `entries`: of the rows of
/// these units. Units are neighbours if an entry couples them, or, with `through` > 0, if they share one of
/// `through` columns.
std::vector<std::int32_t> partition_units(MPI_Comm comm, const UnitNumbers& numbers,
                                          std::span<const MatrixEntry> entries, std::int64_t through);

}  // namespace percussion

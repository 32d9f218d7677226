// The fields of a frame: a table says what there is and how a value is made, the input chooses, rows fill the columns.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "io/vtk_series.hpp"

namespace percussion {

/// A field of the things described by Sample.
template <class Sample>
struct FrameField {
  const char* name;
  int components;  ///< at most 4
  bool whole;      ///< whole numbers, up to 2^53
  void (*fill)(const Sample&, double*);
};

template <class Sample>
std::vector<std::string> names_of(std::span<const FrameField<Sample>> fields) {
  std::vector<std::string> names;
  for (const auto& field : fields) names.emplace_back(field.name);
  return names;
}

template <class Sample>
class FrameColumns {
 public:
  /// `wanted`: names from the table; others are ignored.
  FrameColumns(std::span<const FrameField<Sample>> table, const std::vector<std::string>& wanted) {
    for (const auto& field : table)
      if (std::ranges::find(wanted, field.name) != wanted.end()) columns_.push_back({&field, {}, {}});
  }

  void reserve(std::size_t rows) {
    for (Column& column : columns_) (column.field->whole ? column.wholes.reserve(rows * column.field->components) : column.reals.reserve(rows * column.field->components));
  }

  /// The same values for `rows` rows.
  void add(const Sample& sample, std::size_t rows = 1) {
    std::array<double, 4> values;
    for (Column& column : columns_) {
      column.field->fill(sample, values.data());
      const auto end = values.begin() + column.field->components;
      for (std::size_t k = 0; k < rows; ++k) {
        if (column.field->whole)
          std::transform(values.begin(), end, std::back_inserter(column.wholes), [](double x) { return static_cast<std::int64_t>(x); });
        else
          column.reals.insert(column.reals.end(), values.begin(), end);
      }
    }
  }

  /// Valid until the next add().
  std::vector<VtkField> fields() const {
    std::vector<VtkField> result;
    for (const Column& column : columns_) {
      VtkField field{column.field->name, column.field->components, std::span(column.reals)};
      if (column.field->whole) field.values = std::span(column.wholes);
      result.push_back(std::move(field));
    }
    return result;
  }

 private:
  struct Column {
    const FrameField<Sample>* field;
    std::vector<double> reals;
    std::vector<std::int64_t> wholes;
  };
  std::vector<Column> columns_;
};

}  // namespace percussion

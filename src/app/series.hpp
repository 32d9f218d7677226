// The time series of a run: energy, momentum, contacts, penetration, iterations, and the coordinates of observed nodes.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/case.hpp"
#include "app/wall_reactions.hpp"
#include "io/time_series.hpp"

namespace percussion {

class Series {
 public:
  /// Collective. The names in `output.observe` were checked when the case was built.
  /// `keep_until`: a restart; rows up to that time stay.
  Series(const Case& c, const std::filesystem::path& folder, const Parameters& output, std::optional<double> keep_until = std::nullopt);

  /// Collective. One row; costs a pass over the bodies and one reduction.
  void append(const Case& c, const StepReport& report);
  /// Collective.
  void flush();

  bool is_due(std::int64_t step) const { return file_ && step % every_ == 0; }
  std::optional<std::filesystem::path> file() const;

 private:
  std::optional<TimeSeries> file_;
  std::int64_t every_;
  std::vector<std::int64_t> observed_;
  std::optional<WallParts> walls_;  ///< if their reactions are columns
};

}  // namespace percussion

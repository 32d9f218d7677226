#include "app/step_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/parameters.hpp"

namespace percussion {

namespace {

constexpr double most_steps = 1e12;

/// The whole number that x is up to rounding, or 0.
std::int64_t whole(double x) {
  if (!(x >= 0.5 && x <= most_steps)) return 0;
  const std::int64_t n = std::llround(x);
  return std::abs(x - static_cast<double>(n)) <= 1e-9 * x ? n : 0;
}

std::string shown(double duration, std::int64_t n) { return fmt::format("{:.12g} ({} step{})", duration / static_cast<double>(n), n, n > 1 ? "s" : ""); }

/// The divisors of `all` next to x, in words.
std::string nearest_divisors(double duration, double x, std::int64_t all) {
  const auto limited = static_cast<std::int64_t>(std::clamp(x, 1., static_cast<double>(all)));
  std::int64_t below = limited, above = std::min(limited + 1, all);
  while (all % below != 0) --below;
  while (all % above != 0) ++above;
  std::vector<std::string> words{shown(duration, below)};
  if (above != below) words.push_back(shown(duration, above));
  return fmt::format("use {}", fmt::join(words, " or "));
}

Complaint about(const char* argument, double h, std::string problem, std::string allowed, std::string fix) {
  return {{"command line", 0}, argument, to_text(h), std::move(problem), std::move(allowed), std::move(fix)};
}

}  // namespace

StudyGrids make_grids(double start, double end, std::vector<double> steps, double reference) {
  const double duration = end - start;
  StudyGrids result{start, end, {reference, whole(duration / reference), 1}, {}};
  if (result.reference.steps == 0) {
    const auto n = static_cast<std::int64_t>(std::clamp(std::round(duration / reference), 1., most_steps));
    throw InputError(about("--reference", reference, "does not divide the duration of the case",
                           fmt::format("{} s divided by a whole number", to_text(duration)),
                           reference > 0 ? "use " + shown(duration, n) + ", or change time.end" : "use a step size > 0"));
  }
  std::vector<Complaint> complaints;
  std::sort(steps.begin(), steps.end(), std::greater<>());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  const std::int64_t all = result.reference.steps;
  for (const double h : steps) {
    const std::int64_t n = whole(duration / h);
    if (n > 0 && all % n == 0) {
      result.grids.push_back({h, n, all / n});
      continue;
    }
    const bool is_multiple = whole(h / reference) > 0;
    complaints.push_back(about("--steps", h, is_multiple ? "does not divide the duration of the case" : "its grid points are not grid points of the reference",
                               fmt::format("whole multiples of the reference step {} that divide the {} s of the case", to_text(reference), to_text(duration)),
                               h > 0 ? nearest_divisors(duration, duration / h, all) + ", or another --reference or time.end" : "use a step size > 0"));
  }
  if (!complaints.empty()) throw InputError::of(complaints);
  return result;
}

std::vector<std::int64_t> shared_steps(const StudyGrids& grids) {
  std::vector<std::int64_t> steps{0};
  for (const StepGrid& grid : grids.grids) {
    // A grid that refines an earlier one holds all of its points; merging keeps the list as short as the union.
    std::vector<std::int64_t> own, merged;
    for (std::int64_t n = 1; n <= grid.steps; ++n) own.push_back(n * grid.ratio);
    std::set_union(steps.begin(), steps.end(), own.begin(), own.end(), std::back_inserter(merged));
    steps = std::move(merged);
  }
  return steps;
}

}  // namespace percussion

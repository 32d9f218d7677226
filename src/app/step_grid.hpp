// The time grids of a convergence study: every step size divides the duration and is a multiple of the reference step.
#pragma once
#include <cstdint>
#include <vector>

namespace percussion {

struct StepGrid {
  double h = 0;
  std::int64_t steps = 0;  ///< in the duration
  std::int64_t ratio = 1;  ///< reference steps in one step
};

struct StudyGrids {
  double start = 0, end = 0;
  StepGrid reference;
  std::vector<StepGrid> grids;  ///< largest step first, each once
};

/// InputError about every step that does not fit, with the nearest ones that do. A step may differ from one that fits by
/// 1e-9 of its size: the rounding of numbers typed with ten digits.
StudyGrids make_grids(double start, double end, std::vector<double> steps, double reference);

/// Steps of the reference that lie on one of the grids, with the initial state 0; ascending.
std::vector<std::int64_t> shared_steps(const StudyGrids& grids);

}  // namespace percussion

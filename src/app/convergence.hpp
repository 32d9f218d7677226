// Convergence study: a case with several integrators and step sizes against a reference run.
//
// Each rank keeps the trajectory of its own nodes: of one run at all its grid points, and of the reference at the grid
// points that some run needs (for the distance of graphs at all of its own, since a jump must be known where it is, not
// where a coarse grid sees it). Nodes are placed by bisection of space and never redistributed, so that all runs
// own the same nodes; this is verified. One reduction per comparison, and one more for graphs.
#pragma once
#include <mpi.h>

#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/method_spec.hpp"

namespace percussion {

struct ConvergenceStudy {
  std::filesystem::path file;
  std::vector<std::string> overrides;
  std::vector<MethodSpec> methods;
  std::vector<double> steps;
  double reference_step = 0;
  std::optional<MethodSpec> reference_method;  ///< without: each method is compared with itself
  double p = 1;                                ///< of the norm over the grid points; may be infinite
  bool graph = false;                          ///< error in u: distance of the filled-in graphs instead of the norm
};

struct ConvergenceRow {
  std::string method, reference;
  double h = 0;
  double error_q = std::numeric_limits<double>::quiet_NaN(), error_u = error_q;  ///< of a run that failed: NaN
  std::optional<double> order_q, order_u;  ///< against the next larger step; none for the first, or after a failure
  std::int64_t unconverged = 0;            ///< steps accepted with `on_failure: warn`, here and in the reference
  std::string failure;                     ///< why the run failed; empty: it did not
};

using ConvergenceRows = std::vector<ConvergenceRow>;

/// Collective. Rows by method, largest step first. All inputs are validated before the first run; mistakes are InputErrors.
/// A run that cannot go on (RunError) is a row with its reason, and the others go on. `after_row` sees the rows so far on
/// all ranks: once without rows, as soon as the inputs are known to be right, then after each row.
ConvergenceRows run_convergence(MPI_Comm comm, const ConvergenceStudy& study, const std::function<void(const ConvergenceRows&)>& after_row);

bool any_failed(const ConvergenceRows& rows);

}  // namespace percussion

// A small assembled problem of several ranks, whole on rank 0: solving it there and sending the percussions back beats any
// distributed method whose messages cost more than its arithmetic, and the result does not depend on the ranks.
//
// Memory on rank 0: that of the problem; the caller bounds it. Rows are in the order of the ranks.
#pragma once
#include <vector>

#include "assembly/assembled_problem.hpp"
#include "solvers/delassus_rows.hpp"
#include "solvers/solver.hpp"

namespace percussion {

class GatheredProblem {
 public:
  /// Collective. Rows as they are now, P included.
  GatheredProblem(const AssembledProblem& problem, const DelassusRows& G);

  /// Collective. `solve(AssembledProblem&) -> SolveReport` runs on rank 0, on the communicator of that rank alone; its report
  /// goes to all ranks, its percussions back into `problem`. If it throws, all ranks do.
  template <class Solve>
  SolveReport solve(AssembledProblem& problem, Solve&& solver) {
    SolveReport report;
    all_or_none(comm_, [&] {
      if (rank_ == 0) report = solver(whole_);
    });
    send_back(problem, report);
    return report;
  }

 private:
  /// Collective.
  void send_back(AssembledProblem& problem, SolveReport& report);

  MPI_Comm comm_;
  int rank_ = 0;
  AssembledProblem whole_;                 ///< rank 0
  std::vector<int> sources_;               ///< rank 0: ranks with rows
  std::vector<std::size_t> rows_of_source_;
};

}  // namespace percussion

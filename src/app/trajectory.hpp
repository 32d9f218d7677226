// States of the owned nodes of one run at chosen steps, and the distance of two such runs.
//
// Each rank keeps its own nodes only, ordered by id, so two runs can be compared without messages if each node belongs to
// the same rank in both. The norms (Breuling 4.56; Acary 48, 49) are sums or maxima over ranks: this file gives the part
// of one rank, `norm_from_part` what the reduced parts mean.
#pragma once
#include <cstdint>
#include <vector>

#include "app/case.hpp"

namespace percussion {

struct Trajectory {
  std::vector<std::int64_t> ids;   ///< of the owned nodes, ascending
  std::int64_t nq = 0, nu = 0;     ///< length of a record in q and u
  std::vector<std::int64_t> steps; ///< recorded steps, ascending; 0 is the initial state
  std::vector<double> t, q, u;     ///< record after record

  const double* q_at(std::size_t record) const { return q.data() + static_cast<std::int64_t>(record) * nq; }
  const double* u_at(std::size_t record) const { return u.data() + static_cast<std::int64_t>(record) * nu; }
};

/// Writes a Trajectory during a run; the set of owned nodes must stay what it was at the start.
class Recorder {
 public:
  /// `steps`: those to be recorded, ascending.
  Recorder(const Case& c, std::vector<std::int64_t> steps);
  /// Local. Records the state with true positions (Integrator::positions) if the step is a chosen one. Steps ascend.
  void visit(const Case& c, std::int64_t step);
  /// RunError on this rank if the owned nodes changed on the way.
  Trajectory take();

 private:
  Trajectory trajectory_;
  std::vector<std::int64_t> wanted_, owned_;  ///< owned_: ids in the order of the store
  std::vector<std::int32_t> order_;           ///< of local indices, by id
  std::vector<double> q_;
  bool moved_ = false;
};

/// RunError on this rank if the runs did not own the same nodes here. Local.
void check_same_owners(const Trajectory& run, const Trajectory& reference);

/// Sum of |e|^p over records and components, or max |e| for p = inf; infinite if some e is not finite.
struct ErrorParts {
  double q = 0, u = 0;
};

/// Local. e_n = x_n - x_n^ref for the records of `run` but the initial one; step n of the run is step n * ratio of the
/// reference, which must have been recorded.
ErrorParts grid_error_parts(const Trajectory& run, const Trajectory& reference, std::int64_t ratio, double p);

/// (h S)^(1/p) (4.56, 49), or the maximum itself for p = inf.
double norm_from_part(double part, double h, double p);

/// Local. Largest distance of the filled-in graphs of the components of u (Acary 44-47), through all records. Time is
/// scaled to the unit of each component by its range in the reference, divided by the duration of the run: a jump over the
/// whole range, misplaced by a part of the duration, counts as that part of the range.
double graph_error_part(const Trajectory& run, const Trajectory& reference);

}  // namespace percussion

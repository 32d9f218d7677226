// When the residual of a sweeping solver is worth its pass over all contacts.
//
// A sweep knows for nothing how far it went: |P_new - P_old| in the energy norm. The natural map that is left behind it is
// that times a factor which hardly changes from sweep to sweep (0.6 to 0.85 on packings; each check measures it), and it falls
// like a power of the number of sweeps. So one reduction of one number, a look, forecasts the residual; the sweep at which
// to look next is half-way to the one that the last two looks point at. What is accepted is the residual, never the forecast:
// a wrong factor costs a check too many, or sweeps until the next check, which is due after twice as many sweeps at the latest.
// Local memory of one solve; the same on all ranks.
#pragma once
#include <mpi.h>

#include "solvers/solver.hpp"

namespace percussion {

/// Squared energy norm of the step of a sweep.
struct SweepStep {
  double square = 0;
  bool of_all_ranks = false;  ///< already summed
};

class StepForecast {
 public:
  StepForecast(MPI_Comm comm, const SolverOptions& options) : comm_(comm), options_(options) {}

  /// After a check that was not passed: its residual is a norm divided by `scale`.
  void checked(const SolveReport& report, double scale);
  /// Sweeps before the next look, at least one.
  int sweeps() const { return sweeps_; }
  /// Collective. The look after `iterations` sweeps, at the step of the last one.
  void swept(int iterations, SweepStep step);
  bool check_now() const { return check_now_; }

 private:
  MPI_Comm comm_;
  const SolverOptions& options_;
  double scale_ = 1, factor_ = first_factor;
  int checked_at_ = 0, sweeps_ = 1;
  int last_ = 0;              ///< sweeps at the last look
  double step_ = 0;           ///< relative, of the last look
  double forecast_ = 0;       ///< residual at the last look
  bool check_now_ = false;

  static constexpr double first_factor = 0.8;
};

}  // namespace percussion

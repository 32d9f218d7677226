// Anderson mixing of a fixed-point iteration w := g(w), with a safeguard that lets it fall back on the plain iteration.
//
//   w_{k+1} = g_k - sum_j gamma_j (g_{j+1} - g_j),   gamma = argmin |f_k - sum_j gamma_j (f_{j+1} - f_j)|,   f = g - w
//
// (Anderson 1965; Walker, Ni, SINUM 2011, type II), over the last `memory` differences. The maps of contact solvers have
// kinks where contacts open or begin to slide, and differences across a kink mislead. So a mixed point at which |f| is
// larger than at each of the last few points is given up for the plain g it replaced, the differences are forgotten, and the
// plain iteration goes on for a while: twice as long as the last time, unless |f| has fallen well since then. What is lost
// is the evaluation of the points given up; a map that mixing does not help is iterated plainly nearly all the time.
// Cost per call: two products with a size x memory matrix and one reduction of 2 memory + 1 numbers.
#pragma once
#include <mpi.h>

#include <vector>

#include "math/types.hpp"

namespace percussion {

class AndersonMixing {
 public:
  /// `size`: entries of w on this rank; memory >= 1.
  AndersonMixing(MPI_Comm comm, std::size_t size, int memory);

  /// Collective. w is where the map has been evaluated, g its value there; w becomes where to evaluate it next. True unless
  /// that is a step back: then the plain value before the mixing that failed.
  bool next(std::vector<double>& w, const std::vector<double>& g);
  /// |g - w| over all ranks at the last call.
  double step() const { return step_; }
  /// The map has changed: forgets everything.
  void restart();

 private:
  bool failed() const;
  void forget();

  MPI_Comm comm_;
  int memory_;
  bool alone_;
  MatX dF_, dG_;     ///< differences, a ring of columns
  MatX gram_;        ///< dF' dF
  VecX f_, f_last_, g_last_, products_, gamma_;
  std::vector<double> recent_;  ///< |f| at the last points that were kept, a ring
  int columns_ = 0, oldest_ = 0, kept_ = 0;
  int wait_ = 0, pause_;
  bool mixed_ = false;
  double step_ = 0, step_at_failure_;
};

}  // namespace percussion

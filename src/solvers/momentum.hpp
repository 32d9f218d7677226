// Nesterov's momentum on top of sweeps, with restarts.
//
//   Y := P_k + beta_k (P_k - P_{k-1}),   P_{k+1} := sweep(Y),   beta_k = (theta_k - 1) / theta_{k+1},
//   theta_{k+1} = (1 + sqrt(1 + 4 theta_k^2)) / 2
//
// (Nesterov 1983; on the cone problem of contacts with the projected gradient as the step: Mazhar, Heyn, Negrut, Tasora,
// ACM Trans. Graph. 34, 2015; restarts: O'Donoghue, Candes, Found. Comput. Math. 15, 2015.) A sweep is not a gradient step,
// so momentum has no proof here. What takes its place: |P_{k+1} - Y| must not grow, else theta starts again from 1, which
// makes the next sweep a plain one; and beta stays below a limit, since a sweep in one direction is not symmetric. Momentum
// that is of no use is therefore taken away after a sweep or two and the iteration is Gauss-Seidel.
// Velocities are linear in P, so they are extrapolated like P and no product is needed.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace percussion {

/// beta of the next sweep.
class Momentum {
 public:
  explicit Momentum(MPI_Comm comm) : comm_(comm) {}
  double beta() const { return beta_; }
  /// Collective. After a sweep: this rank's part of |P_{k+1} - Y|^2; returns the sum.
  double swept(double local) {
    double step = local;
    MPI_Allreduce(MPI_IN_PLACE, &step, 1, MPI_DOUBLE, MPI_SUM, comm_);
    if (!(step <= growth * smallest_)) {
      theta_ = 1, beta_ = 0, smallest_ = step;
      return step;
    }
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * theta_ * theta_));
    beta_ = std::min((theta_ - 1) / next, largest), theta_ = next, smallest_ = std::min(step, smallest_);
    return step;
  }

 private:
  // Measured on packings (docs/solvers/first_order.md).
  static constexpr double largest = 0.95;  // beta
  static constexpr double growth = 1.05;   // of the squared step
  MPI_Comm comm_;
  double theta_ = 1, beta_ = 0, smallest_ = std::numeric_limits<double>::infinity();
};

/// One vector of the iteration: extrapolates values and remembers them.
class Extrapolated {
 public:
  void start(const double* values, std::size_t n) { last_.assign(values, values + n); }
  /// Y := the n extrapolated values from number `first` on; values stay.
  template <int n>
  void extrapolate(double beta, const double* values, std::size_t first, double* Y) {
    double* last = last_.data() + first;
    for (int i = 0; i < n; ++i) Y[i] = values[i] + beta * (values[i] - last[i]);
    for (int i = 0; i < n; ++i) last[i] = values[i];
  }
  void operator()(double beta, double* values, std::size_t first, std::size_t n) {
    double* last = last_.data() + first;
    for (std::size_t i = 0; i < n; ++i) {
      const double now = values[i];
      values[i] += beta * (now - last[i]);
      last[i] = now;
    }
  }

 private:
  std::vector<double> last_;
};

}  // namespace percussion

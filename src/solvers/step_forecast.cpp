#include "solvers/step_forecast.hpp"

#include <algorithm>
#include <cmath>

namespace percussion {

namespace {

constexpr int first_look = 2;      // sweeps
constexpr int unchecked_most = 20; // sweeps on top of doubling, without a check

}  // namespace

void StepForecast::checked(const SolveReport& report, double scale) {
  scale_ = scale, checked_at_ = report.iterations, check_now_ = false;
  if (report.iterations == 0) {
    sweeps_ = std::min(first_look, options_.check_every);
    return;
  }
  if (step_ > 0) factor_ = report.residual / step_, forecast_ = report.residual;
}

void StepForecast::swept(int iterations, SweepStep step) {
  if (!step.of_all_ranks) MPI_Allreduce(MPI_IN_PLACE, &step.square, 1, MPI_DOUBLE, MPI_SUM, comm_);
  const double before = forecast_;
  step_ = std::sqrt(step.square) / scale_, forecast_ = factor_ * step_;
  // Not a number, or nowhere to go: the residual says what that means.
  check_now_ = !(forecast_ > options_.tolerance) || iterations >= 2 * checked_at_ + unchecked_most;
  const double power = std::log(before / forecast_) / std::log((iterations + 1.) / (last_ + 1.));
  double ahead = 1;
  if (last_ == 0) {
    ahead = first_look;
  } else if (power > 0) {
    ahead = 0.5 * ((iterations + 1) * (std::pow(forecast_ / options_.tolerance, 1 / power) - 1));
  } else {
    ahead = options_.check_every;
  }
  sweeps_ = static_cast<int>(std::clamp(std::ceil(ahead), 1., static_cast<double>(options_.check_every)));
  last_ = iterations;
}

}  // namespace percussion

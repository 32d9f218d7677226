#include "base/timer.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

namespace percussion {

namespace {

constexpr int phases = static_cast<int>(Phase::count_);

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

const char* name(Phase phase) {
  switch (phase) {
    case Phase::other: return "other";
    case Phase::detection: return "detection";
    case Phase::assembly: return "assembly";
    case Phase::solve: return "solve";
    case Phase::residual: return "residual";
    case Phase::exchange: return "exchange";
    case Phase::update: return "update";
    case Phase::balance: return "balance";
    case Phase::output: return "output";
    case Phase::count_: break;
  }
  return "?";
}

Phase PhaseTimers::switch_to(Phase phase) {
  const double time = now();
  if (since_ >= 0) seconds_[static_cast<int>(current_)] += time - since_;
  since_ = time;
  return std::exchange(current_, phase);
}

double PhaseTimers::total() const { return std::accumulate(seconds_.begin(), seconds_.end(), 0.0); }

void PhaseTimers::reset() {
  seconds_.fill(0);
  if (since_ >= 0) since_ = now();
}

std::vector<PhaseTimers::Row> PhaseTimers::over_ranks(MPI_Comm comm) const {
  std::array<double, phases> min{}, sum{}, max{};
  MPI_Allreduce(seconds_.data(), min.data(), phases, MPI_DOUBLE, MPI_MIN, comm);
  MPI_Allreduce(seconds_.data(), sum.data(), phases, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Allreduce(seconds_.data(), max.data(), phases, MPI_DOUBLE, MPI_MAX, comm);
  int size = 1;
  MPI_Comm_size(comm, &size);

  std::vector<Row> rows;
  for (int i = 0; i < phases; ++i)
    if (max[i] > 0) rows.push_back({static_cast<Phase>(i), min[i], sum[i] / size, max[i]});
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.avg > b.avg; });
  return rows;
}

PhaseTimers& phase_timers() {
  static PhaseTimers timers;
  return timers;
}

}  // namespace percussion

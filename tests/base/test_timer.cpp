#include <boost/test/unit_test.hpp>
#include <chrono>
#include <thread>

#include "base/timer.hpp"

using namespace percussion;

namespace {

void wait(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(timer)

// sleep_for never returns early, so lower bounds are exact; upper bounds come from an outer clock, not from hope.
BOOST_AUTO_TEST_CASE(nested_phases_are_charged_to_the_innermost_and_add_up) {
  PhaseTimers& timers = phase_timers();
  timers.switch_to(Phase::other);
  timers.reset();
  const double begin = now();
  {
    PhaseScope solve(Phase::solve);
    wait(20);
    {
      PhaseScope exchange(Phase::exchange);
      wait(30);
    }
    wait(10);
  }
  timers.switch_to(Phase::other);
  const double wall = now() - begin;

  BOOST_TEST(timers.seconds(Phase::solve) >= 0.030);
  BOOST_TEST(timers.seconds(Phase::exchange) >= 0.030);
  BOOST_TEST(timers.seconds(Phase::solve) <= wall - timers.seconds(Phase::exchange));
  BOOST_TEST(timers.total() <= wall + 1e-3);  // reset() came up to a moment before `begin`
  BOOST_TEST(timers.total() >= 0.060);
  BOOST_TEST(timers.seconds(Phase::output) == 0.0);
}

BOOST_AUTO_TEST_CASE(over_ranks_gives_min_average_max_largest_first) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  PhaseTimers timers;
  timers.switch_to(Phase::solve);
  wait(20 * (rank + 1));
  timers.switch_to(Phase::update);
  wait(5);
  timers.switch_to(Phase::other);

  const auto rows = timers.over_ranks(MPI_COMM_WORLD);
  BOOST_REQUIRE(rows.size() == 2u);  // phases without time have no row
  for (const auto& row : rows) {
    BOOST_TEST(row.min <= timers.seconds(row.phase));
    BOOST_TEST(row.max >= timers.seconds(row.phase));
    BOOST_TEST(row.min <= row.avg * (1 + 1e-12));  // rounding of the sum
    BOOST_TEST(row.avg <= row.max * (1 + 1e-12));
    if (row.phase == Phase::solve) BOOST_TEST(row.max >= 0.020 * size);
  }
  BOOST_TEST(rows[0].avg >= rows[1].avg);
}

BOOST_AUTO_TEST_SUITE_END()

#include <boost/test/unit_test.hpp>
#include <limits>

#include "base/error.hpp"
#include "partition/balance.hpp"
#include "partition/helpers.hpp"

using namespace percussion;
using namespace percussion::test;

BOOST_AUTO_TEST_SUITE(balance)

BOOST_AUTO_TEST_CASE(ratio_is_heaviest_over_average) {
  const int n = n_ranks();
  // Weights 1 .. n: average (n + 1) / 2; integers below 2^53, so the quotients are exact.
  const auto load = load_balance(MPI_COMM_WORLD, my_rank() + 1.);
  BOOST_TEST(load.max == n);
  BOOST_TEST(load.average == (n + 1) / 2.);
  BOOST_TEST(load.ratio == n / ((n + 1) / 2.));
  BOOST_TEST(load_balance(MPI_COMM_WORLD, 3.).ratio == 1.);
  BOOST_TEST(load_balance(MPI_COMM_WORLD, my_rank() == 0 ? 8. : 0.).ratio == n);
  BOOST_TEST(load_balance(MPI_COMM_WORLD, 0.).ratio == 1.);
  const double bad = my_rank() == n - 1 ? std::numeric_limits<double>::quiet_NaN() : 1.;
  BOOST_CHECK_THROW(load_balance(MPI_COMM_WORLD, bad), RunError);
}

BOOST_AUTO_TEST_CASE(redistribution_is_needed_above_the_threshold) {
  BOOST_TEST(needs_redistribution(1.31, 1.3));
  BOOST_TEST(!needs_redistribution(1.3, 1.3));
  BOOST_TEST(!needs_redistribution(1., 1.));
  BOOST_CHECK_THROW(needs_redistribution(2., 0.9), RunError);
}

BOOST_AUTO_TEST_CASE(integer_weights_keep_proportions_over_all_ranks) {
  // The largest, 8, is on the last rank.
  const std::vector<double> costs{0., 1., 4., my_rank() == n_ranks() - 1 ? 8. : 2.};
  const auto weights = integer_weights(MPI_COMM_WORLD, costs);
  BOOST_TEST(weights[0] == 1);
  BOOST_TEST(weights[1] == std::int64_t{1} << 27);
  BOOST_TEST(weights[2] == std::int64_t{1} << 29);
  BOOST_TEST(weights[3] == std::int64_t{1} << (my_rank() == n_ranks() - 1 ? 30 : 28));
  BOOST_TEST(integer_weights(MPI_COMM_WORLD, std::vector<double>{0.}).at(0) == 1);
}

BOOST_AUTO_TEST_SUITE_END()

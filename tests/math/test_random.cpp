// Counter-based random numbers: reference vectors of Philox 4x32-10, moments, independence.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "math/random.hpp"

using namespace percussion;

namespace {

// Correlation of f and g over n ids; sigma = 1/sqrt(n) for independent ones.
template <class F, class G>
double correlation(F f, G g, int n) {
  double fg = 0, ff = 0, gg = 0;
  for (int i = 0; i < n; ++i) {
    const double a = f(i) - 0.5, b = g(i) - 0.5;
    fg += a * b;
    ff += a * a;
    gg += b * b;
  }
  return fg / std::sqrt(ff * gg);
}

constexpr int n = 100000;
const double five_sigma = 5.0 / std::sqrt(double(n));  // fixed seeds: the outcome is deterministic

}  // namespace

BOOST_AUTO_TEST_SUITE(counter_random)

BOOST_AUTO_TEST_CASE(published_reference_vectors) {
  BOOST_TEST((philox({0, 0, 0, 0}, {0, 0}) == PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t f = 0xffffffff;
  BOOST_TEST((philox({f, f, f, f}, {f, f}) == PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  BOOST_TEST((philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
              PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

BOOST_AUTO_TEST_CASE(order_and_subset_of_evaluation_do_not_matter) {
  std::vector<int> ids(1000);
  std::iota(ids.begin(), ids.end(), 0);
  std::vector<double> forward(1000), shuffled(1000);
  for (const int i : ids) forward[i] = CounterRandom(7, i).uniform(3);
  std::reverse(ids.begin(), ids.end());
  for (const int i : ids) {
    const CounterRandom r(7, i);
    if (i % 2) r.normal(0);  // other draws in between
    shuffled[i] = r.uniform(3);
  }
  BOOST_TEST((forward == shuffled));
}

BOOST_AUTO_TEST_CASE(every_part_of_the_key_matters) {
  const double x = CounterRandom(1, 2).uniform(3);
  const std::uint64_t high = std::uint64_t{1} << 40;
  for (const double y : {CounterRandom(2, 2).uniform(3), CounterRandom(1, 3).uniform(3), CounterRandom(1, 2).uniform(4),
                         CounterRandom(1 + high, 2).uniform(3), CounterRandom(1, 2 + high).uniform(3),
                         CounterRandom(1, 2).uniform(3 + high)})
    BOOST_TEST(x != y);
}

BOOST_AUTO_TEST_CASE(uniform_moments_and_cells) {
  double mean = 0, square = 0, lowest = 1, highest = 0;
  std::vector<int> cells(100);
  for (int i = 0; i < n; ++i) {
    const double u = CounterRandom(42, i).uniform(0);
    BOOST_REQUIRE((u >= 0.0 && u < 1.0));
    mean += u / n;
    square += u * u / n;
    lowest = std::min(lowest, u);
    highest = std::max(highest, u);
    cells[static_cast<std::size_t>(100 * u)]++;
  }
  BOOST_TEST(std::abs(mean - 0.5) < five_sigma * std::sqrt(1.0 / 12));
  BOOST_TEST(std::abs(square - 1.0 / 3) < five_sigma * std::sqrt(4.0 / 45));
  BOOST_TEST(lowest < 20.0 / n);
  BOOST_TEST(highest > 1 - 20.0 / n);
  double chi2 = 0;
  for (const int c : cells) chi2 += (c - n / 100.0) * (c - n / 100.0) / (n / 100.0);
  BOOST_TEST(chi2 < 99 + 5 * std::sqrt(2 * 99.0));  // chi-square with 99 degrees of freedom
  BOOST_TEST(chi2 > 99 - 5 * std::sqrt(2 * 99.0));  // too even would be wrong as well
  BOOST_TEST(CounterRandom(42, 1).uniform(0, -2.0, 6.0) == -2.0 + 8.0 * CounterRandom(42, 1).uniform(0));
}

BOOST_AUTO_TEST_CASE(normal_moments) {
  double m[5] = {};
  for (int i = 0; i < n; ++i) {
    const double x = CounterRandom(5, i).normal(1);
    BOOST_REQUIRE(std::isfinite(x));
    for (int k = 1; k <= 4; ++k) m[k] += std::pow(x, k) / n;
  }
  // Standard deviations of the sample moments of a standard normal: 1, sqrt 2, sqrt 15, sqrt 96.
  BOOST_TEST(std::abs(m[1]) < five_sigma);
  BOOST_TEST(std::abs(m[2] - 1) < five_sigma * std::sqrt(2.0));
  BOOST_TEST(std::abs(m[3]) < five_sigma * std::sqrt(15.0));
  BOOST_TEST(std::abs(m[4] - 3) < five_sigma * std::sqrt(96.0));
}

BOOST_AUTO_TEST_CASE(neighbours_in_id_draw_and_seed_are_uncorrelated) {
  const auto base = [](int i) { return CounterRandom(9, i).uniform(0); };
  BOOST_TEST(std::abs(correlation(base, [](int i) { return CounterRandom(9, i + 1).uniform(0); }, n)) < five_sigma);
  BOOST_TEST(std::abs(correlation(base, [](int i) { return CounterRandom(9, i).uniform(1); }, n)) < five_sigma);
  BOOST_TEST(std::abs(correlation(base, [](int i) { return CounterRandom(10, i).uniform(0); }, n)) < five_sigma);
  BOOST_TEST(correlation(base, base, n) > 0.99);
}

BOOST_AUTO_TEST_SUITE_END()

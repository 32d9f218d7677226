// The weighted norm of (6.7), (6.15), (6.17) against the formula written out.
#include <boost/test/unit_test.hpp>

#include "math/types.hpp"
#include "math/weighted_norm.hpp"

using namespace percussion;

BOOST_AUTO_TEST_SUITE(weighted_norm)

BOOST_AUTO_TEST_CASE(formula_of_the_thesis) {
  const double atol = 1e-3, rtol = 0.25;
  const VecX e = Vec3(0.3, -0.02, 5), size = Vec3(1, 0, -40);
  WeightedNorm norm({atol, rtol}, 3);
  for (int k = 0; k < 3; ++k) norm.add(e[k], size[k]);
  const VecX weights = 3 * (VecX::Constant(3, atol) + rtol * size.cwiseAbs());
  BOOST_TEST(std::sqrt(norm.sum_of_squares()) == e.cwiseQuotient(weights).norm(), boost::test_tools::tolerance(1e-15));
}

// An error at its own tolerance in each of n entries: 1 / sqrt(n). So the bound 1 is weaker than entry by entry by sqrt(n) at
// most, and never lets a single entry pass n times its tolerance.
BOOST_AUTO_TEST_CASE(what_below_one_means) {
  for (const int n : {1, 4, 100}) {
    WeightedNorm all({1e-8, 1e-6}, n), one({1e-8, 1e-6}, n);
    for (int k = 0; k < n; ++k) all.add(1e-8 + 1e-6 * k, k);
    one.add(n * 1e-8, 0);
    BOOST_TEST(all.sum_of_squares() == 1. / n, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(one.sum_of_squares() == 1., boost::test_tools::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(parts_of_several_ranks_add) {
  WeightedNorm whole({1e-9, 1e-9}, 4), left({1e-9, 1e-9}, 4), right({1e-9, 1e-9}, 4);
  const double e[4] = {1e-9, -3e-9, 2e-8, 5e-10}, size[4] = {0, 1, -2, 3};
  for (int k = 0; k < 4; ++k) whole.add(e[k], size[k]), (k < 2 ? left : right).add(e[k], size[k]);
  BOOST_TEST(left.sum_of_squares() + right.sum_of_squares() == whole.sum_of_squares(), boost::test_tools::tolerance(1e-15));
}

BOOST_AUTO_TEST_SUITE_END()

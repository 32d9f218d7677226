// The order of a sweep: every contact once, near its place in the list, neighbours without a common body.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "contact/sweep_order.hpp"

using namespace percussion;

namespace {

struct Contacts {
  std::vector<Candidate> candidates;
  std::vector<SphereContactGeometry> geometry;
  void add(std::int32_t a, std::int32_t b) {
    geometry.push_back({static_cast<std::int32_t>(candidates.size()), -1, {1, 0, 0}, 0});
    candidates.push_back({a, b, {0, 0, 0}});
  }
};

/// Cubic lattice of n^3 bodies, contacts sorted by a, a floor below the first layer.
Contacts lattice(int n) {
  Contacts c;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const int a = (k * n + j) * n + i;
        if (k == 0) c.add(a, ~0);
        if (i + 1 < n) c.add(a, a + 1);
        if (j + 1 < n) c.add(a, a + n);
        if (k + 1 < n) c.add(a, a + n * n);
      }
  return c;
}

bool share_body(const Candidate& x, const Candidate& y) { return x.a == y.a || x.a == y.b || (x.b >= 0 && (x.b == y.a || x.b == y.b)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(sweep_order)

BOOST_AUTO_TEST_CASE(is_a_permutation_that_keeps_neighbourhoods_and_separates_bodies) {
  const Contacts c = lattice(8);
  SweepOrder sweep_order;
  const auto order = sweep_order(c.geometry, c.candidates);
  std::vector<std::int32_t> sorted(order.begin(), order.end());
  std::ranges::sort(sorted);
  BOOST_TEST_REQUIRE(sorted.size() == c.geometry.size());
  int wrong = 0, shared = 0, farthest = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    wrong += sorted[k] != static_cast<int>(k);
    farthest = std::max(farthest, std::abs(order[k] - static_cast<int>(k)));
    if (k > 0) shared += share_body(c.candidates[order[k]], c.candidates[order[k - 1]]);
  }
  BOOST_TEST(wrong == 0);
  BOOST_TEST(shared <= 2);    // the last contacts have no others to choose from
  BOOST_TEST(farthest < 32);  // twice the number of waiting contacts
}

BOOST_AUTO_TEST_CASE(contacts_of_one_body_only_keep_their_order) {
  Contacts c;
  for (int b = 1; b <= 20; ++b) c.add(0, b);
  SweepOrder sweep_order;
  const auto order = sweep_order(c.geometry, c.candidates);
  BOOST_TEST(std::ranges::is_sorted(order));
  BOOST_TEST(order.size() == 20u);
}

BOOST_AUTO_TEST_CASE(no_contacts) {
  SweepOrder sweep_order;
  BOOST_TEST(sweep_order({}, {}).empty());
}

BOOST_AUTO_TEST_SUITE_END()

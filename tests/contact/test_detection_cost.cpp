// Cost per body from 1,000 to 1,000,000 bodies: prints a table, checks that it is linear. Run with --run_test=@long.
#include <time.h>

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <ctime>
#include <functional>

#include "contact/cloud.hpp"
#include "contact/grid_hierarchy.hpp"
#include "contact/narrow_phase.hpp"
#include "contact/spatial_order.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

/// Of the processor, in nanoseconds: time lent to other programs does not count.
double processor_time() {
  std::timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

/// Nanoseconds of the fastest of a few calls.
double time_of(const std::function<void()>& work, int repeats = 7) {
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) {
    const double start = processor_time();
    work();
    best = std::min(best, processor_time() - start);
  }
  return best;
}

Cloud ordered(const Cloud& cloud) {
  const NodeStore store = store_of(cloud);
  Cloud result;
  for (const std::int32_t i : spatial_order(store, store.q())) result.push_back(cloud[i]);
  return result;
}

struct Cost {
  double rebuild, narrow, displacement;  // per body, per candidate, per body
};

Cost measure(const char* name, const Cloud& cloud, double skin) {
  const NodeStore store = store_of(cloud);
  CandidateList list;
  list.rebuild(store, store.q(), skin);
  for (Candidate& c : list.candidates()) c.P[0] = 1;  // a full memory to carry over
  NarrowPhase narrow;
  const auto n = static_cast<double>(cloud.size());
  const double rebuild = time_of([&] { list.rebuild(store, store.q(), skin); });
  const double narrow_time = time_of([&] { narrow.evaluate(list, store, store.q(), {}, 0.3 * skin); });
  double moved = 0;
  const double displacement = time_of([&] { moved += list.max_displacement(store, store.q()); });
  BOOST_TEST(moved == 0.);
  const Cost cost{rebuild / n, narrow_time / std::max(list.size(), 1), displacement / n};
  std::printf("%-28s %8.0f %6.2f %8.2f %8.1f %10.1f %8.1f %8.1f\n", name, n, list.size() / n, 1e-6 * rebuild,
              cost.rebuild, cost.narrow, cost.displacement, static_cast<double>(list.memory()) / std::max(list.size(), 1));
  return cost;
}

/// Sparse enough to have a few contacts per body whatever the number: the volume of the balls is 0.4 of the cube.
Cloud polydisperse(int n, double ratio) {
  Cloud cloud = random_cloud(n, 1, 1 / ratio, 1, 1);
  double volume = 0;
  for (const CloudBody& body : cloud) volume += 4.19 * std::pow(body.node.radius, 3);
  const double edge = std::cbrt(volume / 0.4);
  for (CloudBody& body : cloud)
    for (double& x : body.x) x *= edge;
  return ordered(cloud);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(detection_cost)

BOOST_AUTO_TEST_CASE(cost_per_body, *boost::unit_test::label("long")) {
  std::printf("\n%-28s %8s %6s %8s %8s %10s %8s %8s\n", "cloud", "bodies", "cand/b", "ms", "ns/body", "narrow/c", "disp/b", "bytes/c");
  const int edges[] = {10, 22, 46, 100};
  std::vector<Cost> packed;
  for (const int edge : edges) {
    const Cloud cloud = packed_cloud(edge, 0.02, 1);
    packed.push_back(measure("packed, in Morton order", ordered(cloud), 0.1));
    measure("packed, random numbering", cloud, 0.1);
  }
  std::vector<Cost> mixed;
  for (const int n : {1000, 10000, 100000}) {
    measure("polydisperse, ratio 3", polydisperse(n, 3), 0.02);
    mixed.push_back(measure("polydisperse, ratio 20", polydisperse(n, 20), 0.01));
  }
  Cloud outlier = ordered(packed_cloud(46, 0.02, 1));
  outlier[7].x = {1e7, -1e7, 1e7};
  const Cost far = measure("packed, one body far away", outlier, 0.1);

  // Quadratic cost would be a factor of 10 from one row to the next; caches cost up to 3.
  BOOST_TEST(packed[2].rebuild < 4 * packed[1].rebuild);
  BOOST_TEST(packed[3].rebuild < 4 * packed[2].rebuild);
  BOOST_TEST(mixed[2].rebuild < 4 * mixed[1].rebuild);
  BOOST_TEST(far.rebuild < 4 * packed[2].rebuild);
}

BOOST_AUTO_TEST_SUITE_END()

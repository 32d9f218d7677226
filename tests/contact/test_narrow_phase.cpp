// Gaps and normals in closed form, their orientation, and the set of active contacts.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "contact/cloud.hpp"
#include "contact/narrow_phase.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

double norm(const double* n) { return std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]); }

}  // namespace

BOOST_AUTO_TEST_SUITE(narrow_phase)

BOOST_AUTO_TEST_CASE(two_spheres) {
  const Ball a{{1, 2, 3}, 0.5}, b{{1 + 2, 2 + 3, 3 + 6}, 1};  // distance 7
  double n[3], m[3], gap, gap_exchanged;
  sphere_sphere(a, b, n, gap);
  BOOST_TEST(gap == 5.5, boost::test_tools::tolerance(1e-15));
  for (int k = 0; k < 3; ++k) BOOST_TEST(n[k] == (b.x[k] - a.x[k]) / 7, boost::test_tools::tolerance(1e-15));
  sphere_sphere(b, a, m, gap_exchanged);
  BOOST_TEST(gap_exchanged == gap);
  for (int k = 0; k < 3; ++k) BOOST_TEST(m[k] == -n[k]);
}

BOOST_AUTO_TEST_CASE(gap_is_the_derivative_along_the_normal) {
  for (int i = 0; i < 50; ++i) {
    const CounterRandom random(1, i);
    Ball a{{random.normal(0), random.normal(1), random.normal(2)}, 0.3};
    Ball b{{random.normal(3), random.normal(4), random.normal(5)}, 0.7};
    double n[3], scratch[3], gap, plus, minus;
    sphere_sphere(a, b, n, gap);
    BOOST_TEST(norm(n) == 1., boost::test_tools::tolerance(1e-15));
    for (int k = 0; k < 3; ++k) {
      const double h = 1e-6, x = b.x[k];
      b.x[k] = x + h, sphere_sphere(a, b, scratch, plus);
      b.x[k] = x - h, sphere_sphere(a, b, scratch, minus);
      b.x[k] = x;
      // Central difference: h^2 and roundoff 1e-16 / h.
      BOOST_TEST(std::abs((plus - minus) / (2 * h) - n[k]) < 1e-9);
    }
  }
}

BOOST_AUTO_TEST_CASE(sphere_and_plane) {
  Plane p{.n = {0.6, 0, 0.8}, .offset = 2};
  const Ball a{{5, 17, 5}, 1.5};  // height 7 - 2 = 5
  double n[3], gap;
  sphere_plane(a, p, n, gap);
  BOOST_TEST(gap == 3.5, boost::test_tools::tolerance(1e-15));
  for (int k = 0; k < 3; ++k) BOOST_TEST(n[k] == -p.n[k]);
  // The same as a very large sphere below the plane: the gap differs by d^2 / 2R with d = 17, and 1e-8 by cancellation.
  const double R = 1e8;
  Ball large{{0, 0, 0}, R};
  for (int k = 0; k < 3; ++k) large.x[k] = p.n[k] * (p.offset - R);
  double m[3], other;
  sphere_sphere(a, large, m, other);
  BOOST_TEST(std::abs(other - gap) < 17. * 17. / R + 1e-7);
  for (int k = 0; k < 3; ++k) BOOST_TEST(std::abs(m[k] - n[k]) < 1e-6);
}

BOOST_AUTO_TEST_CASE(coincident_centres_have_a_normal) {
  for (const double distance : {0., 1e-200, 1e-160, 1e-100, 1e-20}) {
    const Ball a{{0, 0, 0}, 1}, b{{0, distance, 0}, 2};
    double n[3], gap;
    sphere_sphere(a, b, n, gap);
    BOOST_TEST(norm(n) == 1., boost::test_tools::tolerance(1e-15));
    BOOST_TEST(gap == -3.);
    BOOST_TEST(n[2] == 0.);
  }
}

BOOST_AUTO_TEST_CASE(active_set_is_that_of_the_closed_forms) {
  Cloud cloud = random_cloud(2000, 2, 0.1, 1, 14);
  for (std::size_t i = 0; i < cloud.size(); i += 7)
    cloud[i] = planar_disc(cloud[i].node.id, cloud[i].x[0], cloud[i].x[1], cloud[i].node.radius);
  const NodeStore store = store_of(cloud);
  const std::vector<Plane> planes{{.n = {0, 0, 1}, .offset = -6}, {.n = {0, -1, 0}, .offset = -6}};
  CandidateList list;
  list.set_planes(planes);
  list.rebuild(store, store.q(), 0.2);
  NarrowPhase narrow;
  for (const double threshold : {0.1, 0., -0.1}) {
    const auto contacts = narrow.evaluate(list, store, store.q(), planes, threshold);
    std::vector<IdPair> active;
    std::int32_t before = -1;
    for (const SphereContactGeometry& contact : contacts) {
      BOOST_TEST(contact.candidate > before);
      before = contact.candidate;
      const Candidate& c = list.candidates()[contact.candidate];
      active.emplace_back(store[c.a].id, c.is_wall() ? std::int64_t{c.b} : store[c.b].id);
      const double gap = c.is_wall() ? gap_to_plane(cloud[c.a], planes[c.plane()]) : gap_between(cloud[c.a], cloud[c.b]);
      BOOST_TEST(std::abs(contact.gap - gap) < 1e-14);  // roundoff of coordinates up to 7
      if (c.is_wall()) continue;
      double along = 0;  // n from a to b
      for (int k = 0; k < 3; ++k) along += contact.n[k] * (cloud[c.b].x[k] - cloud[c.a].x[k]);
      BOOST_TEST(std::abs(along - (gap + cloud[c.a].node.radius + cloud[c.b].node.radius)) < 1e-14);
    }
    std::sort(active.begin(), active.end());
    BOOST_TEST((active == brute_force(cloud, planes, threshold)));
    BOOST_TEST(active.size() > 100u);
  }
}

BOOST_AUTO_TEST_CASE(update_at_other_positions_keeps_the_set) {
  const Cloud cloud = random_cloud(500, 3, 0.5, 1, 10);
  NodeStore store = store_of(cloud);
  std::vector<Plane> planes{{.n = {0, 0, 1}, .offset = -4, .velocity = {1, 2, 3}}}, later;
  CandidateList list;
  list.set_planes(planes);
  list.rebuild(store, store.q(), 0.2);
  NarrowPhase narrow;
  const auto found = narrow.evaluate(list, store, store.q(), planes, 0.);
  std::vector<SphereContactGeometry> contacts(found.begin(), found.end());
  for (std::int32_t i = 0; i < store.size(); ++i) store.q(i)[1] += 0.01 * i;
  planes_at(planes, 0.1, later);
  NarrowPhase other;
  other.update(list, store, store.q(), later, contacts);
  const auto all = narrow.evaluate(list, store, store.q(), later, 1e9);
  BOOST_TEST(all.size() == static_cast<std::size_t>(list.size()));
  for (const SphereContactGeometry& c : contacts) {
    BOOST_TEST(c.gap == all[c.candidate].gap, boost::test_tools::tolerance(1e-13));
    for (int k = 0; k < 3; ++k) BOOST_TEST(std::abs(c.n[k] - all[c.candidate].n[k]) < 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(no_allocation_when_the_capacity_suffices) {
  const Cloud cloud = packed_cloud(15, 0.02, 4);
  const NodeStore store = store_of(cloud);
  CandidateList list;
  list.rebuild(store, store.q(), 0.1);
  NarrowPhase narrow;
  narrow.evaluate(list, store, store.q(), {}, 0.05);
  const auto* before = narrow.contacts().data();
  const std::size_t memory = narrow.memory();
  for (const double threshold : {0.05, 0., 0.05}) narrow.evaluate(list, store, store.q(), {}, threshold);
  BOOST_TEST(narrow.contacts().data() == before);
  BOOST_TEST(narrow.memory() == memory);
}

BOOST_AUTO_TEST_SUITE_END()

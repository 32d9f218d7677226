// Candidates and contact geometry through periodic sides are those of the images.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "contact/cloud.hpp"
#include "contact/narrow_phase.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

constexpr double edge = 12;

PeriodicBox periodic_in(const std::string& directions) {
  PeriodicBox box;
  for (const char c : directions) box.set(c - 'x', -0.5 * edge, 0.5 * edge);
  return box;
}

/// By a look at all images of all pairs: each pair once, with the smallest gap.
std::vector<IdPair> all_images(const Cloud& cloud, const PeriodicBox& box, double skin) {
  std::vector<IdPair> pairs;
  for (std::size_t i = 0; i < cloud.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double least = 1e300;
      for (int k = 0; k < 27; ++k) {
        CloudBody image = cloud[j];
        const int shift[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        for (int a = 0; a < 3; ++a) image.x[a] += shift[a] * box.length[a];
        least = std::min(least, gap_between(cloud[i], image));
      }
      if (least <= skin) pairs.push_back(std::minmax(cloud[i].node.id, cloud[j].node.id));
    }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// The same bodies, some of them stored some periods away.
Cloud scattered_images(Cloud cloud, const PeriodicBox& box) {
  for (std::size_t i = 0; i < cloud.size(); ++i)
    for (int a = 0; a < 3; ++a) cloud[i].x[a] += static_cast<double>(static_cast<int>((i + a) % 5) - 2) * box.length[a];
  return cloud;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(periodic)

// Radii up to 1.2 with a skin of 0.4 in a box of 12: two bodies reach 2.8, less than half of it.
BOOST_DATA_TEST_CASE(candidates_match_brute_force, boost::unit_test::data::make({"x", "z", "xy", "yz", "xyz"}) * boost::unit_test::data::make({0., 0.4}), directions, skin) {
  const PeriodicBox box = periodic_in(directions);
  for (const double r_min : {1., 0.1}) {
    const Cloud cloud = random_cloud(800, 11, r_min, 1.2, edge);
    const auto expected = all_images(cloud, box, skin);
    BOOST_TEST(expected.size() > brute_force(cloud, {}, skin).size());
    for (const Cloud& stored : {cloud, scattered_images(cloud, box)}) {
      const NodeStore store = store_of(stored);
      CandidateList list;
      list.set_periodic(box);
      list.rebuild(store, store.q(), skin);
      BOOST_TEST((identities(list, store) == expected));
    }
  }
}

// With ghosts: the union over ranks holds each pair once, also where both sides of the box belong to one rank.
BOOST_DATA_TEST_CASE(union_over_ranks_is_the_brute_force_set, boost::unit_test::data::make({2, 3}), ranks) {
  const PeriodicBox box = periodic_in("xy");
  const Cloud cloud = random_cloud(600, 12, 0.3, 1.2, edge);
  std::vector<IdPair> found;
  for (int rank = 0; rank < ranks; ++rank) {
    NodeStore store;
    const auto owner = [&](const CloudBody& b) { return std::clamp(static_cast<int>((b.x[0] / edge + 0.5) * ranks), 0, ranks - 1); };
    for (const bool ghost : {false, true})
      for (const CloudBody& body : cloud)
        if ((owner(body) != rank) == ghost) add_body(store, body, ghost);
    CandidateList list;
    list.set_periodic(box);
    list.rebuild(store, store.q(), 0.1);
    const auto mine = identities(list, store);
    found.insert(found.end(), mine.begin(), mine.end());
  }
  std::sort(found.begin(), found.end());
  BOOST_TEST((found == all_images(cloud, box, 0.1)));
}

// Gap, normal and arms through a side are those of the same pair in the middle of the box.
BOOST_AUTO_TEST_CASE(geometry_does_not_see_the_side) {
  const PeriodicBox box = periodic_in("xyz");
  ShapeTable shapes{sphere_shape(1.), box_shape(Vec3(0.5, 0.4, 0.3))};
  for (const int shape : {0, 1}) {
    std::vector<SphereContactGeometry> reference;
    std::vector<ShapedContact> reference_shaped;
    for (const double shift : {0., 5.7, -5.9, 18.1}) {
      NodeStore store;
      for (int k = 0; k < 2; ++k) {
        CloudBody body = sphere_body(k, {}, shape == 0 ? 0.5 : shapes[1].radius);
        body.node.shape = shape;
        const double r = shape == 0 ? 0.95 : 0.58;
        const Vec3 x = Vec3(shift, -shift, 0.5 * shift) + k * r * Vec3(0.6, 0.64, 0.48);
        const Vec3 place = box.wrapped(x);
        body.x = {place[0], place[1], place[2]};
        add_body(store, body, false);
      }
      CandidateList list;
      list.set_shapes(&shapes), list.set_periodic(box);
      list.rebuild(store, store.q(), 0.2);
      NarrowPhase narrow;
      const auto contacts = narrow.evaluate(list, store, store.q(), {}, 0.2);
      BOOST_TEST_REQUIRE(contacts.size() > 0u);
      if (shift == 0) {
        reference.assign(contacts.begin(), contacts.end());
        for (const auto& g : contacts)
          if (g.shaped >= 0) reference_shaped.push_back(narrow.shaped(g));
        continue;
      }
      BOOST_TEST_REQUIRE(contacts.size() == reference.size());
      for (std::size_t k = 0; k < contacts.size(); ++k) {
        BOOST_TEST(std::abs(contacts[k].gap - reference[k].gap) < 1e-13);
        for (int i = 0; i < 3; ++i) BOOST_TEST(std::abs(contacts[k].n[i] - reference[k].n[i]) < 1e-12);
        if (shape == 0) continue;
        const ShapedContact& s = narrow.shaped(contacts[k]);
        BOOST_TEST((s.arm_a - reference_shaped[k].arm_a).norm() < 1e-12);
        BOOST_TEST((s.arm_b - reference_shaped[k].arm_b).norm() < 1e-12);
        BOOST_TEST(s.feature == reference_shaped[k].feature);
      }
    }
  }
}

// A body that is wrapped has not moved; one that goes round the box has.
BOOST_AUTO_TEST_CASE(wrapping_is_no_displacement) {
  const PeriodicBox box = periodic_in("x");
  const Cloud cloud = random_cloud(50, 13, 0.3, 0.5, edge);
  NodeStore store = store_of(cloud);
  CandidateList list;
  list.set_periodic(box);
  list.rebuild(store, store.q(), 0.1);
  store.q(7)[0] += 3 * edge;
  BOOST_TEST(list.max_displacement(store, store.q()) < 1e-13);
  store.q(8)[0] += 0.25;
  BOOST_TEST(list.max_displacement(store, store.q()) == 0.25, boost::test_tools::tolerance(1e-13));
}

BOOST_AUTO_TEST_SUITE_END()

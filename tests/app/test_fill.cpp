// Generated bodies: number, region, no overlap, independence of the ranks.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "app/case.hpp"
#include "app/case_schema.hpp"
#include "io/input.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

Case make(const std::string& fill) {
  const std::string text = "case: {name: f}\ntime: {end: 1, step: 0.1}\nfills:\n  - {type: lattice, " + fill + "}\n";
  return Case(MPI_COMM_WORLD, parse_input(text, "fill.yaml", ".", {}, case_schema()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fills)

BOOST_DATA_TEST_CASE(bodies_do_not_overlap_and_stay_inside, data::make({"cubic", "hexagonal"}) * data::make({"[0, 0, 0]", "[0, 0]"}), lattice, lower) {
  const bool planar = std::string(lower) == "[0, 0]";
  const Case c = make(std::string("lattice: ") + lattice + ", lower: " + lower + ", upper: " + (planar ? "[1, 1]" : "[1, 1, 1]") +
                      ", radius: [0.03, 0.05], jitter: 1, spacing: 0.11");
  std::int64_t owned = c.system.nodes.owned(), total = 0;
  MPI_Allreduce(&owned, &total, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  BOOST_TEST(total == c.bodies());
  BOOST_TEST(total > (planar ? 60 : 500));
  const NodeStore& nodes = c.system.nodes;  // ghosts included: all that can touch an owned one
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    const auto a = placement(nodes[i].kind, nodes.q(i).data()).r;
    for (int k = 0; k < (planar ? 2 : 3); ++k) BOOST_TEST((a[k] >= nodes[i].radius - 1e-12 && a[k] <= 1 - nodes[i].radius + 1e-12));
    for (std::int32_t j = 0; j < nodes.size(); ++j)
      if (j != i && (placement(nodes[j].kind, nodes.q(j).data()).r - a).norm() < nodes[i].radius + nodes[j].radius - 1e-12) BOOST_ERROR("overlap");
  }
}

// A body depends on the seed and its id only.
BOOST_AUTO_TEST_CASE(bodies_do_not_depend_on_the_ranks) {
  const std::string fill = "lower: [0, 0, 0], upper: [1, 1, 1], radius: [0.03, 0.05], jitter: 1, spacing: 0.12, limit: 100";
  const Case c = make(fill);
  const std::string text = "case: {name: f}\ntime: {end: 1, step: 0.1}\nfills:\n  - {type: lattice, " + fill + "}\n";
  const Case alone(MPI_COMM_SELF, parse_input(text, "fill.yaml", ".", {}, case_schema()));
  for (std::int64_t id = 0; id < 100; id += 7) {
    const NodeState a = c.state(id), b = alone.state(id);
    BOOST_TEST(a.q == b.q, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(random_bodies_do_not_overlap_and_do_not_depend_on_the_ranks) {
  const std::string text =
      "case: {name: f}\ntime: {end: 1, step: 0.1}\nfills:\n  - {type: random, count: 300, lower: [0, 0, 0], upper: [1, 1, 1], radius: [0.03, 0.05], shape: {type: box, size: [1, 2, 3]}}\n";
  const Parameters input = parse_input(text, "fill.yaml", ".", {}, case_schema());
  const Case c(MPI_COMM_WORLD, input), alone(MPI_COMM_SELF, input);
  const NodeStore& nodes = alone.system.nodes;
  BOOST_TEST(nodes.owned() == 300);
  Vec3 axis = Vec3::Zero();
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    const auto a = placement(nodes[i].kind, nodes.q(i).data());
    axis += a.A.col(2);
    for (int k = 0; k < 3; ++k) BOOST_TEST((a.r[k] >= nodes[i].radius - 1e-12 && a.r[k] <= 1 - nodes[i].radius + 1e-12));
    for (std::int32_t j = 0; j < i; ++j)
      if ((placement(nodes[j].kind, nodes.q(j).data()).r - a.r).norm() < nodes[i].radius + nodes[j].radius - 1e-12) BOOST_ERROR("overlap");
  }
  BOOST_TEST(axis.norm() < 3 * std::sqrt(300.));  // orientations are random: a walk of 300 steps
  for (std::int64_t id = 0; id < 300; id += 37) {
    const NodeState a = c.state(id), b = alone.state(id);
    BOOST_TEST(a.q == b.q, boost::test_tools::per_element());
  }
}

// Means of 4000 draws: standard error below 1% of the range.
BOOST_AUTO_TEST_CASE(sizes_follow_their_distribution) {
  const auto mean = [&](const std::string& sizes) {
    const Case c = make("lower: [0, 0, 0], upper: [3, 3, 3], limit: 4000, " + sizes);
    double sum[2] = {0, 0};
    for (std::int32_t i = 0; i < c.system.nodes.owned(); ++i) sum[0] += c.system.nodes[i].radius, sum[1] += 1;
    MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum[0] / sum[1];
  };
  BOOST_TEST(std::abs(mean("radius: [0.02, 0.06]") - 0.04) < 1e-3);
  // Lognormal: mean = median exp(sigma^2 / 2), hardly cut.
  BOOST_TEST(std::abs(mean("radius: [0.01, 0.08], sizes: lognormal, median: 0.03, sigma: 0.2") - 0.03 * std::exp(0.02)) < 1e-3);
  // A quarter between 0.02 and 0.04, the rest between 0.04 and 0.06: 0.25 * 0.03 + 0.75 * 0.05.
  BOOST_TEST(std::abs(mean("radius: [0.02, 0.06], sizes: table, table: [0.02, 0, 0.04, 0.25, 0.06, 1]") - 0.045) < 1e-3);
}

BOOST_AUTO_TEST_CASE(impossible_fills_are_input_errors) {
  BOOST_CHECK_THROW(make("lower: [0, 0, 0], upper: [1, 1, 1], radius: [0.1, 0.2], sizes: table"), InputError);
  BOOST_CHECK_THROW(make("lower: [0, 0, 0], upper: [1, 1, 1], radius: [0.1, 0.2], sizes: lognormal, median: 0.3"), InputError);
  BOOST_CHECK_THROW(make("lower: [0, 0, 0], upper: [1, 1, 1], radius: [0.1], spacing: 0.1"), InputError);
  BOOST_CHECK_THROW(make("lower: [0, 0, 0], upper: [1, 1, 0.1], radius: [0.1]"), InputError);
  BOOST_CHECK_THROW(make("lower: [0, 0, 0], upper: [1, 1], radius: [0.1]"), InputError);
  BOOST_CHECK_THROW(make("lower: [0, 0, 0], upper: [1, 1, 1], radius: [0.2, 0.1]"), InputError);
}

BOOST_AUTO_TEST_SUITE_END()

// Parts of a convergence study on hand-made data: norms, distance of graphs, time grids, names on the command line.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "app/convergence.hpp"
#include "app/step_grid.hpp"
#include "app/trajectory.hpp"
#include "math/graph_distance.hpp"
#include "test_paths.hpp"
#include "verification/stored_case.hpp"

using namespace percussion;
using Graph = std::vector<GraphPoint>;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// A node with 2 coordinates and 1 velocity, 3 records with h = 0.5.
Trajectory made(std::vector<double> q, std::vector<double> u) { return {{7}, 2, 1, {0, 1, 2}, {0, 0.5, 1}, std::move(q), std::move(u)}; }

/// From 0 to `height` at time `at`, in [0, 1]; the jump takes `width`.
Graph jump(double at, double height, double width = 0) { return {{0, 0}, {at, 0}, {at + width, height}, {1, height}}; }

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(convergence)

// e_1 = (3, -4), e_2 = (0, 12) in q; 1, -2 in u. The difference in the initial state does not count. Powers of small whole
// numbers are exact, so only the root rounds.
BOOST_AUTO_TEST_CASE(norms_of_hand_made_errors) {
  const Trajectory reference = made({0, 0, 0, 0, 0, 0}, {0, 0, 0}), run = made({99, 99, 3, -4, 0, 12}, {99, 1, -2});
  const auto norms = [&](double p) {
    const ErrorParts parts = grid_error_parts(run, reference, 1, p);
    return std::pair(norm_from_part(parts.q, 0.5, p), norm_from_part(parts.u, 0.5, p));
  };
  BOOST_TEST(norms(1).first == 0.5 * 19);
  BOOST_TEST(norms(1).second == 0.5 * 3);
  const auto tolerance = boost::test_tools::tolerance(1e-15);
  BOOST_TEST(norms(2).first == std::sqrt(0.5 * 169), tolerance);
  BOOST_TEST(norms(2).second == std::sqrt(0.5 * 5), tolerance);
  BOOST_TEST(norms(3).first == std::cbrt(0.5 * (27 + 64 + 1728)), tolerance);
  BOOST_TEST(norms(3).second == std::cbrt(0.5 * 9), tolerance);
  BOOST_TEST(norms(infinity).first == 12);
  BOOST_TEST(norms(infinity).second == 2);
}

BOOST_AUTO_TEST_CASE(the_reference_is_read_at_the_grid_points_of_the_run) {
  // Four reference steps in one step of the run; the reference has a record in between, which must not matter.
  const Trajectory reference{{7}, 1, 1, {0, 3, 4, 8}, {0, 0.375, 0.5, 1}, {0, 50, 10, 20}, {0, 50, -1, -2}};
  const Trajectory run{{7}, 1, 1, {0, 1, 2}, {0, 0.5, 1}, {0, 11, 22}, {0, -1, -2}};
  const ErrorParts parts = grid_error_parts(run, reference, 4, 1);
  BOOST_TEST(parts.q == 3);
  BOOST_TEST(parts.u == 0);
}

BOOST_AUTO_TEST_CASE(values_that_are_not_finite_make_the_error_infinite) {
  const Trajectory reference = made({0, 0, 0, 0, 0, 0}, {0, 0, 0});
  for (const double p : {1., 2., infinity}) {
    BOOST_TEST(grid_error_parts(made({0, 0, not_a_number, 0, 1, 1}, {0, 0, 0}), reference, 1, p).q == infinity);
    BOOST_TEST(grid_error_parts(made({0, 0, 0, 0, 0, 0}, {0, -infinity, 0}), reference, 1, p).u == infinity);
  }
  BOOST_TEST(graph_error_part(made({0, 0, 0, 0, 0, 0}, {0, not_a_number, 0}), reference) == infinity);
}

BOOST_AUTO_TEST_CASE(other_owners_are_noticed) {
  const Trajectory a = made({0, 0, 0, 0, 0, 0}, {0, 0, 0});
  Trajectory b = a;
  BOOST_CHECK_NO_THROW(check_same_owners(a, b));
  b.ids = {8};
  BOOST_CHECK_THROW(check_same_owners(a, b), RunError);
}

BOOST_AUTO_TEST_CASE(a_shifted_jump_counts_with_its_shift) {
  for (const double shift : {0.25, 0.125, 0.0625}) {
    // The points of one jump are `shift` before the other one; all numbers are dyadic, so the result is exact.
    BOOST_TEST(graph_distance(jump(0.5, 2), jump(0.5 - shift, 2)) == shift);
    BOOST_TEST(graph_distance(jump(0.5 - shift, 2), jump(0.5, 2)) == shift);
    // A jump lower than the shift counts with its height: the flat pieces are that near.
    BOOST_TEST(graph_distance(jump(0.5, shift / 2), jump(0.5 - shift, shift / 2)) == shift / 2);
  }
}

BOOST_AUTO_TEST_CASE(equal_graphs_have_no_distance) {
  const Graph a{{0, 0}, {0.3, 0.7}, {0.3, -2}, {0.9, 1.1}, {0.9, 5}, {1, 5}};
  BOOST_TEST(graph_distance(a, a) == 0);
  // More points on the same line; 1e-15 for their rounding.
  BOOST_TEST(graph_distance(jump(0.5, 2), Graph{{0, 0}, {0.2, 0}, {0.5, 0}, {0.5, 0.3}, {0.5, 2}, {0.7, 2}, {1, 2}}) < 1e-15);
}

// A tooth of height 1 and half width w against the flat line: its tip is 1 above; from the line to the tooth it is less.
// The distance of a point of the line below the tip to the flanks, max(s, 1 - s / w), is least at s = w / (1 + w).
BOOST_AUTO_TEST_CASE(the_two_excesses_differ) {
  const double w = 0.25;
  const Graph flat{{0, 0}, {1, 0}}, tooth{{0, 0}, {0.5 - w, 0}, {0.5, 1}, {0.5 + w, 0}, {1, 0}};
  BOOST_TEST(graph_excess(tooth, flat) == 1);
  // The farthest point is no vertex: found by halving, to the 1e-6 of the contract.
  BOOST_TEST(graph_excess(flat, tooth) == w / (1 + w), boost::test_tools::tolerance(2e-6));
  BOOST_TEST(graph_distance(tooth, flat) == graph_distance(flat, tooth));
  BOOST_TEST(graph_distance(tooth, flat) == 1);
}

// Against brute force: 4000 samples per segment against all segments, so the brute value is low by at most half a spacing.
BOOST_AUTO_TEST_CASE(excess_of_wild_graphs_by_brute_force) {
  Graph a, b;
  for (int i = 0; i <= 12; ++i) {
    a.push_back({i / 12., std::sin(7. * i)});
    b.push_back({i / 12., std::sin(7.3 * i + 0.4)});
  }
  double brute = 0, spacing = 0;
  const int samples = 4000;
  for (std::size_t i = 0; i + 1 < a.size(); ++i)
    for (int s = 0; s <= samples; ++s) {
      const double z = s / double(samples);
      const Graph point{{a[i].t + z * (a[i + 1].t - a[i].t), a[i].x + z * (a[i + 1].x - a[i].x)}};
      spacing = std::max(spacing, std::abs(a[i + 1].x - a[i].x) / samples);
      brute = std::max(brute, graph_excess(point, b));
    }
  const double found = graph_excess(a, b);
  BOOST_TEST(found >= brute * (1 - 1e-6));
  BOOST_TEST(found <= brute + 0.5 * spacing);
}

// Scaled time: the range of the reference, 4, over the duration, 1. Of the two components one rests.
BOOST_AUTO_TEST_CASE(velocities_are_compared_in_scaled_time) {
  const auto falls_at = [](double t) { return Trajectory{{0}, 0, 2, {0, 1, 2, 3}, {0, t, t, 1}, {}, {3, 0, 3, 0, -1, 0, -1, 0}}; };
  BOOST_TEST(graph_error_part(falls_at(0.5), falls_at(0.25)) == 4 * 0.25);
  BOOST_TEST(graph_error_part(falls_at(0.25), falls_at(0.5)) == 4 * 0.25);
  BOOST_TEST(graph_error_part(falls_at(0.25), falls_at(0.25)) == 0);
  // As a time-stepping scheme gives it, the jump takes a step: 1 in scaled time for a height of 4. From a corner one gets to
  // the other flank by s in time and 4 s in height; max(1 - s, 4 s) is least at s = 1/5.
  const std::vector<double> t{0, 0.25, 0.5, 0.75, 1};
  const Trajectory reference{{0}, 0, 1, {0, 1, 2, 3, 4}, t, {}, {3, 3, -1, -1, -1}}, run{{0}, 0, 1, {0, 1, 2, 3, 4}, t, {}, {3, 3, 3, -1, -1}};
  BOOST_TEST(graph_error_part(run, reference) == 0.8, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(graph_error_part(reference, run) == graph_error_part(run, reference));
}

BOOST_AUTO_TEST_CASE(steps_must_fit_the_reference_and_the_duration) {
  const StudyGrids grids = make_grids(1, 3, {0.1, 0.5, 0.25, 0.1}, 0.05);
  BOOST_TEST(grids.reference.steps == 40);
  BOOST_TEST_REQUIRE(grids.grids.size() == 3u);
  BOOST_TEST(grids.grids[0].h == 0.5);
  BOOST_TEST(grids.grids[1].ratio == 5);
  BOOST_TEST(grids.grids[2].steps == 20);
  BOOST_TEST((shared_steps(make_grids(0, 1, {0.5, 0.2}, 0.1)) == std::vector<std::int64_t>{0, 2, 4, 5, 6, 8, 10}));

  const auto message = [](std::vector<double> steps, double reference) { return message_of([&] { make_grids(0, 1, steps, reference); }); };
  const auto contains = [](const std::string& text, const char* part) { BOOST_TEST(text.find(part) != std::string::npos, part << " is not in: " << text); };
  contains(message({0.1, 0.03}, 0.02), "0.03");        // not a multiple
  contains(message({0.03}, 0.02), "0.04 (25 steps)");  // 33.3 steps: 50 has the divisors 25 and 50
  contains(message({0.03}, 0.02), "0.02 (50 steps)");
  contains(message({0.06}, 0.02), "does not divide the duration");
  contains(message({0.1}, 0.03), "--reference");
  for (const double wrong : {0., -0.1, 2., 0.001, not_a_number, infinity}) contains(message({wrong}, 0.02), "--steps");
  for (const double wrong : {0., -0.1, 2., not_a_number, infinity}) contains(message({0.1}, wrong), "--reference");
}

BOOST_AUTO_TEST_CASE(methods_on_the_command_line) {
  const auto methods = parse_methods("moreau, tr{rho=0.5,x=[1,2]},b{}", "--integrators");
  BOOST_TEST_REQUIRE(methods.size() == 3u);
  BOOST_TEST(methods[0].type == "moreau");
  BOOST_TEST(methods[1].type == "tr");
  BOOST_TEST(methods[1].label == "tr{rho=0.5,x=[1,2]}");
  BOOST_TEST((methods[1].options == std::vector<std::string>{"rho=0.5", "x=[1,2]"}));
  BOOST_TEST(methods[2].options.empty());
  BOOST_TEST((with_method({"a=1"}, methods[1], "moreau") == std::vector<std::string>{"a=1", "integrator={type: tr}", "integrator.rho=0.5", "integrator.x=[1,2]"}));
  BOOST_TEST((with_method({}, methods[0], "moreau").empty()));
  for (const char* wrong : {"", "a,", "a{", "a}", "a{x}", "a{=1}", "{x=1}", "a{x=1}b"})
    BOOST_TEST(message_of([&] { parse_methods(wrong, "--integrators"); }).find("--integrators") != std::string::npos, wrong);
}

// The whole study on the communicator of the suite: pendulum of the stored input, own reference.
BOOST_AUTO_TEST_CASE(a_study_calls_back_after_each_row) {
  const ConvergenceStudy study{PERCUSSION_TEST_SOURCE_DIR "/inputs/pendulum/pendulum.yaml", {"time.end=0.2"}, parse_methods("moreau,moreau_jean", ""),
                               {0.02, 0.01}, 0.0025, {}, 1, false};
  std::vector<std::size_t> seen;
  const ConvergenceRows rows = run_convergence(MPI_COMM_WORLD, study, [&](const ConvergenceRows& so_far) { seen.push_back(so_far.size()); });
  BOOST_TEST((seen == std::vector<std::size_t>{0, 1, 2, 3, 4}));
  BOOST_TEST_REQUIRE(rows.size() == 4u);
  BOOST_TEST(!any_failed(rows));
  BOOST_TEST(rows[2].method == "moreau_jean");
  BOOST_TEST(rows[2].h == 0.02);
  BOOST_TEST(!rows[2].order_q.has_value());
  BOOST_TEST(rows[3].order_q.value() > 0.5);  // halving the step must help with a method of order 1
}

BOOST_AUTO_TEST_SUITE_END()

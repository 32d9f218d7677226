// Contact on position level: no method and no benchmark may show a gap below -1e-8 at the end of any step.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "verification/rk_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

struct Benchmark {
  const char* file;
  double end;
  const char* tolerance = "1.0e-12";  ///< of the solver
  bool several_bodies = false;
};

// Ends: impacts, sliding and sticking of each case are over, or enough of them seen.
const std::vector<Benchmark> benchmarks = {
    {"bouncing_ball/bouncing_ball.yaml", 6}, {"rotating_ball/case_1.yaml", 1.6}, {"rotating_ball/case_2.yaml", 1}, {"rotating_ball/case_3.yaml", 0.6},
    {"rolling_ball/rolling_ball.yaml", 3},   {"ball_in_hollow_sphere/sphere.yaml", 2}, {"ball_in_hollow_sphere/cylinder.yaml", 1},
    {"slider_crank/contacts.yaml", 0.02, "1.0e-12", true},    {"slope/case_1.yaml", 2.5}, {"slope/case_2.yaml", 2.5},
    {"painleve_rod/painleve_rod.yaml", 1.2}, {"ball_in_corner/ball_in_corner.yaml", 1.6, "1.0e-10"},
    {"elastic_pendulum/elastic_pendulum.yaml", 0.9}, {"elastic_bar/bar_50.yaml", 2e-4, "1.0e-12", true},
    {"tippedisk/tippedisk.yaml", 0.2}, {"tetrahedron/ellipse.yaml", 0.5}, {"tetrahedron/rectangle.yaml", 0.5},
};

/// The pair needs small steps, and Lobatto IIIC with s = 2 half that of the input (both: test_rk_stiff_pendulum.cpp).
std::string stiff_step(const Method& method) { return method.find("iiia") != std::string::npos ? "1e-4" : method == lobatto_2 ? "0.005" : "0.01"; }

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_no_penetration, *boost::unit_test::precondition(at_most_two_ranks))

BOOST_DATA_TEST_CASE(gaps_stay_open, data::make(runge_kutta_methods), method) {
  if (!runs_here(method)) return;
  for (const Benchmark& b : benchmarks) {
    if (ranks() > 1 && !b.several_bodies) continue;
    std::vector<std::string> more = {std::string("solver.tolerance=") + b.tolerance};
    if (std::string(b.file).find("elastic_pendulum") == 0) more.push_back("time.step=" + stiff_step(method));
    const auto c = rk_case(b.file, method, more);
    double deepest = 0;
    bool touched = false;
    run(*c, b.end, [&](const StepReport& report) {
      touched |= report.contacts > 0;
      deepest = std::max(deepest, report.penetration);
    });
    // The pair with four stages touches the wall with its inner stages only, see test_rk_bouncing_ball.cpp.
    const bool inner_only = method == pair_4 && std::string(b.file).find("elastic_pendulum") == 0;
    BOOST_TEST((touched || inner_only), b.file << ": no contact");
    BOOST_TEST(deepest <= 1e-8, b.file << ": penetration " << deepest);
  }
}

BOOST_AUTO_TEST_SUITE_END()

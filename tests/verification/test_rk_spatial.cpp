// B13, B14: spatial bodies with quaternions: tippedisk (Breuling 7.10) and tetrahedron (7.11).
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "verification/rk_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

const char* const disk_file = "tippedisk/tippedisk.yaml";

struct Disk {
  std::vector<double> height, tilt;  ///< of S, and angle of e_z^K to the vertical, every 0.1 s
  double unit = 0, lowest = 1;
};

Disk tippedisk(const Method& method, double h, double end) {
  char step[40];
  std::snprintf(step, sizeof step, "time.step=%.17g", h);
  const auto c = rk_case(disk_file, method, {step});
  Disk r;
  const int every = static_cast<int>(std::lround(0.1 / h));
  int n = 0;
  run(*c, end, [&](const StepReport& report) {
    r.lowest = std::min(r.lowest, -report.penetration);
    if (++n % every) return;
    const NodeState s = c->state("disk");
    r.unit = std::max(r.unit, std::abs(s.q[3] * s.q[3] + s.q[4] * s.q[4] + s.q[5] * s.q[5] + s.q[6] * s.q[6] - 1));
    r.height.push_back(s.q[2]);
    r.tilt.push_back(std::acos(s.q[3] * s.q[3] - s.q[4] * s.q[4] - s.q[5] * s.q[5] + s.q[6] * s.q[6]));
  });
  return r;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_spatial, *boost::unit_test::precondition(at_most_two_ranks))

// Differences between the methods are largest while S rises by 2e = 5e-3 m within 0.3 s: 1e-4 m are 6 ms of that, and 0.01 rad
// a tenth of the nutation of e_z^K.
BOOST_AUTO_TEST_CASE(tippedisk_inverts, *boost::unit_test::precondition(on_one_rank)) {
  const Disk radau = tippedisk(radau_2, 1e-3, 2.), pair = tippedisk(pair_2, 1e-3, 2.), moreau = tippedisk("type: moreau", 1e-5, 1.);
  for (std::size_t k = 0; k < radau.height.size(); ++k) {
    BOOST_TEST(std::abs(pair.height[k] - radau.height[k]) < 1e-4);
    BOOST_TEST(std::abs(pair.tilt[k] - radau.tilt[k]) < 0.01);
    if (k >= moreau.height.size()) continue;
    BOOST_TEST(std::abs(moreau.height[k] - radau.height[k]) < 1e-4);
    BOOST_TEST(std::abs(moreau.tilt[k] - radau.tilt[k]) < 0.01);
  }
  BOOST_TEST(radau.height.front() < 0.0426);  // r - e = 0.0425, S below the centre
  for (std::size_t k = 12; k < radau.height.size(); ++k) BOOST_TEST(std::abs(radau.height[k] - 0.0475) < 1e-4);  // r + e
  for (const Disk* d : {&radau, &pair, &moreau}) BOOST_TEST(d->unit < 1e-12);
  BOOST_TEST(radau.lowest >= -1e-8);
  BOOST_TEST(pair.lowest >= -1e-8);
  BOOST_TEST(moreau.lowest < -1e-7);  // drifts in spite of its step
}

// The three lower corners touch at t_1 = sqrt(2 (a/2 - h_P/4)/g) = 0.2456, seen at the end of that step, 0.25. Sums of normal
// percussions are those of the weight and do not depend on the friction set; the paths do (closed forms in the README of the
// case). Positions: sliding of v_1 = mu g t_1 less than before during the rest of the step of the impact, mu g t_1 h = 7e-3.
BOOST_DATA_TEST_CASE(tetrahedron_slides_by_its_friction_set, data::make({radau_2, pair_2}), method) {
  const double m = std::sqrt(2.) / 12, g = 9.81;
  const auto ellipse = rk_case("tetrahedron/ellipse.yaml", method), rectangle = rk_case("tetrahedron/rectangle.yaml", method);
  const auto sum_N = [](const Case& c) {
    double P = 0;
    for (int corner = 0; corner < 4; ++corner) {
      const std::vector<double> p = c.percussion(corner);
      if (!p.empty()) P += p[0];
    }
    return P;
  };
  double first = 0;
  const double h = ellipse->h;
  for (int k = steps_until(*ellipse, 3.); k > 0; --k) {
    for (Case* c : {ellipse.get(), rectangle.get()}) {
      const StepReport report = c->step();
      BOOST_TEST(report.solve.converged);
      BOOST_TEST(report.penetration <= 1e-8);
    }
    const double a = sum_N(*ellipse), b = sum_N(*rectangle);
    BOOST_TEST(std::abs(a - b) < 1e-9);
    if (a > 0 && first == 0) {
      first = ellipse->system.t;
      BOOST_TEST(std::abs(a - m * g * first) < 1e-9);  // momentum of the fall
    } else if (first > 0) {
      BOOST_TEST(std::abs(a - m * g * h) < 1e-9);
    }
  }
  BOOST_TEST(std::abs(first - 0.25) < 1e-9);
  const NodeState e = ellipse->state("body"), r = rectangle->state("body");
  BOOST_TEST_MESSAGE(method << ": at rest at " << e.q[0] << ", " << e.q[1] << " and " << r.q[0] << ", " << r.q[1]);
  BOOST_TEST(std::hypot(e.q[0] - 4.332, e.q[1] - 1.512) < 7e-3);
  BOOST_TEST(std::hypot(r.q[0] - 3.603, r.q[1] - 1.028) < 7e-3);
  for (const NodeState* s : {&e, &r}) {
    for (const double u : s->u) BOOST_TEST(std::abs(u) < 1e-8);
    BOOST_TEST(std::abs(s->q[3] - 1) < 1e-9);  // friction has no torque about the vertical
  }
}

BOOST_AUTO_TEST_SUITE_END()

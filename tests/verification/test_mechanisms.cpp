// Bilateral constraints on velocity level: physical pendulum and slider-crank mechanism.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "assembly/energy.hpp"
#include "verification/stored_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

const std::vector<std::string> schemes = {"moreau", "shifted_moreau", "moreau_jean"};

double energy(const Case& c) {
  std::vector<double> q;
  c.integrator().positions(c.system, q);
  const Energies e = local_energies(c.system, q);
  double sum = e.kinetic + e.potential;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, c.system.comm());
  return sum;
}

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
double elliptic_K(double k) {
  double a = 1, b = std::sqrt(1 - k * k);
  for (int i = 0; i < 10; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b), a = mean;
  }
  return 1.57079632679489662 / a;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mechanisms)

// Rod of length L = 1 hinged at its end: phi'' = -(3 g / 2 L) sin phi, quarter period K(sin(phi_0 / 2)) / omega_0.
BOOST_DATA_TEST_CASE(pendulum_swings_with_the_exact_period, data::make(schemes), scheme) {
  double error[2], energy_error[2];
  for (const int fine : {0, 1}) {
    const double h = fine ? 5e-4 : 1e-3;
    const auto c = stored_case("pendulum/pendulum.yaml", {"integrator.type=" + scheme, "time.step=" + std::to_string(h)});
    double quarter = 0, before = c->state("rod").q[2], energy_0 = energy(*c);
    for (int k = steps_until(*c, 1.); k > 0; --k) {
      BOOST_TEST_REQUIRE(c->step().solve.converged);
      const NodeState rod = c->state("rod");
      // The joint at velocity level: velocity of the hinge point at the positions of the scheme is zero to tolerance; at
      // the end of the step it differs by the turn of half a step, h/2 omega^2 L/2.
      const double v_x = rod.u[0] - 0.5 * rod.u[2] * std::cos(rod.q[2]), v_y = rod.u[1] - 0.5 * rod.u[2] * std::sin(rod.q[2]);
      BOOST_TEST(std::hypot(v_x, v_y) < h * rod.u[2] * rod.u[2] + 1e-9);
      if (before > 0 && rod.q[2] <= 0 && quarter == 0) quarter = c->system.t - h * rod.q[2] / (rod.q[2] - before);
      before = rod.q[2];
    }
    const double exact = elliptic_K(std::sin(M_PI / 6)) / std::sqrt(15.);
    error[fine] = std::abs(quarter - exact);
    energy_error[fine] = std::abs(energy(*c) - energy_0);
  }
  BOOST_TEST(error[0] < 2e-3);
  BOOST_TEST(error[1] < 0.75 * error[0] + 1e-6);  // at least first order
  BOOST_TEST(energy_error[1] < 0.55 * energy_error[0]);
  BOOST_TEST(energy_error[1] < 0.025);  // of 2.5 J that swing between kinetic and potential
}

// Closed kinematics of the mechanism: l_1 sin phi_1 = -l_2 sin phi_2, x_3 = l_1 cos phi_1 + l_2 cos phi_2.
BOOST_AUTO_TEST_CASE(slider_crank_keeps_its_loop_closed) {
  const double l_1 = 0.153, l_2 = 0.306;
  double drift[2];
  for (const int fine : {0, 1}) {
    const auto c = stored_case("slider_crank/bilateral.yaml", {fine ? "time.step=5e-5" : "time.step=1e-4"});
    const double energy_0 = energy(*c);
    drift[fine] = 0;
    for (int k = steps_until(*c, 0.05); k > 0; --k) {
      BOOST_TEST_REQUIRE(c->step().solve.converged);
      const NodeState crank = c->state("crank"), rod = c->state("rod"), slider = c->state("slider");
      drift[fine] = std::max(drift[fine], std::abs(l_1 * std::sin(crank.q[2]) + l_2 * std::sin(rod.q[2])));
      drift[fine] = std::max(drift[fine], std::abs(slider.q[0] - l_1 * std::cos(crank.q[2]) - l_2 * std::cos(rod.q[2])));
      BOOST_TEST(std::abs(slider.u[1]) < 1e-6);  // the guide: solver tolerance times the velocities of 20 m/s
      BOOST_TEST(std::abs(slider.u[2]) < 1e-4);
    }
    BOOST_TEST(std::abs(energy(*c) / energy_0 - 1) < 0.1);
  }
  BOOST_TEST(drift[0] < 2e-3);             // l_1 = 0.153, more than one turn
  BOOST_TEST(drift[1] < 0.6 * drift[0]);   // drift of a scheme on velocity level: first order in the end
}

BOOST_AUTO_TEST_SUITE_END()

// S1: an elastic bar thrown at a rigid wall (Schindler 7.1, Table 5), theta = 1/2.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "assembly/energy.hpp"
#include "stored_case.hpp"

using namespace percussion;

namespace {

double energy(const Case& c) {
  const Energies e = local_energies(c.system, c.system.nodes.q());
  double sum = e.kinetic + e.potential;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, c.system.comm());
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(elastic_bar)

BOOST_AUTO_TEST_CASE(contact_time_force_and_energy) {
  const double E = 2.1e11, A = std::numbers::pi * 1e-4, rho = 7800, L = 1, v_0 = 0.1, l = L / 50;
  const double c_0 = std::sqrt(E / rho), T = 2 * L / c_0, force = E * A * v_0 / c_0;
  BOOST_TEST(std::abs(T - 3.854e-4) < 1e-7);      // Table 5: E is 2.1e11
  BOOST_TEST(std::abs(force - 1.271e3) < 1.);
  const auto c = stored_case("elastic_bar/bar_50.yaml");
  const double h = c->h, E_0 = energy(*c);
  BOOST_TEST(std::abs(E_0 - 0.5 * rho * A * L * v_0 * v_0) < 1e-14);

  int intervals = 0, steps = 0;
  double impulse = 0, plateau = 0, largest_u = 0;
  bool before = false;
  const int N = steps_until(*c, 8e-4);
  for (int n = 0; n < N; ++n) {
    c->step();
    const std::vector<double> P = c->percussion(0);
    const bool closed = !P.empty() && P[0] > 0;
    intervals += closed && !before;
    before = closed;
    if (!closed) continue;
    ++steps, impulse += P[0];
    const double s = steps * h / T;
    if (s < 0.9) largest_u = std::max(largest_u, std::abs(c->state("bar.first").u[0]));
    if (s > 0.1 && s < 0.4) plateau += P[0] / h / (0.3 * T / h);
  }
  BOOST_TEST(intervals == 1);       // no chattering
  BOOST_TEST(largest_u < 1e-9);     // the solver tolerance on velocities of size v_0
  // The mesh smears the front of the wave over some elements; 2 percent are the time in which it passes two of them.
  BOOST_TEST(std::abs(steps * h / T - 1) < 0.02);
  BOOST_TEST(std::abs(plateau / force - 1) < 0.02);  // oscillations of the mesh, averaged over a third of the contact
  BOOST_TEST(std::abs(impulse / (2 * rho * A * L * v_0) - 1) < 0.03);  // some energy stays behind as vibration

  // The end node stops at once: the percussion m* v_0 takes 1/2 m* v_0^2, with the mass m* = 1 / (H^-1)_11 that the end of a
  // long chain H = M + h^2/4 K shows (continued fraction); nothing else takes energy from theta = 1/2.
  const double k = 0.25 * h * h * E * A / l, m = rho * A * l, end = m / 3 + k, off = m / 6 - k;
  const double x = end + std::sqrt(end * end - off * off);
  const double m_star = end - off * off / x;
  BOOST_TEST(std::abs((E_0 - energy(*c)) / (0.5 * m_star * v_0 * v_0) - 1) < 1e-6);  // rounding of 1e-2 J against 8e-5 J, 800 steps
}

// Moreau's rule works body by body; who tries it on a bar is told what does not.
BOOST_AUTO_TEST_CASE(moreau_names_the_schemes_that_can) {
  const auto c = stored_case("elastic_bar/bar_50.yaml", {"integrator={type: moreau}"});
  const auto helps = [](const RunError& e) { return std::string(e.what()).find("integrator.type = moreau_jean, radau_iia") != std::string::npos; };
  BOOST_CHECK_EXCEPTION(c->step(), RunError, helps);
}

BOOST_AUTO_TEST_SUITE_END()

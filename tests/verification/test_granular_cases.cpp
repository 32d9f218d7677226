// Stored granular cases at small size: what must hold for any heap, flow and drum.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "app/stepper.hpp"
#include "verification/rk_case.hpp"

using namespace percussion;

namespace {

double sum_over_ranks(const Case& c, double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, c.system.comm());
  return value;
}

double total_mass(const Case& c) {
  double mass = 0;
  for (std::int32_t i = 0; i < c.system.nodes.owned(); ++i) mass += c.system.nodes[i].mass;
  return sum_over_ranks(c, mass);
}

Vec3 momentum(const Case& c) {
  Vec3 p = Vec3::Zero();
  for (std::int32_t i = 0; i < c.system.nodes.owned(); ++i) {
    const NodeData& node = c.system.nodes[i];
    p += node.mass * motion(node.kind, c.system.nodes.q(i).data(), c.system.nodes.u(i).data()).v;
  }
  MPI_Allreduce(MPI_IN_PLACE, p.data(), 3, MPI_DOUBLE, MPI_SUM, c.system.comm());
  return p;
}

/// Percussion of all walls on the bodies in the last step.
Vec3 wall_percussion(const Case& c) {
  std::vector<ContactRecord> records;
  c.integrator().contacts(c.system, records);
  Vec3 P = Vec3::Zero();
  for (const ContactRecord& r : records)
    if (r.id_b < 0) P -= r.P;
  MPI_Allreduce(MPI_IN_PLACE, P.data(), 3, MPI_DOUBLE, MPI_SUM, c.system.comm());
  return P;
}

double count_below(const Case& c, double z) {
  double n = 0;
  for (std::int32_t i = 0; i < c.system.nodes.owned(); ++i) n += c.system.nodes.q(i)[2] < z;
  return sum_over_ranks(c, n);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(granular_cases)

// Six shapes: momentum balance in every step, energy never rises, and at rest the floor carries the weight.
BOOST_AUTO_TEST_CASE(mixed_shapes_settle, *boost::unit_test::precondition(at_most_two_ranks)) {
  const auto c = stored_case("mixed_shapes/mixed_shapes.yaml", {"contact.restitution=0", "solver.max_iterations=2000", "solver.tolerance=1e-4"});
  const double mass = total_mass(*c), g = 9.81;
  double energy = total_energy(*c), rise = 0, mean = 0, imbalance = 0;
  Vec3 p = momentum(*c);
  const double scale = energy;
  const int steps = 2500, tail = 500;
  for (int k = 0; k < steps; ++k) {
    c->step();
    const Vec3 P = wall_percussion(*c), next = momentum(*c);
    imbalance = std::max(imbalance, (next - p - P + mass * g * c->h * Vec3::UnitZ()).norm());
    p = next;
    const double now = total_energy(*c);
    rise = std::max(rise, now - energy), energy = now;
    if (k >= steps - tail) mean += P[2] / tail;
  }
  BOOST_TEST(imbalance < 1e-9 * mass);  // rounding: momentum is exchanged by percussions alone
  BOOST_TEST_MESSAGE("largest rise of energy in a step, of that of the fall: " << rise / scale);
  // Rotation about a moving normal adds energy of second order in the step; measured 1e-8 of the energy of the fall.
  BOOST_TEST(rise < 1e-7 * scale);
  BOOST_TEST(mean == mass * g * c->h, boost::test_tools::tolerance(0.02));  // the last grains still rock
}

// The flow rate does not depend on the height of the filling, and has the size of Beverloo's law with C = 0.58, k = 1.4 for a
// flat bottom; a cone of 30 degrees about the axis lets out more, by (tan 30 tan phi)^-0.35 = 1.2 (Rose and Tanaka, phi = 45),
// and published values scatter by some tens of percent about that at five diameters.
BOOST_AUTO_TEST_CASE(hopper_flows_evenly, *boost::unit_test::precondition(on_one_rank)) {
  const auto c = stored_case("hopper/hopper.yaml", {"fills[0].limit=900"});
  Stepper stepper(OnFailure::shrink);
  double at[4], deepest = 0;
  int k = 0;
  for (const double t : {0.25, 0.35, 0.45, 0.55}) {
    for (int n = steps_until(*c, t); n > 0; --n) deepest = std::max(deepest, stepper.advance(*c, c->h).penetration);
    at[k++] = c->population().left().mass;
  }
  const double mean = (at[3] - at[0]) / 0.3, D = 0.05, d = 0.01;
  const double beverloo = 0.58 * 0.6 * 2500 * std::sqrt(9.81) * std::pow(D - 1.4 * d, 2.5);
  BOOST_TEST_MESSAGE("mass flow " << mean << " kg/s, over that of Beverloo " << mean / beverloo << ", deepest penetration " << deepest / 0.005 << " r");
  for (int i = 0; i < 3; ++i) BOOST_TEST((at[i + 1] - at[i]) / 0.1 == mean, boost::test_tools::tolerance(0.2));  // 75 grains: fluctuations of ten percent
  BOOST_TEST(mean > 1.0 * beverloo);
  BOOST_TEST(mean < 1.8 * beverloo);
  BOOST_TEST(deepest < 2e-3 * 0.005);
}

// The bed leans by the dynamic angle of repose; Froude number 0.04.
BOOST_AUTO_TEST_CASE(drum_shows_its_angle_of_repose, *boost::unit_test::precondition(on_one_rank)) {
  const auto c = stored_case("rotating_drum/drum.yaml");
  double mean = 0;
  int samples = 0;
  double deepest = 0;
  for (int k = 0; k < 2500; ++k) {
    deepest = std::max(deepest, c->step().penetration);
    if (k < 1500 || k % 10) continue;
    // A bed with a flat surface has its centre of mass on the perpendicular from the axis to the surface.
    double sum[3] = {0, 0, 0};
    for (std::int32_t i = 0; i < c->system.nodes.owned(); ++i) {
      const double m = c->system.nodes[i].mass;
      sum[0] += m * c->system.nodes.q(i)[0], sum[1] += m * c->system.nodes.q(i)[2], sum[2] += m;
    }
    MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_DOUBLE, MPI_SUM, c->system.comm());
    mean += std::atan2(std::abs(sum[0]), -sum[1]) * 180 / std::numbers::pi, ++samples;
  }
  mean /= samples;
  BOOST_TEST_MESSAGE("angle of repose " << mean << " degrees");
  BOOST_TEST(mean > 20);
  BOOST_TEST(mean < 40);
  BOOST_TEST(deepest < 3e-3 * 0.0045);  // what the tolerance of the sweeps leaves
}

// Nothing falls through a mesh of triangles, and rocks that lie on it do not gain energy.
BOOST_AUTO_TEST_CASE(rocks_stay_on_the_slope, *boost::unit_test::precondition(on_one_rank)) {
  const auto c = stored_case("rock_pile/rock_pile.yaml", {"fills[0].count=25", "contact.restitution=0"});
  double energy = total_energy(*c), rise = 0;
  const double scale = energy;
  for (int k = 0; k < 3000; ++k) {
    c->step();
    const double now = total_energy(*c);
    rise = std::max(rise, now - energy), energy = now;
  }
  BOOST_TEST_MESSAGE("largest rise of energy in a step, of that of the fall: " << rise / scale);
  BOOST_TEST(count_below(*c, -0.02) == 0);
  BOOST_TEST(rise < 1e-7 * scale);  // as above
}

// On position level a column that collapses gains no energy beyond the tolerance, and nobody penetrates.
BOOST_AUTO_TEST_CASE(a_collapsing_column_never_gains_energy, *boost::unit_test::precondition(on_one_rank)) {
  const auto c = stored_case("column_collapse/column.yaml", {"fills[0].upper=[0.06,0.06,0.08]"});
  double energy = total_energy(*c), rise = -1, deepest = 0;
  const double scale = energy;
  for (int k = 0; k < 500; ++k) {
    deepest = std::max(deepest, c->step().penetration);
    const double now = total_energy(*c);
    rise = std::max(rise, now - energy), energy = now;
  }
  BOOST_TEST_MESSAGE("largest rise of energy in a step, of that of the column: " << rise / scale);
  // Overlaps of 1e-3 radii that the tolerance left are taken back, which lifts grains by 5 % of them at most in a step; the
  // column is 20 radii high.
  BOOST_TEST(rise < 1e-3 / 20 * 0.05 * scale);
  BOOST_TEST(deepest < 2e-3 * 0.005);
}

BOOST_AUTO_TEST_SUITE_END()

// Sweeps in the body view: monotone energy on any number of ranks, warm start, relaxation, report.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>

#include "assembly/energy.hpp"
#include "assembly/velocity_problem.hpp"
#include "solvers/small_systems.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;
using namespace percussion::test;

namespace {

constexpr double h = 1e-2;

/// Spheres on a lattice that overlap a little, thrown at the floor: about three contacts per body.
Plan pile(double mu) {
  Plan plan;
  const double r = 0.1;
  for (int i = 0; i < 60; ++i) {
    const Vec3 site(i % 4, i / 4 % 4, i / 16);
    const double m = 1 + 0.3 * (i % 5);
    plan.add_sphere(m, r, 0.1999 * site + Vec3(0, 0, 0.0999), Vec3(0.1 * std::sin(i), 0.1 * std::cos(3 * i), -1), Vec3(0, std::sin(2 * i), 1));
  }
  plan.planes.resize(1);
  plan.planes[0].mu = mu;
  plan.law.mu = mu;
  plan.gravity = Vec3(0, 0, -10);
  return plan;
}

std::unique_ptr<ContactSolver> solver(const std::string& type, const SolverOptions& o) {
  const Parameters p = model_test::typed("solvers", type,
                                         {{"tolerance", o.tolerance}, {"max_iterations", o.max_iterations}, {"relaxation", o.relaxation},
                                          {"check_every", o.check_every}, {"history", o.history}});
  return SolverRegistry::instance().create(type, p);
}

double kinetic_energy(const System& system) {
  double T = local_energies(system, system.nodes.q()).kinetic;
  MPI_Allreduce(MPI_IN_PLACE, &T, 1, MPI_DOUBLE, MPI_SUM, system.comm());
  return T;
}

struct Solved {
  SolveReport report;
  double energy;
};

/// One velocity step of the pile from rest percussions.
Solved solve(const Plan& plan, const std::string& type, const SolverOptions& options, MPI_Comm comm = MPI_COMM_WORLD) {
  const auto system = system_of(plan, comm, h);
  VelocityProblem problem;
  problem.build(*system, {0, 0, h, h});
  Solved s;
  s.report = solver(type, options)->solve(problem.problem());
  problem.store(*system);
  s.energy = kinetic_energy(*system);
  return s;
}

const std::vector<std::string> types = {"gauss_seidel", "projected_jacobi"};

}  // namespace

BOOST_AUTO_TEST_SUITE(sweeps)

// Without friction and with c = 0 the dual energy 1/2 P'GP + c'P is the kinetic energy minus that of x_free: it must fall
// in every sweep on any number of ranks. That is what mass splitting promises.
BOOST_DATA_TEST_CASE(energy_falls_in_every_sweep, data::make(types), type) {
  const Plan plan = pile(0);
  double before = std::numeric_limits<double>::infinity();
  for (int sweeps = 0; sweeps <= 25; ++sweeps) {
    SolverOptions options;
    options.tolerance = 1e-30, options.max_iterations = std::max(sweeps, 1), options.check_every = 1;
    if (sweeps == 0) options.tolerance = 1e30;  // stops at the start: x_free
    const Solved s = solve(plan, type, options);
    BOOST_TEST(s.report.iterations == sweeps);
    BOOST_TEST(s.energy <= before * (1 + 1e-13));  // rounding of a sum over 60 bodies
    before = s.energy;
  }
}

BOOST_AUTO_TEST_CASE(both_solvers_and_all_ranks_find_the_same_velocities) {
  const Plan plan = pile(0);
  SolverOptions options;
  options.tolerance = 1e-10, options.max_iterations = 100000;
  const double reference = solve(plan, "gauss_seidel", options, MPI_COMM_SELF).energy;
  for (const auto& type : types) {
    const Solved s = solve(plan, type, options);
    BOOST_TEST(s.report.converged);
    // Without friction the minimiser of the energy is unique in x, and the energy is flat around it.
    BOOST_TEST(std::abs(s.energy / reference - 1) < 1e-10);
  }
}

BOOST_DATA_TEST_CASE(friction_converges_and_reports, data::make(types), type) {
  SolverOptions options;
  options.tolerance = 1e-6, options.max_iterations = 50000, options.history = true, options.check_every = 10;
  const Solved s = solve(pile(0.4), type, options);
  BOOST_TEST(s.report.converged);
  BOOST_TEST(s.report.residual <= 1e-6);
  // Jacobi checks the start, after 2, 4, 8 and 16 sweeps, then every ten; Gauss-Seidel when its steps forecast a solution, and
  // otherwise after twice as many sweeps and 20, so some ten times for a thousand.
  const std::size_t regular = (s.report.iterations - 16) / 10 + 5;
  if (type == "projected_jacobi") BOOST_TEST(s.report.history.size() == regular);
  else BOOST_TEST(s.report.history.size() <= std::max<std::size_t>(4, regular / 2));
  BOOST_TEST(s.report.history.front() == 1., boost::test_tools::tolerance(1e-12));  // cold start: F / F at P = 0
  BOOST_TEST(s.report.history.back() == s.report.residual);
  options.max_iterations = 5, options.check_every = 10;
  const Solved cut = solve(pile(0.4), type, options);
  BOOST_TEST(!cut.report.converged);
  BOOST_TEST(cut.report.iterations == 5);
}

// The percussions of the last solve start the next one: the same problem again needs no sweep at all.
BOOST_AUTO_TEST_CASE(warm_start_recalls_the_solution) {
  const auto system = system_of(pile(0.4), MPI_COMM_WORLD, h);
  const std::vector<double> u = system->nodes.u();
  SolverOptions options;
  options.tolerance = 1e-6, options.max_iterations = 50000;
  const auto gauss_seidel = solver("gauss_seidel", options);
  VelocityProblem problem;
  for (const int round : {0, 1}) {
    system->nodes.u() = u;
    problem.build(*system, {0, 0, h, h});
    const SolveReport report = gauss_seidel->solve(problem.problem());
    BOOST_TEST(report.converged);
    if (round == 0) BOOST_TEST(report.iterations > 10);
    if (round == 1) BOOST_TEST(report.iterations == 0);
    problem.store(*system);
    // Also through a new distribution, which moves bodies and renumbers them.
    if (round == 0 && system->distribution.ranks() == 1) system->rebuild(h);
  }
}

BOOST_AUTO_TEST_CASE(relaxation_changes_the_path_not_the_goal) {
  SolverOptions options;
  options.tolerance = 1e-10, options.max_iterations = 100000;
  const double reference = solve(pile(0), "gauss_seidel", options).energy;
  for (const double omega : {0.6, 1.3}) {
    options.relaxation = omega;
    const Solved s = solve(pile(0), "gauss_seidel", options);
    BOOST_TEST(s.report.converged);
    BOOST_TEST(std::abs(s.energy / reference - 1) < 1e-10);
  }
}

BOOST_AUTO_TEST_SUITE_END()

// Contact problems of a run as files (output.dump_problems): solved alone they give the percussions of the
// run.
#include <boost/test/unit_test.hpp>

#include "app/case.hpp"
#include "app/case_schema.hpp"
#include "app/problem_solve.hpp"
#include "io/friction_problems.hpp"
#include "io/input.hpp"
#include "io/scratch_folder.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;

Parameters input_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Parameters input = parse_input(text, "test", {}, overrides, case_schema());
  check_case_rules(input);
  return input;
}

/// One sphere on three, all closed; the velocities make some contacts slide. 18 rows on 24 velocities.
const std::string pyramid = R"(case: {name: pyramid}
time: {end: 1, step: 1.0e-3}
solver: {type: hybrid, tolerance: 1.0e-12, max_iterations: 20000}
gravity: [0, 0, -10]
contact: {friction: 0.3, restitution: 0.2}
nodes:
  - {type: rigid_body, name: base0, density: 1000, position: [0.121243556529821, 0.0, 0.0999], shape: {type: sphere, radius: 0.1}, velocity: [0.4, 0, -1]}
  - {type: rigid_body, name: base1, density: 1000, position: [-0.060621778264911, 0.105, 0.0999], shape: {type: sphere, radius: 0.1}, velocity: [0.1, 0, -1]}
  - {type: rigid_body, name: base2, density: 1000, position: [-0.060621778264911, -0.105, 0.0999], shape: {type: sphere, radius: 0.1}, velocity: [0, 0, -1]}
  - {type: rigid_body, name: top, density: 1000, position: [0.0, 0.0, 0.258], shape: {type: sphere, radius: 0.1}, velocity: [0, 0, -2]}
walls:
  - {type: plane, name: floor, point: [0, 0, 0], normal: [0, 0, 1]}
output: {dump_problems: {every: 1}}
)";

/// A body on a rod and a spring, pressed on the floor at one point, and a frictionless one: a bilateral row,
/// a disc, no disc.
const std::string mechanism = R"(case: {name: mechanism}
time: {end: 1, step: 1.0e-3}
integrator: {type: moreau_jean}
solver: {type: hybrid, tolerance: 1.0e-12, max_iterations: 20000}
gravity: [0, -10]
nodes:
  - {type: planar_body, name: body, mass: 2, inertia: 0.1, position: [0, 0.2], velocity: [0, -1], angular_velocity: 3}
  - {type: planar_body, name: other, mass: 1, inertia: 0.1, position: [1, 0.2], velocity: [0, -1]}
contributions:
  - {type: distance_joint, nodes: [body, other], length: 1}
  - {type: spring_damper, nodes: [body, ground], point_2: [0, 2], stiffness: 100}
  - {type: contact_plane, nodes: [body], point: [0.1, -0.2], normal: [0, 1], friction: [{set: disc, mu: [0.2]}]}
  - {type: contact_plane, nodes: [other], point: [0, -0.2], normal: [0, 1]}
output: {dump_problems: {every: 1}}
)";

struct Solved {
  FclibProblem stored;
  VecX r, u;   ///< of the solver on the file alone
  VecX run_r;  ///< in the file: what the run found
};

/// Collective. The step of a case, its dump and the solution of that.
Solved dump_and_solve(Case& c, const ScratchFolder& folder) {
  c.dumps()->write_to(folder / "problems");
  c.dumps()->begin_step(1);
  BOOST_TEST(c.step().solve.converged);
  const auto file = folder / "problems" / "step_000001.hdf5";
  Solved result;
  result.stored = read_fclib(world, file);
  const auto n = result.stored.contacts;
  const int d = result.stored.dimension;
  const auto loaded = distribute(world, result.stored);
  const ProblemSolve solve = solve_problem(*loaded, solver_from_words("hybrid", 1e-12, 20000, {}), 2);
  BOOST_TEST(solve.solved, solve.certificate);
  const FclibSolution s = solution_of(*loaded, result.stored);
  result.r = gathered(s.r, world, n, d), result.u = gathered(s.u, world, n, d);
  result.run_r = gathered(read_point(world, file, result.stored, "solution").r, world, n, d);
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(problem_dump)

BOOST_AUTO_TEST_CASE(spheres_in_the_body_view) {
  const ScratchFolder folder;
  Case c(world, input_of(pyramid));
  const Solved s = dump_and_solve(c, folder);
  BOOST_TEST_REQUIRE(s.stored.contacts == 6);
  BOOST_TEST(s.stored.dimension == 3);
  // W is regular with a condition of about 100; tolerance 1e-12 in both.
  BOOST_TEST((s.r - s.run_r).norm() <= 1e-9 * s.r.norm());
  BOOST_TEST(s.r.norm() > 0.1);
  // The same percussions as the contacts of the run report.
  std::vector<ContactRecord> records;
  c.integrator().contacts(c.system, records);
  double sum[2] = {0, 0};
  for (const ContactRecord& record : records)
    sum[0] += record.n.dot(record.P), sum[1] += record.P.squaredNorm();
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, world);
  double normal = 0;
  for (int k = 0; k < 6; ++k) normal += s.r[3 * k];
  BOOST_TEST(normal == sum[0], boost::test_tools::tolerance(1e-9));
  BOOST_TEST(s.r.squaredNorm() == sum[1], boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(constraints_and_frictionless_contacts_in_both_views) {
  for (const char* integrator : {"integrator={type: moreau_jean}", "integrator={type: moreau}"}) {
    const ScratchFolder folder;
    Case c(world, input_of(mechanism, {integrator}));
    const Solved s = dump_and_solve(c, folder);
    BOOST_TEST_REQUIRE(s.stored.contacts == 2);
    BOOST_TEST(s.stored.constraints == 1);
    BOOST_TEST(s.stored.dimension == 2);
    BOOST_TEST((s.r - s.run_r).norm() <= 1e-9 * s.r.norm());  // as above
    const std::vector<double> with = c.percussion(2), without = c.percussion(3);
    BOOST_TEST_REQUIRE(with.size() == 2u);
    BOOST_TEST_REQUIRE(without.size() == 1u);
    // The order of contacts is that of the ranks.
    const int first = std::abs(s.r[0] - with[0]) < std::abs(s.r[2] - with[0]) ? 0 : 2, second = 2 - first;
    BOOST_TEST(s.r[first] == with[0], boost::test_tools::tolerance(1e-9));
    BOOST_TEST(s.r[first + 1] == with[1], boost::test_tools::tolerance(1e-9));
    BOOST_TEST(s.r[second] == without[0], boost::test_tools::tolerance(1e-9));
    BOOST_TEST(std::abs(s.r[second + 1]) <= 1e-12);  // the row that was added
  }
}

BOOST_AUTO_TEST_CASE(laws_that_the_format_lacks_are_named) {
  const ScratchFolder folder;
  const std::string text = R"(case: {name: slider}
time: {end: 1, step: 1.0e-3}
gravity: [0, 0, -10]
nodes:
  - {type: rigid_body, name: body, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
contributions:
  - {type: contact_plane, nodes: [body], normal: [0, 0, 1], friction: [{set: rectangle, mu: [0.1, 0.2]}]}
output: {dump_problems: {when: not_converged}}
)";
  Case c(world, input_of(text));
  c.dumps()->write_to(folder / "problems");
  c.dumps()->begin_step(1);
  // At the first step with this law, not at the first that fails.
  BOOST_CHECK_EXCEPTION(c.step(), InputError, [](const InputError& e) {
    return std::string(e.what()).find("rectangle") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(only_what_was_asked_for) {
  const ScratchFolder folder;
  const auto files = [&] { return std::filesystem::is_directory(folder / "problems"); };
  {
    Case c(world, input_of(pyramid, {"output.dump_problems={when: not_converged}"}));
    c.dumps()->write_to(folder / "problems");
    c.dumps()->begin_step(1);
    c.step();
    BOOST_TEST(!files());
  }
  MPI_Barrier(world);
  {
    Case c(world, input_of(pyramid, {"output.dump_problems={when: not_converged}", "solver.max_iterations=1",
                                     "solver.tolerance=1e-15"}));
    c.dumps()->write_to(folder / "problems");
    c.dumps()->begin_step(7);
    BOOST_TEST(!c.step().solve.converged);
    BOOST_TEST(std::filesystem::exists(folder / "problems" / "step_000007.hdf5"));
  }
  BOOST_TEST(Case(world, input_of(pyramid, {"output.dump_problems={when: never}"})).dumps() == nullptr);
  BOOST_CHECK_THROW(input_of(pyramid, {"output.dump_problems={when: not_converged, every: 3}"}), InputError);
  BOOST_CHECK_THROW(input_of(pyramid, {"output.dump_problems={every: 0}"}), InputError);
}

BOOST_AUTO_TEST_SUITE_END()

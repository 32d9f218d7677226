// On another number of ranks a run goes on up to the tolerance of the solver, with its warm starts.
#include <boost/test/data/test_case.hpp>
#include <cmath>

#include "checkpoint/stored_run.hpp"
#include "io/scratch_folder.hpp"

using namespace percussion;

namespace {

struct Example {
  std::string name, input;
  std::vector<std::string> overrides;
  int before, after;
  double tolerance;
};
std::ostream& operator<<(std::ostream& out, const Example& e) {
  return out << e.name;
}

const std::vector<Example> examples = {
    // Residual 1e-8 of velocities of 1 m/s per step, 30 steps, some amplification by collisions.
    {"moreau, spheres", "sphere_box/sphere_box.yaml",
     falling_spheres({"solver.tolerance=1e-8", "solver.max_iterations=20000"}), 40, 30, 1e-5},
    {"radau_iia, spheres", "sphere_box/sphere_box.yaml",
     falling_spheres(
         {"integrator={type: radau_iia, stages: 2}", "solver.tolerance=1e-8", "solver.max_iterations=20000"}),
     40, 20, 1e-5},
    // The same residual; edges and corners amplify more than spheres.
    {"moreau, shapes in a shaken box", "mixed_shapes/mixed_shapes.yaml",
     shaken_shapes({"solver.tolerance=1e-8", "solver.max_iterations=20000"}), 60, 20, 1e-4},
    {"moreau, turning drum", "rotating_drum/drum.yaml",
     {"integrator={type: moreau}", "fills[0].limit=60", "solver.tolerance=1e-8", "solver.max_iterations=20000"}, 100, 20, 1e-5},
    {"moreau, rocks on a mesh that moves", "rock_pile/rock_pile.yaml",
     {"time.step=1e-3", "fills[0].count=12", "fills[0].upper=[-0.3, 0.3, 1.2]", "walls[0].displacement_z=0.01*sin(2*pi*5*t)",
      "solver.tolerance=1e-8", "solver.max_iterations=20000"}, 120, 20, 1e-4},
    // Newton's iteration ends at 1e-10 of velocities of 10 m/s, in 60 steps.
    {"radau_iia, slider-crank", "slider_crank/contacts.yaml", {}, 60, 60, 1e-6},
    {"moreau_jean, bar", "elastic_bar/bar_50.yaml", {}, 150, 50, 1e-8},
};

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(other_ranks)

BOOST_DATA_TEST_CASE(written_by_all_read_by_one, examples, e) {
  const ScratchFolder scratch;
  const Parameters input = stored_input(e.input, e.overrides);
  Case whole(MPI_COMM_WORLD, input);
  for (int k = 0; k < e.before; ++k) whole.step();
  write_case(whole, scratch / "state.h5");
  const auto alone = read_case(input, scratch / "state.h5", MPI_COMM_SELF);
  BOOST_TEST(alone->system.t == whole.system.t);
  BOOST_TEST(difference(whole, *alone) == 0.);
  for (int k = 0; k < e.after; ++k) whole.step(), alone->step();
  BOOST_TEST(difference(whole, *alone) < e.tolerance);
}

BOOST_DATA_TEST_CASE(written_by_one_read_by_all, examples, e) {
  const ScratchFolder scratch;
  const Parameters input = stored_input(e.input, e.overrides);
  Case alone(MPI_COMM_SELF, input);
  for (int k = 0; k < e.before; ++k) alone.step();
  if (world_rank() == 0) write_case(alone, scratch / "state.h5");
  MPI_Barrier(MPI_COMM_WORLD);
  const auto together = read_case(input, scratch / "state.h5");
  BOOST_TEST(difference(alone, *together) == 0.);
  for (int k = 0; k < e.after; ++k) alone.step(), together->step();
  BOOST_TEST(difference(alone, *together) < e.tolerance);
}

BOOST_AUTO_TEST_CASE(percussions_find_their_contacts) {
  const ScratchFolder scratch;
  // A column at rest: with its percussions the first sweep has nothing to do.
  const std::vector<std::string> overrides = {"solver.tolerance=1e-9", "solver.max_iterations=100000",
                                              "solver.check_every=1"};
  const Parameters input = stored_input("sphere_stack/stack.yaml", overrides);
  Case whole(MPI_COMM_WORLD, input);
  StepReport before;
  for (int k = 0; k < 50; ++k) before = whole.step();
  BOOST_TEST(before.contacts > 0);
  write_case(whole, scratch / "state.h5");
  const auto alone = read_case(input, scratch / "state.h5", MPI_COMM_SELF);
  Case cold(MPI_COMM_SELF, input);
  const int warm_iterations = alone->step().solve.iterations, cold_iterations = cold.step().solve.iterations;
  BOOST_TEST(warm_iterations * 4 <= cold_iterations,
             warm_iterations << " sweeps, " << cold_iterations << " without percussions");
}

BOOST_AUTO_TEST_SUITE_END()

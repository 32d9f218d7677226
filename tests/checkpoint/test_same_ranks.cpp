// On the same number of ranks a run that was stored and taken up again does the same steps, bit by bit.
#include <boost/test/data/test_case.hpp>

#include "checkpoint/stored_run.hpp"
#include "io/scratch_folder.hpp"

using namespace percussion;

namespace {

struct Example {
  std::string name, input;
  std::vector<std::string> overrides;
  int before, after;  ///< steps until the checkpoint and from there
  bool expects_contacts = true;
};
std::ostream& operator<<(std::ostream& out, const Example& e) {
  return out << e.name;
}

const std::string box = "sphere_box/sphere_box.yaml", bar = "elastic_bar/bar_50.yaml";

/// Contacts are closed at the checkpoint and afterwards, but for mechanisms without any.
const std::vector<Example> examples = {
    {"moreau, spheres", box, falling_spheres(), 40, 25},
    {"moreau, between two rebuilds", box, falling_spheres(), 43, 3},
    {"shifted_moreau, spheres", box, falling_spheres({"integrator.type=shifted_moreau"}), 40, 25},
    {"moreau_jean, spheres", box, falling_spheres({"integrator.type=moreau_jean"}), 40, 25},
    {"moreau, hybrid solver", box,
     falling_spheres({"fills[0].limit=30", "solver={type: hybrid, tolerance: 1e-9}"}), 40, 10},
    {"radau_iia, spheres in the body view", box, falling_spheres({"integrator={type: radau_iia, stages: 2}"}),
     40, 25},
    {"lobatto_iiic, spheres in the body view", box,
     falling_spheres({"integrator={type: lobatto_iiic, stages: 2}"}), 40, 10},
    {"radau_iia, spheres assembled", box,
     falling_spheres({"fills[0].limit=12", "contact.restitution=0", "integrator={type: radau_iia, stages: 2}",
                      "solver={type: semismooth_newton, on_failure: warn}"}),
     60, 20},
    {"tr_bdf2, spheres assembled", box,
     falling_spheres({"fills[0].limit=12", "contact.restitution=0", "integrator.type=tr_bdf2",
                      "solver={type: hybrid, tolerance: 1e-9}"}),
     60, 20},
    {"lobatto_iiia_iiib, spheres", box,
     falling_spheres({"fills[0].limit=12", "contact.restitution=0",
                      "integrator={type: lobatto_iiia_iiib, stages: 2}",
                      "solver={type: hybrid, tolerance: 1e-9}"}),
     60, 20},
    {"moreau, periodic gas", "granular_gas/gas.yaml", {"fills[0].limit=200", "fills[0].velocity=[3,1,0]", "contact.friction=0.3"}, 200, 60, false},
    {"moreau, joints", "slider_crank/bilateral.yaml", {}, 30, 30, false},
    {"radau_iia, joints and contacts", "slider_crank/contacts.yaml", {}, 60, 60},
    {"trx2, joints and contacts", "slider_crank/contacts.yaml", {"integrator={type: trx2}"}, 60, 60},
    {"radau_iia, pendulum",
     "spring_pendulum/spring_pendulum.yaml",
     {"integrator={type: radau_iia, stages: 3}"},
     17,
     20,
     false},
    {"lobatto_iiia_iiib, pendulum",
     "spring_pendulum/spring_pendulum.yaml",
     {"integrator={type: lobatto_iiia_iiib, stages: 3}"},
     17,
     20,
     false},
    {"moreau_jean, bar", bar, {}, 150, 50},
    {"radau_iia, bar", bar, {"integrator={type: radau_iia, stages: 2}"}, 150, 30},
    {"moreau, belt", "block_on_belt/block_on_belt.yaml", {}, 200, 100, false},
    {"moreau, shapes in a shaken box", "mixed_shapes/mixed_shapes.yaml", shaken_shapes(), 80, 25},
    {"radau_iia, shapes", "mixed_shapes/mixed_shapes.yaml",
     {"time.step=1e-3", "integrator={type: radau_iia, stages: 2}", "solver={type: hybrid, tolerance: 1e-9}",
      "fills=[{type: random, count: 3, lower: [0, 0, 0.001], upper: [0.1, 0.1, 0.03], radius: [0.01], shape: {type: box, size: [1, 1, 1.5]}}]"}, 60, 10},
    {"moreau, turning drum", "rotating_drum/drum.yaml", {"integrator={type: moreau}", "fills[0].limit=60"}, 110, 25},
    {"radau_iia, turning drum", "rotating_drum/drum.yaml", {"fills[0].limit=60"}, 110, 25},
    {"moreau, shaken hopper, lognormal sizes", "hopper/hopper.yaml",
     {"integrator={type: moreau}", "time.step=1e-3", "fills[0].limit=60", "fills[0].radius=[0.003, 0.006]", "fills[0].sizes=lognormal", "walls[0].displacement_x=0.002*sin(2*pi*15*t)"}, 110, 25},
    {"moreau, rocks on a mesh that moves", "rock_pile/rock_pile.yaml",
     {"time.step=1e-3", "fills[0].count=12", "fills[0].upper=[-0.3, 0.3, 1.2]", "walls[0].displacement_z=0.01*sin(2*pi*5*t)"}, 240, 25},
    {"radau_iia, tippedisk", "tippedisk/tippedisk.yaml", {"integrator={type: radau_iia, stages: 2}"}, 20, 20},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(same_ranks)

BOOST_DATA_TEST_CASE(the_next_steps_are_the_same_bit_by_bit, examples, e) {
  const ScratchFolder scratch;
  auto overrides = e.overrides;
  overrides.push_back(
      "partition.method=geometric");  // the same every time, which graph partitioners need not be
  const Parameters input = stored_input(e.input, overrides);
  Case whole(MPI_COMM_WORLD, input), left(MPI_COMM_WORLD, input);
  StepReport report;
  for (int k = 0; k < e.before; ++k) report = whole.step(), left.step();
  if (e.expects_contacts) BOOST_TEST(report.contacts > 0);
  // The run is reproducible at all.
  BOOST_TEST_REQUIRE((whole_state(whole) == whole_state(left)));

  write_case(left, scratch / "state.h5");
  const auto again = read_case(input, scratch / "state.h5");
  BOOST_TEST_REQUIRE((whole_state(*again) == whole_state(whole)));
  for (int k = 1; k <= e.after; ++k) {
    const StepReport a = whole.step(), b = again->step(), c = left.step();
    BOOST_TEST_CONTEXT("step " << k << " after the checkpoint") {
      BOOST_TEST_REQUIRE((whole_state(whole) == whole_state(*again)));
      // Writing a checkpoint leaves no trace either.
      BOOST_TEST_REQUIRE((whole_state(whole) == whole_state(left)));
      BOOST_TEST(a.solve.iterations == b.solve.iterations);
      BOOST_TEST(a.solve.residual == b.solve.residual);
      BOOST_TEST(a.contacts == b.contacts);
      BOOST_TEST(a.contacts == c.contacts);
    }
  }
  if (e.expects_contacts) BOOST_TEST(report.contacts > 0);
}

BOOST_AUTO_TEST_CASE(a_redistribution_before_and_after_the_checkpoint) {
  const ScratchFolder scratch;
  const Parameters input = stored_input(box, falling_spheres());
  Case whole(MPI_COMM_WORLD, input);
  for (int k = 0; k < 30; ++k) whole.step();
  whole.system.rebalance(RebalanceMethod::geometric, whole.h);
  for (int k = 0; k < 10; ++k) whole.step();
  write_case(whole, scratch / "state.h5");
  const auto again = read_case(input, scratch / "state.h5");
  for (int k = 0; k < 10; ++k) whole.step(), again->step();
  // The graph partitioner has a random state: it must not depend on how often it was asked before.
  for (Case* c : {&whole, again.get()}) c->system.rebalance(RebalanceMethod::graph, c->h);
  for (int k = 0; k < 10; ++k) whole.step(), again->step();
  BOOST_TEST((whole_state(whole) == whole_state(*again)));
}

BOOST_AUTO_TEST_CASE(a_checkpoint_of_a_restart_is_the_checkpoint) {
  const ScratchFolder scratch;
  const Parameters input = stored_input("slider_crank/contacts.yaml");
  Case whole(MPI_COMM_WORLD, input);
  for (int k = 0; k < 60; ++k) whole.step();
  write_case(whole, scratch / "first.h5");
  auto again = read_case(input, scratch / "first.h5");
  write_case(*again, scratch / "second.h5");
  again = read_case(input, scratch / "second.h5");
  for (int k = 0; k < 20; ++k) whole.step(), again->step();
  BOOST_TEST((whole_state(whole) == whole_state(*again)));
}

BOOST_AUTO_TEST_CASE(percussions_of_declared_contacts_are_known_after_a_restart) {
  const ScratchFolder scratch;
  const Parameters input = stored_input(bar);
  Case whole(MPI_COMM_WORLD, input);
  for (int k = 0; k < 150; ++k) whole.step();
  write_case(whole, scratch / "state.h5");
  const auto again = read_case(input, scratch / "state.h5");
  const auto P = whole.percussion(0);
  BOOST_TEST_REQUIRE(P.size() == 1u);
  BOOST_TEST(P[0] > 0);  // the bar is at the wall
  // An implicit scheme asks its assembled view, which it chooses in its next step.
  whole.step(), again->step();
  BOOST_TEST((whole.percussion(0) == again->percussion(0)));
}

BOOST_AUTO_TEST_SUITE_END()

// section.key=value on the command line.
#include "input_fixture.hpp"

using namespace percussion;
using namespace input_test;

BOOST_AUTO_TEST_SUITE(input_overrides)

BOOST_AUTO_TEST_CASE(replace_and_create) {
  const Parameters p = read(good + "bodies:\n  - {type: sphere, mass: 1}\n",
                            {"time.end=5", "seed=3", "gravity=[0, -1]", "bodies[0].mass=2", "bodies[1].type=box", "bodies[1].size=[1, 2, 3]",
                             "probes=[{name: a}, {name: b}]", "probes[1].every=4", "scheme={type: radau}", "scheme.stages=1", "limits.lower=[0,0]",
                             "limits.upper=[1,1]", "load={table: [[0, 1], [1, 2]]}", "tags=[x]", "tags[1]=a: b"});
  BOOST_TEST(p.section("time").real("end") == 5.0);
  BOOST_TEST(p.section("time").real("step") == 1e-3);  // untouched
  BOOST_TEST(p.integer("seed") == 3);
  BOOST_TEST(p.reals("gravity").size() == 2u);
  BOOST_REQUIRE(p.sections("bodies").size() == 2u);
  BOOST_TEST(p.sections("bodies")[0].real("mass") == 2.0);
  BOOST_TEST(p.sections("bodies")[1].reals("size")[2] == 3.0);
  BOOST_TEST(p.sections("probes")[1].integer("every") == 4);
  BOOST_TEST(p.section("scheme").integer("stages") == 1);
  BOOST_TEST(p.section("limits").reals("upper")[1] == 1.0);
  BOOST_TEST(p.text("load") == "table linear: 0 1, 1 2");
  BOOST_TEST(p.texts("tags")[1] == "a: b");
  BOOST_TEST(p.origin("seed").file == "command line");
}

BOOST_AUTO_TEST_CASE(later_ones_win) { BOOST_TEST(read(good, {"seed=3", "seed=4"}).integer("seed") == 4); }

BOOST_AUTO_TEST_CASE(an_absent_list_of_numbers_starts_from_its_default) {
  const auto gravity = read(good, {"gravity[2]=-9.81"}).reals("gravity");
  BOOST_TEST((gravity == std::vector<double>{0, 0, -9.81}));
  // The same inside a choice, where the schema depends on the type that is written.
  const Parameters p = read(good + "bodies: [{type: sphere, mass: 1}]", {"bodies[0].position[1]=4"});
  BOOST_TEST((p.sections("bodies")[0].reals("position") == std::vector<double>{0, 4, 0}));
}

BOOST_AUTO_TEST_CASE(text_is_taken_as_it_stands) {
  BOOST_TEST(read(good, {"title=a: b = [c # d"}).text("title") == "a: b = [c # d");
  BOOST_TEST(read(good, {"title=\"quoted\""}).text("title") == "quoted");
  BOOST_TEST(read(good, {"title="}).text("title") == "");
}

BOOST_AUTO_TEST_CASE(an_input_can_be_overrides_only) {
  BOOST_TEST(read("", {"time.end=1", "time.step=0.5"}).section("time").real("step") == 0.5);
}

BOOST_AUTO_TEST_CASE(mistakes) {
  check_contains(message(good, {"seed"}), {"command line", "seed", "not an override", "section.key=value"});
  check_contains(message(good, {"=3"}), {"not an override"});
  check_contains(message(good, {"time..end=3"}), {"not an override"});
  check_contains(message(good, {"bodies[x].mass=3"}), {"not an override"});
  check_contains(message(good, {"sede=3"}), {"command line: sede: unknown key", "did you mean `seed`?"});
  check_contains(message(good, {"time.step=-1"}), {"command line: time.step: out of range", "> 0"});
  check_contains(message(good, {"time.step.size=1"}), {"command line: time.step", "has no key `size`", "drop the part"});
  check_contains(message(good, {"time[0]=1"}), {"command line: time[0]", "not a list", "drop the index"});
  check_contains(message(good + "probes: [{name: a}]", {"probes.name=b"}), {"command line: probes", "probes[0].name"});
  check_contains(message(good + "probes: [{name: a}]", {"probes[2].name=b"}), {"probes[2]", "the list has 1 elements", "probes[0] to probes[1]"});
  check_contains(message(good, {"gravity=[0, 0"}), {"command line: gravity", "syntax", "gravity=[0, 0"});
  // Another type leaves keys of the old one behind: that is said, not guessed.
  check_contains(message(good + "scheme: {type: radau, stages: 2}", {"scheme.type=moreau"}), {"case.yaml:2: scheme.stages", "unknown key of type `moreau`"});
}

BOOST_AUTO_TEST_SUITE_END()

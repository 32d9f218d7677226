// Each kind of mistake: the message has the place, the key, the value, what is allowed, and the fix.
#include <algorithm>
#include <filesystem>

#include "input_fixture.hpp"

using namespace percussion;
using namespace input_test;

namespace {

/// The text after a correct time section, so that it starts in line 2.
std::string with(const std::string& text) { return good + text + "\n"; }

}  // namespace

BOOST_AUTO_TEST_SUITE(input_mistakes)

BOOST_AUTO_TEST_CASE(unknown_key) {
  check_contains(message(with("gravty: [0, 0, -9.81]")), {"case.yaml:2: gravty: unknown key", "[0, 0, -9.81]", "time, limits, scheme", "did you mean `gravity`?"});
  check_contains(message(with("zzz: 1")), {"case.yaml:2: zzz", "fix:     remove it"});
  check_contains(message("time: {end: 1, step: 0.1, stpe: 2}"), {"case.yaml:1: time.stpe", "start, end, step", "`step`"});
  check_contains(message(with("bodies:\n  - type: sphere\n    mass: 1\n    raduis: 2")),
                 {"case.yaml:5: bodies[0].raduis", "of type `sphere`", "type, mass, radius, position", "`radius`"});
}

BOOST_AUTO_TEST_CASE(wrong_type) {
  check_contains(message("time:\n  end: soon\n  step: 1"), {"case.yaml:2: time.end", "must be a number", "value:   soon", "a number in s", "such as 0.5"});
  check_contains(message("time:\n  end: \"1\"\n  step: 1"), {"case.yaml:2: time.end", "remove the quotes"});
  check_contains(message("time:\n  end: 1,5\n  step: 1"), {"case.yaml:2: time.end", "1,5"});
  check_contains(message("time:\n  end: [1]\n  step: 1"), {"case.yaml:2: time.end", "not a list"});
  check_contains(message("time:\n  end:\n  step: 1"), {"case.yaml:2: time.end", "has no value"});
  check_contains(message("time:\n  end: inf\n  step: 1"), {"case.yaml:2: time.end", "finite"});
  check_contains(message(with("seed: 1.5")), {"case.yaml:2: seed", "whole number", "1.5", "digits only"});
  check_contains(message(with("seed: 99999999999999999999")), {"case.yaml:2: seed", "whole number"});
  check_contains(message(with("verbose: yes")), {"case.yaml:2: verbose", "true or false", "write true"});
  check_contains(message(with("title: [a]")), {"case.yaml:2: title", "a text, not a list"});
  check_contains(message(with("gravity: -9.81")), {"case.yaml:2: gravity", "must be a list", "[-9.81]"});
  check_contains(message(with("gravity: [0, 0, down]")), {"case.yaml:2: gravity[2]", "down", "must be a number"});
  check_contains(message("time: 3"), {"case.yaml:1: time", "must be a section", "{end: ..., step: ...}"});
  check_contains(message(with("scheme: radau")), {"case.yaml:2: scheme", "{type: radau}"});
  check_contains(message(with("bodies: {type: sphere, mass: 1}")), {"case.yaml:2: bodies", "must be a list", "`- `"});
  check_contains(message(with("probes: [3]")), {"case.yaml:2: probes[0]", "must be a section", "{name: ...}"});
  check_contains(message("- 1\n- 2"), {"case.yaml:1", "must be a section"});
}

BOOST_AUTO_TEST_CASE(out_of_range) {
  check_contains(message("time: {end: 1, step: 0}"), {"case.yaml:1: time.step: out of range", "value:   0", "a number > 0 in s", "choose"});
  check_contains(message(with("scheme: {type: moreau, theta: 1.01}")), {"scheme.theta", "1.01", "in [0, 1]"});
  check_contains(message(with("scheme: {type: radau, stages: 4}")), {"scheme.stages", "a whole number in [1, 3]"});
  check_contains(message(with("bodies: [{type: box, size: [1, -1, 1]}]")), {"bodies[0].size[1]", "-1", "> 0"});
  check_contains(message(with("set: disk")), {"case.yaml:2: set", "disk", "one of disc, rectangle", "did you mean `disc`?"});
}

BOOST_AUTO_TEST_CASE(missing) {
  check_contains(message("seed: 1"), {"case.yaml:1: time: missing", "{end: ..., step: ...}"});
  check_contains(message("seed: 1\ntime:\n  end: 1"), {"case.yaml:2: time.step: missing", "a number > 0 in s", "add `step: ...`"});
  check_contains(message(with("bodies:\n  - type: sphere\n    radius: 1")), {"case.yaml:3: bodies[0].mass: missing", "kg"});
  check_contains(message(with("bodies:\n  - mass: 1")), {"case.yaml:3: bodies[0].type: missing", "box, sphere", "percussion list test_bodies"});
  check_contains(message(with("limits: {lower: [0, 0]}")), {"case.yaml:2: limits.upper: missing"});
  check_contains(message(""), {"case.yaml:1: time: missing"});
  check_contains(message("time:"), {"time.end: missing", "time.step: missing"});
}

BOOST_AUTO_TEST_CASE(duplicate_key) {
  check_contains(message("time: {end: 1, step: 1}\nseed: 1\nseed: 2"), {"case.yaml:3: seed", "written twice", "line 2", "keep one"});
  check_contains(message("time:\n  end: 1\n  step: 1\n  end: 2"), {"case.yaml:4: time.end", "line 2"});
}

BOOST_AUTO_TEST_CASE(wrong_length) {
  check_contains(message(with("gravity: [1]")), {"case.yaml:2: gravity", "wrong length: 1 entries", "a list of 2 or 3 numbers", "give 2 or 3 entries"});
  check_contains(message(with("bodies: [{type: sphere, mass: 1, position: [0, 0, 0, 0]}]")), {"bodies[0].position", "4 entries", "give 3"});
}

BOOST_AUTO_TEST_CASE(unknown_type) {
  check_contains(message(with("bodies:\n  - type: shpere\n    mass: 1")),
                 {"case.yaml:3: bodies[0].type: unknown type", "shpere", "box, sphere", "did you mean `sphere`?", "percussion list test_bodies"});
  check_contains(message(with("scheme: {type: euler}")), {"case.yaml:2: scheme.type", "moreau, radau"});
}

BOOST_AUTO_TEST_CASE(bad_function) {
  check_contains(message(with("load: sin(2*x)")), {"case.yaml:2: load", "sin(2*x)", "variable is t"});
  check_contains(message(with("load: {table: [[0, 0], [1]]}")), {"case.yaml:2: load.table[1]", "wrong length"});
  check_contains(message(with("load: {table: [[1, 0], [0, 1]]}")), {"case.yaml:2: load"});  // times must grow
  check_contains(message(with("load: {tabel: [[0, 0]]}")), {"load.tabel", "unknown key"});
  check_contains(message(with("load: {interpolation: linear}")), {"load", "needs the key `table`"});
  check_contains(message(with("load: {table: [[0, 0], [1, 1]], interpolation: spline}")), {"load.interpolation", "one of linear, cubic"});
}

BOOST_AUTO_TEST_CASE(missing_files) {
  check_contains(message(with("mesh: nowhere.msh")), {"case.yaml:2: mesh: file not found", "nowhere.msh", "create "});
  check_contains(message(with("mesh: .")), {"case.yaml:2: mesh: cannot be read as a file"});
  try {
    read_input("no/such/case.yaml", {}, schema());
    BOOST_ERROR("did not throw");
  } catch (const InputError& e) {
    check_contains(e.what(), {"no/such/case.yaml: input file not found", std::filesystem::current_path().string()});
  }
  BOOST_CHECK_EXCEPTION(read_input(".", {}, schema()), InputError,
                        [](const InputError& e) { return std::string(e.what()).find("is a folder") != std::string::npos; });
}

BOOST_AUTO_TEST_CASE(syntax_errors) {
  check_contains(message("time: {end: 1, step: 1}\ngravity: [0, 0\nseed: 1\n"), {"case.yaml:", "YAML syntax error", "brackets"});
  check_contains(message("time:\n\tend: 1"), {"case.yaml:2", "YAML syntax error"});
  check_contains(message(good + "---\nseed: 2"), {"case.yaml:3", "more than one YAML document"});
  check_contains(message("a: &x [*x]"), {"case.yaml:1"});  // an alias inside itself must not hang or overflow
}

BOOST_AUTO_TEST_CASE(all_mistakes_are_reported_at_once_in_the_order_of_lines) {
  const std::string text = message(R"(time:
  end: never
  step: -1
  spte: 2
scheme: {type: radau, stages: 9}
bodies:
  - type: sphere
    mass: 0
  - type: cube
  - radius: 1
gravity: [0]
seed: 1
seed: 2
set: square
)",
                                   {"verbose=maybe", "bodies[7].mass=1"});
  check_contains(text, {"12 mistakes in the input", "case.yaml:2: time.end", "case.yaml:3: time.step", "case.yaml:4: time.spte", "case.yaml:5: scheme.stages",
                        "case.yaml:8: bodies[0].mass", "case.yaml:9: bodies[1].type", "case.yaml:10: bodies[2].type", "case.yaml:11: gravity",
                        "case.yaml:13: seed", "case.yaml:14: set", "command line: verbose", "command line: bodies[7]"});
  BOOST_TEST(text.find("time.end") < text.find("gravity"));
  BOOST_TEST(text.find("case.yaml:14") < text.find("command line"));
}

BOOST_AUTO_TEST_CASE(a_flood_of_mistakes_is_cut_but_counted) {
  std::string bodies = good + "bodies:\n";
  for (int i = 0; i < 1000; ++i) bodies += "  - {type: sphere, mass: -1}\n";
  const std::string text = message(bodies);
  check_contains(text, {"1000 mistakes", "bodies[0].mass", "and 950 more"});
  BOOST_TEST(text.find("bodies[999]") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

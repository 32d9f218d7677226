// `percussion check`: a good case passes, each kind of mistake ends with exit code 2 and a message that helps.
#include <regex>

#include "program.hpp"
#include "small_case.hpp"

using namespace cli_test;

namespace {

/// On 1 and 3 ranks: exit code 2; one message `case.yaml:<line>: <key>` with allowed values and a fix, and nothing is
/// written. `key` is a regular expression; `line` 0: any line.
void check_refused(const std::string& text, int line, const std::string& key, const std::vector<std::string>& parts = {},
                   const std::vector<std::string>& overrides = {}) {
  const Scratch scratch;
  scratch.write("case.yaml", text);
  std::vector<std::string> arguments{"check", "case.yaml"};
  arguments.insert(arguments.end(), overrides.begin(), overrides.end());
  const std::regex place("case\\.yaml:" + (line ? std::to_string(line) : "[1-9][0-9]*") + ": " + key);
  for (const int ranks : {1, 3}) {
    BOOST_TEST_CONTEXT(ranks << " ranks") {
      const Outcome outcome = scratch.run(arguments, ranks);
      BOOST_TEST(outcome.code == 2, "exit code " << outcome.code << ", printed:\n" << outcome.all());
      BOOST_TEST(std::regex_search(outcome.err, place), "no `case.yaml:" << line << ": " << key << "` in:\n" << outcome.all());
      check_contains(outcome.err, {"allowed: ", "fix: "});
      check_contains(outcome.err, parts);
      BOOST_TEST(count(outcome.err, "fix: ") == 1u, "one mistake is told once:\n" << outcome.err);
      BOOST_TEST(outcome.out == "");
    }
  }
  BOOST_TEST((scratch.listing() == std::vector<std::string>{"case.yaml"}));
}

/// The same with the line where `marker` stands.
void check_refused_at(const std::string& text, const std::string& marker, const std::string& key, const std::vector<std::string>& parts = {}) {
  check_refused(text, line_of(text, marker), key, parts);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(check_command)

BOOST_AUTO_TEST_CASE(a_good_case) {
  const Scratch scratch;
  scratch.write("case.yaml", small_case);
  for (const int ranks : {1, 3}) {
    const Outcome outcome = scratch.run({"check", "case.yaml"}, ranks);
    BOOST_TEST(outcome.code == 0);
    BOOST_TEST(outcome.out == "case.yaml: ok\n");
    if (ranks == 1) BOOST_TEST(outcome.err == "");  // mpirun may have remarks of its own
  }
  const Outcome quiet = scratch.run({"check", "case.yaml", "--quiet"});
  BOOST_TEST(quiet.code == 0);
  BOOST_TEST(quiet.all() == "");
  BOOST_TEST((scratch.listing() == std::vector<std::string>{"case.yaml"}));
}

BOOST_AUTO_TEST_CASE(what_show_prints_is_a_good_case) {
  const Scratch scratch;
  scratch.write("case.yaml", small_case);
  const Outcome shown = scratch.run({"check", "case.yaml", "time.step=0.005", "--show"});
  BOOST_TEST(shown.code == 0);
  check_contains(shown.out, {"step: 0.005", "gauss_seidel", "random_seed: 1"});
  scratch.write("shown.yaml", shown.out);
  const Outcome again = scratch.run({"check", "shown.yaml", "--show"});
  BOOST_TEST(again.code == 0);
  BOOST_TEST(again.out == shown.out);
}

BOOST_AUTO_TEST_CASE(petsc_options_after_two_dashes) {
  const Scratch scratch;
  scratch.write("case.yaml", small_case);
  BOOST_TEST(scratch.run({"check", "case.yaml", "--", "-options_left", "no"}).code == 0);
}

BOOST_AUTO_TEST_CASE(unknown_key) {
  check_refused_at(with("gravity:", "gravty:"), "gravty", "gravty: unknown key", {"did you mean `gravity`?"});
}

BOOST_AUTO_TEST_CASE(wrong_type) {
  check_refused_at(with("end: 0.05", "end: soon"), "soon", "time\\.end", {"value:   soon", "a number in s"});
}

BOOST_AUTO_TEST_CASE(out_of_range) {
  check_refused_at(with("step: 0.01", "step: 0"), "step: 0", "time\\.step: out of range", {"a number > 0 in s"});
}

BOOST_AUTO_TEST_CASE(unknown_word_and_type) {
  check_refused_at(with("series: csv", "series: cvs"), "cvs", "output\\.series", {"hdf5, csv, none", "`csv`"});
  check_refused_at(with("type: rigid_body", "type: rigid_bdy"), "rigid_bdy", "nodes\\[0\\]\\.type", {"`rigid_body`"});
}

BOOST_AUTO_TEST_CASE(rules_between_keys) {
  check_refused_at(with("end: 0.05", "start: 1\n  end: 0.5"), "end: 0.5", "time\\.end", {"a number > 1 in s"});
  check_refused_at(with("upper: [1, 1, 2]", "upper: [1, 1, -2]"), "domain", "domain\\.upper", {"domain.lower[2]"});
  check_refused_at(with("name: tiny", "name: a/b"), "a/b", "case\\.name", {"file names"});
}

BOOST_AUTO_TEST_CASE(mistakes_on_the_command_line) {
  const Scratch scratch;
  scratch.write("case.yaml", small_case);
  for (const int ranks : {1, 3}) {
    const Outcome outcome = scratch.run({"check", "case.yaml", "time.step=-1"}, ranks);
    BOOST_TEST(outcome.code == 2);
    check_contains(outcome.err, {"command line: time.step", "-1", "allowed: ", "fix: "});
  }
}

BOOST_AUTO_TEST_CASE(missing_file) {
  const Scratch scratch;
  for (const int ranks : {1, 3}) {
    const Outcome outcome = scratch.run({"check", "nowhere.yaml"}, ranks);
    BOOST_TEST(outcome.code == 2);
    check_contains(outcome.err, {"nowhere.yaml: input file not found", "fix: "});
    BOOST_TEST(count(outcome.err, "not found") == 1u);
  }
  BOOST_TEST(scratch.listing().empty());
}

BOOST_AUTO_TEST_CASE(negative_mass) {
  check_refused_at(with("mass: 2", "mass: -2"), "mass: -2", "nodes\\[1\\]\\.mass: out of range", {"a number > 0 in kg"});
}

BOOST_AUTO_TEST_CASE(duplicate_node_name) {
  const std::string text = with("name: c", "name: a");
  check_refused(text, line_of(text, "mass: 3") - 1, "nodes\\[2\\]\\.name", {"value:   a"});
}

BOOST_AUTO_TEST_CASE(unknown_node_name) {
  check_refused_at(small_case + "contributions:\n  - type: force\n    nodes: [nobody]\n    x: 1\n", "[nobody]",
                   "contributions\\[0\\]\\.nodes", {"nobody"});
}

BOOST_AUTO_TEST_CASE(unknown_observed_node) {
  check_refused_at(with("series: csv", "series: csv, observe: [a, nobody]"), "nobody", "output\\.observe", {"nobody"});
}

BOOST_AUTO_TEST_CASE(body_outside_the_domain) {
  check_refused_at(with("position: [0.5, 0, 0.3]", "position: [5.5, 0, 0.3]"), "5.5", "nodes\\[1\\]\\.position", {"domain"});
}

// Inconsistent initial states. The key is that of one of the parts that do not fit; which one is the program's choice.

BOOST_AUTO_TEST_CASE(joint_violated_at_the_start) {
  check_refused(small_case + "contributions:\n  - type: spherical_joint\n    nodes: [b, c]\n", 0, "contributions\\[0\\]");
  // The bodies are 1.02 m apart.
  check_refused(small_case + "contributions:\n  - type: distance_joint\n    nodes: [b, c]\n    length: 0.5\n", 0, "contributions\\[0\\]");
}

BOOST_AUTO_TEST_CASE(bodies_overlapping_at_the_start) {
  // Centres 0.02 m apart, radii 0.1 m: deeper than any rounding of an input.
  check_refused(with("position: [0.5, 0, 0.3]", "position: [0.02, 0, 0.1]"), 0, "nodes\\[[01]\\]");
  // Half a radius below the floor.
  check_refused(with("position: [0.5, 0, 0.3]", "position: [0.5, 0, 0.05]"), 0, "(nodes\\[1\\]|walls\\[0\\])");
}

BOOST_AUTO_TEST_SUITE_END()

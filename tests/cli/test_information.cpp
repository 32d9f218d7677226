// What the program tells about itself, and what it answers to a command line it does not understand.
#include <fstream>
#include <sstream>

#include "program.hpp"
#include "test_paths.hpp"

using namespace cli_test;

namespace {

// A line is a name, blanks and a sentence.
void check_rows(const std::string& text, const std::vector<std::string>& names) {
  std::istringstream lines(text);
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, documentation;
    words >> name >> std::ws;
    std::getline(words, documentation);
    BOOST_TEST(!documentation.empty(), "no documentation: " << line);
    found.push_back(name);
  }
  BOOST_TEST(std::is_sorted(found.begin(), found.end()));
  for (const std::string& name : names) BOOST_TEST(std::count(found.begin(), found.end(), name) == 1, name << " is not in\n" << text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(information)

BOOST_AUTO_TEST_CASE(version) {
  const Scratch scratch;
  const Outcome one = scratch.run({"--version"});
  BOOST_TEST(one.code == 0);
  check_contains(one.out, {"percussion ", "compiler", "MPI", "partitioner", "PETSc", "HDF5", "VTK"});
  BOOST_TEST(one.err == "");
  const Outcome three = scratch.run({"--version"}, 3);
  BOOST_TEST(three.code == 0);
  BOOST_TEST(three.out == one.out);  // once, not once per rank
}

BOOST_AUTO_TEST_CASE(help_texts) {
  const Scratch scratch;
  const Outcome help = scratch.run({"--help"});
  BOOST_TEST(help.code == 0);
  check_contains(help.out, {"run", "check", "list", "reference", "--quiet", "--version"});
  const Outcome of_run = scratch.run({"run", "--help"});
  BOOST_TEST(of_run.code == 0);
  check_contains(of_run.out, {"INPUT", "OVERRIDES", "--output"});
}

BOOST_AUTO_TEST_CASE(lists) {
  const Scratch scratch;
  const std::vector<std::pair<std::string, std::vector<std::string>>> topics{
      {"integrators", {"moreau"}},
      {"solvers", {"gauss_seidel", "projected_jacobi"}},
      {"contributions", {"spherical_joint", "spring_damper", "force"}},
      {"nodes", {"point_2d", "rigid_body"}},
      {"walls", {"plane", "box"}}};
  for (const auto& [topic, names] : topics) {
    const Outcome one = scratch.run({"list", topic});
    BOOST_TEST(one.code == 0);
    BOOST_TEST(one.err == "");
    check_rows(one.out, names);
  }
  BOOST_TEST(scratch.run({"list", "solvers"}, 3).out == scratch.run({"list", "solvers"}).out);
}

BOOST_AUTO_TEST_CASE(list_of_cases) {
  const Scratch scratch;
  scratch.write("inputs/drop/drop.yaml", "case: {name: drop, title: A drop}\n");
  scratch.write("inputs/arch/arch.yaml", "case: {name: arch, title: An arch}\n");
  scratch.write("inputs/arch/README.md", "no case\n");
  scratch.write("inputs/broken/broken.yaml", "case: {name: [\n");
  const Outcome list = scratch.run({"list", "cases"});
  BOOST_TEST(list.code == 0);
  check_rows(list.out, {"inputs/arch/arch.yaml", "inputs/broken/broken.yaml", "inputs/drop/drop.yaml"});
  check_contains(list.out, {"A drop", "An arch", "cannot be read"});
  BOOST_TEST(count(list.out, "\n") == 3u);
}

BOOST_AUTO_TEST_CASE(reference) {
  const Scratch scratch;
  const Outcome one = scratch.run({"reference"});
  BOOST_TEST(one.code == 0);
  check_contains(one.out, {"#", "| `step` |", "| `integrator`", "| `friction` |", "moreau", "gauss_seidel", "spherical_joint", "rigid_body"});
  const Outcome three = scratch.run({"reference"}, 3);
  BOOST_TEST(three.code == 0);
  BOOST_TEST((three.out == one.out));
  // The document in the repository is this output: `percussion reference > docs/input-reference.md`.
  std::ostringstream document;
  document << std::ifstream(PERCUSSION_TEST_SOURCE_DIR "/docs/input-reference.md").rdbuf();
  BOOST_TEST((document.str() == one.out), "docs/input-reference.md is not what `percussion reference` prints");
}

BOOST_AUTO_TEST_CASE(command_lines_that_make_no_sense_exit_with_2) {
  const Scratch scratch;
  const std::vector<std::vector<std::string>> wrong{{}, {"fly"}, {"--fly"}, {"list"}, {"check"}, {"run"}, {"list", "bananas"}, {"reference", "now"}};
  for (const auto& arguments : wrong) {
    const Outcome outcome = scratch.run(arguments);
    BOOST_TEST(outcome.code == 2, (arguments.empty() ? "nothing" : arguments.front()) << " gave " << outcome.code);
    BOOST_TEST(outcome.err != "");
  }
  check_contains(scratch.run({"list", "bananas"}).err, {"bananas", "integrators", "solvers", "contributions", "cases"});
  const Outcome three = scratch.run({"fly"}, 3);
  BOOST_TEST(three.code == 2);
  BOOST_TEST(count(three.err, "--help") == 1u);  // said once
  BOOST_TEST(scratch.listing().empty());
}

BOOST_AUTO_TEST_SUITE_END()

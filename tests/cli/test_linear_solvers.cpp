// PETSc options after -- choose the linear solver of the stage systems; the motion does not depend on it.
#include <cmath>

#include "program.hpp"

using namespace cli_test;

namespace {

const std::string inputs = std::string(PERCUSSION_TEST_SOURCE_DIR) + "/inputs/";

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

/// The last line of the series of a run: all but what the solvers say about themselves.
std::vector<double> last_state(const fs::path& folder) {
  std::istringstream lines(text_of(folder / "series.csv"));
  std::string header, line, last;
  std::getline(lines, header);
  while (std::getline(lines, line)) last = line;
  const auto names = cells_of(header), cells = cells_of(last);
  std::vector<double> values;
  for (std::size_t k = 0; k < cells.size(); ++k)
    if (names.at(k) != "iterations" && names[k] != "residual") values.push_back(std::stod(cells[k]));
  return values;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linear_solvers)

// A bar (M and K couple its nodes) and a mechanism (joints): GMRES with the additive Schwarz method against the direct default.
// GMRES ends at 1e-12, Newton's method at 1e-10: both far below the bound.
BOOST_AUTO_TEST_CASE(gmres_with_asm_makes_the_same_steps) {
  for (const char* file : {"elastic_bar/bar_50.yaml", "slider_crank/contacts.yaml"}) {
    const bool bar = std::string(file).find("bar") != std::string::npos;
    const std::vector<std::string> common = {"run", inputs + file, bar ? "time.end=1.1e-4" : "time.end=2e-3", "integrator={type: radau_iia, stages: 2}",
                                             "solver={type: hybrid, tolerance: 1.0e-12}"};
    std::vector<std::vector<double>> ends;
    for (const int ranks : {1, 2})
      for (const bool iterative : {false, true}) {
        const Scratch scratch;
        auto words = common;
        words.insert(words.end(), {"--output", "out"});
        if (iterative) words.insert(words.end(), {"--", "-ksp_type", "gmres", "-pc_type", "asm", "-ksp_view"});
        const Outcome outcome = scratch.run(words, ranks);
        BOOST_TEST_REQUIRE(outcome.code == 0, outcome.all());
        if (iterative) check_contains(outcome.out, {"type: gmres", "type: asm"});  // it was this one
        ends.push_back(last_state(scratch / "out"));
        BOOST_TEST_REQUIRE(ends.back().size() > 4u);
        BOOST_TEST_REQUIRE(ends.back().size() == ends.front().size());
        for (std::size_t k = 0; k < ends.front().size(); ++k)
          BOOST_TEST(std::abs(ends.back()[k] - ends.front()[k]) < 1e-8 * std::max(1., std::abs(ends.front()[k])),
                     file << ", " << ranks << " ranks, column " << k << ": " << ends.back()[k] << ", " << ends.front()[k]);
      }
  }
}

// The defaults: blocks where bodies are free, MUMPS where something couples them, on two ranks.
BOOST_AUTO_TEST_CASE(defaults_follow_the_coupling) {
  const auto view = [](const std::string& file, const char* end) {
    const Scratch scratch;
    const Outcome outcome = scratch.run({"run", inputs + file, std::string("time.end=") + end, "integrator={type: radau_iia, stages: 2}", "--output", "out", "--", "-ksp_view"}, 2);
    BOOST_TEST(outcome.code == 0, outcome.all());
    return outcome.out;
  };
  const std::string free = view("tetrahedron/ellipse.yaml", "0.02"), coupled = view("elastic_bar/bar_50.yaml", "2e-6");
  check_contains(free, {"type: vpbjacobi"});
  BOOST_TEST(count(free, "mumps") == 0);
  check_contains(coupled, {"type: mumps"});
}

BOOST_AUTO_TEST_SUITE_END()

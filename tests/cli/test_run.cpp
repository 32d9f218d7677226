// `percussion run`: what a small case leaves behind, and how a run ends.
#include <regex>

#include "io/pvd_file.hpp"
#include "program.hpp"
#include "small_case.hpp"

using namespace cli_test;

namespace {

void check_frames(const fs::path& folder, int ranks) {
  const auto series = files_ending(folder, ".pvd");
  BOOST_TEST_REQUIRE(!series.empty());
  for (const fs::path& pvd : series) {
    const auto frames = percussion::read_pvd(pvd);
    // At 0, 0.02 and 0.04 s at least.
    BOOST_TEST(frames.size() >= 3u);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const fs::path file = pvd.parent_path() / frames[i].file;
      BOOST_TEST(file.extension() == ".pvtp");
      BOOST_TEST_REQUIRE(fs::is_regular_file(file));
      check_contains(text_of(file), {"<VTKFile", "PPolyData"});
      // All ranks know all walls: one of them writes.
      const std::size_t writers = pvd.stem() == "walls" ? 1 : ranks;
      BOOST_TEST(files_ending(file.parent_path(), ".vtp").size() == writers * frames.size());
      if (i > 0) BOOST_TEST(frames[i].time > frames[i - 1].time);
    }
    BOOST_TEST(frames.front().time == 0.);
    BOOST_TEST(frames.back().time <= 0.05 + 1e-12);  // rounding of 5 steps
  }
}

void check_series(const fs::path& folder) {
  const auto files = files_ending(folder, ".csv");
  BOOST_TEST_REQUIRE(files.size() == 1u);
  std::istringstream lines(text_of(files.front()));
  std::string header, line;
  std::getline(lines, header);
  BOOST_TEST(header.starts_with("time [s],"), header);
  std::vector<double> times;
  while (std::getline(lines, line)) {
    BOOST_TEST(count(line, ",") == count(header, ","));
    times.push_back(std::stod(line));
  }
  BOOST_TEST(times.size() >= 5u);  // each step, perhaps the start
  BOOST_TEST(std::is_sorted(times.begin(), times.end()));
  BOOST_TEST(times.back() == 0.05, boost::test_tools::tolerance(1e-12));  // rounding of 5 steps
}

void check_summary(const fs::path& folder, int ranks) {
  const std::string text = text_of(folder / "summary.json");
  check_contains(text, {"\"name\": \"tiny\"", "\"status\": \"finished\"", "\"steps\": 5", "\"unconverged_steps\": 0"});
  BOOST_TEST(std::regex_search(text, std::regex("\"ranks\": " + std::to_string(ranks) + "\\b")));
}

/// The effective input gives the same case again.
void check_effective_input(const Scratch& scratch, const fs::path& folder) {
  const auto files = files_ending(folder, ".yaml");
  BOOST_TEST_REQUIRE(files.size() == 1u);
  const Outcome outcome = scratch.run({"check", files.front().string(), "--show"});
  BOOST_TEST(outcome.code == 0);
  check_contains(outcome.out, {"step: 0.01", "random_seed: 1", "name: tiny"});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(run_command)

BOOST_AUTO_TEST_CASE(a_small_case_and_its_files) {
  for (const int ranks : {1, 3}) {
    BOOST_TEST_CONTEXT(ranks << " ranks") {
      const Scratch scratch;
      scratch.write("case.yaml", small_case);
      const Outcome outcome = scratch.run({"run", "case.yaml", "--output", "out"}, ranks);
      BOOST_TEST_REQUIRE(outcome.code == 0, outcome.all());
      if (ranks == 1) BOOST_TEST(outcome.err == "");  // mpirun may have remarks of its own
      BOOST_TEST(outcome.out != "");
      check_frames(scratch / "out", ranks);
      check_series(scratch / "out");
      check_summary(scratch / "out", ranks);
      check_effective_input(scratch, scratch / "out");
      BOOST_TEST(!fs::exists(scratch / "results"));
    }
  }
}

BOOST_AUTO_TEST_CASE(quiet_runs_print_nothing_and_go_to_the_default_folder) {
  const Scratch scratch;
  scratch.write("case.yaml", small_case);
  const Outcome outcome = scratch.run({"-q", "run", "case.yaml"});
  BOOST_TEST(outcome.code == 0);
  BOOST_TEST(outcome.all() == "");
  BOOST_TEST(fs::is_regular_file(scratch / "results/tiny/summary.json"));
}

BOOST_AUTO_TEST_CASE(results_are_not_overwritten_unasked) {
  const Scratch scratch;
  scratch.write("case.yaml", small_case);
  BOOST_TEST_REQUIRE(scratch.run({"run", "case.yaml", "-o", "out"}).code == 0);
  const auto before = scratch.listing();
  const std::string summary = text_of(scratch / "out/summary.json");
  for (const int ranks : {1, 3}) {
    const Outcome refused = scratch.run({"run", "case.yaml", "-o", "out"}, ranks);
    BOOST_TEST(refused.code == 2, refused.all());
    check_contains(refused.err, {"out", "overwrite", "fix: "});
  }
  BOOST_TEST((scratch.listing() == before));
  BOOST_TEST(text_of(scratch / "out/summary.json") == summary);
  BOOST_TEST(scratch.run({"run", "case.yaml", "-o", "out", "output.overwrite=true"}).code == 0);
  BOOST_TEST((scratch.listing() == before));
}

BOOST_AUTO_TEST_CASE(a_mistake_in_the_input_ends_with_2_and_leaves_no_folder) {
  const Scratch scratch;
  for (const std::string& text : {with("step: 0.01", "step: 0"), with("position: [0.5, 0, 0.3]", "position: [0.02, 0, 0.1]"),
                                  with("series: csv", "series: csv, observe: [nobody]")}) {
    scratch.write("case.yaml", text);
    for (const int ranks : {1, 3}) {
      const Outcome outcome = scratch.run({"run", "case.yaml"}, ranks);
      BOOST_TEST(outcome.code == 2, outcome.all());
      check_contains(outcome.err, {"case.yaml:", "allowed: ", "fix: "});
    }
    BOOST_TEST((scratch.listing() == std::vector<std::string>{"case.yaml"}));
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_cannot_go_on_ends_with_3) {
  const Scratch scratch;
  scratch.write("case.yaml", column());
  for (const int ranks : {1, 3}) {
    const Outcome outcome = scratch.run({"run", "case.yaml", "solver.on_failure=stop", "solver.max_iterations=1", "solver.tolerance=1e-12",
                                         "output.overwrite=true"}, ranks);
    BOOST_TEST(outcome.code == 3, outcome.all());
    BOOST_TEST(outcome.err != "");
  }
  // The same case with enough sweeps is fine: it was the solver that was held back.
  BOOST_TEST(scratch.run({"run", "case.yaml", "solver.on_failure=stop", "solver.tolerance=1e-6", "-o", "fine"}).code == 0);
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_made_ends_with_3) {
  const Scratch scratch;
  scratch.write("case.yaml", small_case);
  scratch.write("file", "not a folder\n");
  for (const int ranks : {1, 3}) {
    const Outcome outcome = scratch.run({"run", "case.yaml", "-o", "file/out"}, ranks);
    BOOST_TEST(outcome.code == 3, outcome.all());
    check_contains(outcome.err, {"file/out"});
  }
}

BOOST_AUTO_TEST_SUITE_END()

// `percussion solve`: what it prints, writes and returns.
#include <cstdlib>
#include <regex>

#include "program.hpp"
#include "small_case.hpp"

using namespace cli_test;

namespace {

const fs::path problems = fs::path(PERCUSSION_TEST_SOURCE_DIR) / "tests/problems";

std::string problem(const std::string& name) {
  return (problems / (name + ".hdf5")).string();
}

double number(const std::string& json, const std::string& key) {
  std::smatch found;
  BOOST_TEST_REQUIRE(std::regex_search(json, found, std::regex("\"" + key + "\": ([-+0-9.e]+)")),
                     key << " is not in " << json);
  return std::stod(found[1]);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(solve_command)

BOOST_AUTO_TEST_CASE(stored_problems_are_solved_on_any_number_of_ranks) {
  const Scratch scratch;
  for (const std::string name : {"stack", "arch", "corners", "crowd", "crank", "capsules"}) {
    for (const int ranks : {1, 2, 4}) {
      BOOST_TEST_CONTEXT(name << " on " << ranks << " ranks") {
        const Outcome outcome = scratch.run(
            {"solve", problem(name), "--tolerance", "1e-8", "--max-iterations", "20000", "--json"}, ranks);
        BOOST_TEST(outcome.code == 0, outcome.all());
        check_contains(outcome.out, {"\"certificate\": \"solved to 1e-08\"", "\"solved\": true"});
        BOOST_TEST(number(outcome.out, "residual") <= 1e-8);
        BOOST_TEST(number(outcome.out, "ranks") == ranks);
        BOOST_TEST(number(outcome.out, "open") + number(outcome.out, "sticking") +
                       number(outcome.out, "sliding") ==
                   number(outcome.out, "contacts"));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_solution_is_written_and_can_be_started_from) {
  const Scratch scratch;
  for (const int ranks : {1, 3}) {
    const Outcome first = scratch.run({"solve", problem("crowd"), "--tolerance", "1e-9",
                                       "max_iterations=20000", "-o", "solved.hdf5", "--json"},
                                      ranks);
    BOOST_TEST_REQUIRE(first.code == 0, first.all());
    // The start that the file had was that of the run; without it, `solution` is what counts.
    const Outcome again = scratch.run({"solve", "solved.hdf5", "--tolerance", "1e-9", "--initial-guess",
                                       problem("crowd"), "--repeat", "3", "--json"},
                                      ranks);
    BOOST_TEST(again.code == 0, again.all());
    BOOST_TEST((scratch.listing() == std::vector<std::string>{"solved.hdf5"}));
  }
}

BOOST_AUTO_TEST_CASE(no_success_at_a_residual_that_was_not_reached) {
  const Scratch scratch;
  for (const int ranks : {1, 2}) {
    const Outcome outcome = scratch.run({"solve", problem("crowd"), "--solver", "gauss_seidel", "--tolerance",
                                         "1e-12", "--max-iterations", "1"},
                                        ranks);
    BOOST_TEST(outcome.code == 3, outcome.all());
    BOOST_TEST(std::regex_search(outcome.out, std::regex("result +iteration limit at [0-9.]+e-?[0-9]+")),
               outcome.out);
    check_contains(outcome.out,
                   {"residual ", "relative", "absolute", "open", "sticking", "sliding", "102 contacts"});
  }
}

BOOST_AUTO_TEST_CASE(mistakes_end_with_2_and_leave_no_file) {
  const Scratch scratch;
  scratch.write("text.hdf5", "no HDF5 at all\n");
  fs::copy_file(problem("stack"), scratch / "cut.hdf5");
  fs::resize_file(scratch / "cut.hdf5", 3000);
  const auto before = scratch.listing();
  for (const int ranks : {1, 3}) {
    const auto refused = [&](std::vector<std::string> words, const std::string& said) {
      words.insert(words.begin(), "solve");
      words.insert(words.end(), {"-o", "out.hdf5"});
      const Outcome outcome = scratch.run(words, ranks);
      BOOST_TEST(outcome.code == 2, outcome.all());
      check_contains(outcome.err, {said});
    };
    refused({"text.hdf5"}, "not an HDF5 file");
    refused({"nothing.hdf5"}, "not found");
    refused({problem("stack"), "--solver", "gauss_sidel"}, "gauss_seidel");
    refused({problem("stack"), "tolerence=1"}, "tolerance");
    refused({problem("stack"), "--initial-guess", problem("crowd")}, "guesses/1/r");
    refused({problem("stack"), "--tolerance", "-1"}, "--tolerance");
    // HDF5 knows that the end is missing.
    const Outcome cut = scratch.run({"solve", "cut.hdf5"}, ranks);
    BOOST_TEST((cut.code == 2 || cut.code == 3), cut.all());
    check_contains(cut.err, {"cut.hdf5"});
  }
  BOOST_TEST((scratch.listing() == before));
}

BOOST_AUTO_TEST_CASE(a_step_of_a_run_is_dumped_and_solved_alone) {
  const Scratch scratch;
  scratch.write("case.yaml", column());
  for (const int ranks : {1, 3}) {
    const Outcome run = scratch.run(
        {"run", "case.yaml", "-o", "out", "output.overwrite=true", "output.dump_problems={every: 2}"}, ranks);
    BOOST_TEST_REQUIRE(run.code == 0, run.all());
    const auto files = files_ending(scratch / "out/problems", ".hdf5");
    BOOST_TEST_REQUIRE(files.size() == 2u);
    BOOST_TEST(files[0].filename() == "step_000002.hdf5");
    BOOST_TEST(files[1].filename() == "step_000004.hdf5");
    const Outcome solve = scratch.run({"solve", files[1].string(), "--tolerance", "1e-10", "--json"}, ranks);
    BOOST_TEST(solve.code == 0, solve.all());
    // The spheres touch exactly: rounding may open one of the five contacts.
    BOOST_TEST(number(solve.out, "contacts") >= 4);
  }
  // A later run without dumps leaves none of them.
  BOOST_TEST(scratch.run({"run", "case.yaml", "-o", "out", "output.overwrite=true"}).code == 0);
  BOOST_TEST(files_ending(scratch / "out", ".hdf5").empty());
}

BOOST_AUTO_TEST_CASE(problems_of_the_folder_are_solved_without_tuning) {
  const char* given = std::getenv("PERCUSSION_PROBLEMS");
  const fs::path folder =
      given ? fs::path(given) : fs::path(PERCUSSION_TEST_SOURCE_DIR) / "../shared/problems";
  const auto files = files_ending(folder, ".hdf5");
  if (files.empty()) std::printf("skipped: no problems in %s; set PERCUSSION_PROBLEMS\n", folder.c_str());
  const Scratch scratch;
  for (const fs::path& file : files) {
    for (const int ranks : {1, 2, 4}) {
      const Outcome outcome = scratch.run({"solve", file.string(), "--tolerance", "1e-8", "--json"}, ranks);
      BOOST_TEST(outcome.code == 0, file << " on " << ranks << " ranks: " << outcome.all());
    }
  }
}

BOOST_AUTO_TEST_CASE(the_comparison_writes_its_table) {
  const fs::path python = "/usr/bin/python3";
  if (!fs::exists(python)) {
    std::printf("skipped: no %s\n", python.c_str());
    return;
  }
  const Scratch scratch;
  const fs::path script = fs::path(PERCUSSION_TEST_SOURCE_DIR) / "postprocess/compare_solvers.py";
  const std::string command = python.string() + ' ' + quoted(script.string()) + ' ' +
                              quoted(problems.string()) + " --program " + quoted(PERCUSSION_TEST_EXECUTABLE) +
                              " --solvers gauss_seidel,hybrid --tolerances 1e-4 --repeats 1 --output " +
                              quoted((scratch / "out").string()) + " > /dev/null";
  BOOST_TEST_REQUIRE(std::system(command.c_str()) == 0);
  const std::string table = text_of(scratch / "out/table.csv");
  // A line for every problem and solver, and the header; the default solver solves all of them.
  BOOST_TEST(count(table, "\n") == 1u + 2u * 6u);
  BOOST_TEST(count(table, ",hybrid,True,") == 6u, table);
  check_contains(text_of(scratch / "out/table.md"), {"| arch |", "| crowd |", "6 of 6"});
}

BOOST_AUTO_TEST_SUITE_END()

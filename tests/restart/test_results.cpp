// The results of a continued run are those of one run: series, frames, log, summary; and what a full disk
// leaves.
#include <boost/test/data/test_case.hpp>

#include "restart/started_run.hpp"

using namespace cli_test;

BOOST_AUTO_TEST_SUITE(results)

BOOST_AUTO_TEST_CASE(three_parts_make_the_whole) {
  for (const int ranks : {1, 2}) {
    BOOST_TEST_CONTEXT(ranks << " ranks") {
      const Scratch scratch;
      scratch.write("case.yaml", falling);
      // Other checkpoints than the interrupted run writes: they leave no trace.
      BOOST_TEST_REQUIRE(
          scratch.run({"-q", "run", "case.yaml", "-o", "whole", "checkpoint.every_steps=11"}, ranks).code ==
          0);
      BOOST_TEST_REQUIRE(scratch.run({"-q", "run", "case.yaml", "-o", "parts", "time.end=0.1"}, ranks).code ==
                         0);
      BOOST_TEST_REQUIRE(
          scratch.run({"-q", "run", "case.yaml", "-o", "parts", "time.end=0.2", "--restart", "latest"}, ranks)
              .code == 0);
      // Back to an earlier one: what came after it is cut.
      const std::string earlier = checkpoints(scratch, "parts").list().front().file.string();
      const Outcome last = scratch.run({"run", "case.yaml", "-o", "parts", "--restart", earlier}, ranks);
      BOOST_TEST_REQUIRE(last.code == 0, last.all());
      check_contains(last.err, {"superseded"});
      check_same_results(scratch / "whole", scratch / "parts");
      check_contains(text_of(scratch / "parts/summary.json"),
                     {"\"steps\": 300,", "\"restarts\": [", "step_000000100.h5", "step_000000189.h5"});
      BOOST_TEST(count(text_of(scratch / "parts/log.txt"), "percussion ") >= 3u);  // the log goes on too
    }
  }
}

BOOST_AUTO_TEST_CASE(into_a_folder_of_its_own) {
  const Scratch scratch;
  scratch.write("case.yaml", falling);
  BOOST_TEST_REQUIRE(scratch.run({"-q", "run", "case.yaml", "-o", "first", "time.end=0.1"}).code == 0);
  BOOST_TEST_REQUIRE(
      scratch
          .run({"-q", "run", "case.yaml", "-o", "second", "--restart", "first/checkpoints/step_000000098.h5"})
          .code == 0);
  const std::string rows = text_of(scratch / "second/series.csv");
  BOOST_TEST(count(rows, "\n") == 1u + 202u);  // header, steps 99 to 300
  // A folder with results of something else is not mixed with it.
  BOOST_TEST(
      scratch
          .run({"-q", "run", "case.yaml", "-o", "second", "--restart", "first/checkpoints/step_000000098.h5"})
          .code == 2);
}

BOOST_AUTO_TEST_CASE(intervals_of_time_and_wall_time_and_how_many_stay) {
  const Scratch scratch;
  scratch.write("case.yaml", falling);
  BOOST_TEST_REQUIRE(
      scratch.run({"-q", "run", "case.yaml", "-o", "out", "checkpoint={every_time: 0.05, keep: 4}"}).code ==
      0);
  std::vector<std::int64_t> steps;
  for (const auto& c : checkpoints(scratch, "out").list()) steps.push_back(c.step);
  BOOST_TEST((steps == std::vector<std::int64_t>{150, 200, 250, 300}));
  // After every step: the clock always has gone on by a nanosecond.
  BOOST_TEST_REQUIRE(scratch
                         .run({"-q", "run", "case.yaml", "-o", "wall", "time.end=0.01",
                               "checkpoint={every_wall: 1e-9, keep: 100}"})
                         .code == 0);
  BOOST_TEST(checkpoints(scratch, "wall").list().size() == 10u);
  BOOST_TEST(files_ending(scratch / "wall/checkpoints", ".tmp").empty());
}

// The limit stops the next checkpoint, or only the time series some hundred steps later.
BOOST_DATA_TEST_CASE(a_full_disk_keeps_the_last_checkpoint, boost::unit_test::data::make({100, 300}),
                     kilobytes) {
  const Scratch scratch;
  scratch.write("case.yaml", falling);
  StartedRun run(scratch, {"-q", "run", "case.yaml", "-o", "out", "time.end=1e6"});
  wait_until([&] { return fs::exists(scratch / "out/checkpoints/step_000000007.h5"); });
  run.limit_files(static_cast<rlim_t>(kilobytes) << 10);
  const auto end = run.wait();
  BOOST_TEST(end.code == 3, end.err);
  check_contains(
      end.err, {"cannot write out/", "File too large", "the last good checkpoint is out/checkpoints/step_"});
  BOOST_TEST(count(end.err, "error: ") == 1u, end.err);
  check_contains(text_of(scratch / "out/summary.json"),
                 {"\"status\": \"failed: cannot write", "\"exit_code\": 3"});

  const auto stored = checkpoints(scratch, "out").latest();
  BOOST_TEST_REQUIRE(stored.has_value());
  const std::string until = "time.end=" + std::to_string(0.001 * static_cast<double>(stored->step + 20));
  BOOST_TEST_REQUIRE(scratch.run({"-q", "run", "case.yaml", "-o", "whole", until}).code == 0);
  const Outcome again = scratch.run({"-q", "run", "case.yaml", "-o", "out", until, "--restart", "latest"});
  BOOST_TEST(again.code == 0, again.all());
  check_same_results(scratch / "whole", scratch / "out");
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_written_stops_the_run) {
  const Scratch scratch;
  scratch.write("case.yaml", falling);
  BOOST_TEST_REQUIRE(scratch.run({"-q", "run", "case.yaml", "-o", "out", "time.end=0.005"}).code == 0);
  fs::remove_all(scratch / "out/checkpoints");
  scratch.write("out/checkpoints", "no folder\n");
  for (const int ranks : {1, 2}) {
    const Outcome outcome =
        scratch.run({"-q", "run", "case.yaml", "-o", "out", "output.overwrite=true"}, ranks);
    BOOST_TEST(outcome.code == 3, outcome.all());
    check_contains(outcome.err, {"out/checkpoints"});
    check_contains(text_of(scratch / "out/summary.json"), {"failed", "\"exit_code\": 3"});
  }
}

BOOST_AUTO_TEST_CASE(json_lines) {
  const Scratch scratch;
  scratch.write("case.yaml", falling);
  const Outcome outcome = scratch.run({"run", "case.yaml", "-o", "out", "--log-format", "json"});
  BOOST_TEST_REQUIRE(outcome.code == 0, outcome.all());
  std::istringstream lines(outcome.out);
  std::size_t n = 0;
  for (std::string line; std::getline(lines, line); ++n)
    BOOST_TEST((line.starts_with("{\"time\": \"") && line.ends_with("}")), line);
  BOOST_TEST(n > 30u);
  // One line per frame, with the time to go.
  BOOST_TEST(count(outcome.out, "\"event\": \"progress\"") >= 30u);
  check_contains(outcome.out, {"\"eta\": ", "\"event\": \"end\", \"exit_code\": 0, \"step\": 300"});
  BOOST_TEST(scratch.run({"run", "case.yaml", "-o", "quiet", "--log-level", "error"}).all() == "");
  BOOST_TEST(scratch.run({"run", "case.yaml", "-o", "wrong", "--log-level", "loud"}).code == 2);
}

BOOST_AUTO_TEST_SUITE_END()

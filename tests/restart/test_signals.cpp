// Signals, the end of the wall time, and ranks that fail alone.
#include "restart/started_run.hpp"

using namespace cli_test;

namespace {

const std::vector<std::string> endless = {
    "-q", "run", "case.yaml", "-o", "out", "time.end=1e6", "checkpoint.every_steps=1000000"};
constexpr int stopped = 4;  ///< exit code of a run that can be restarted

/// The case runs: its first frame is listed.
void wait_for_steps(const Scratch& scratch) {
  wait_until([&] { return count(text_of(scratch / "out/bodies.pvd"), "<DataSet") >= 2; });
}

void check_restartable(const Scratch& scratch, const std::string& status, int ranks) {
  check_contains(text_of(scratch / "out/summary.json"), {"\"status\": \"" + status, "\"exit_code\": 4",
                                                         "\"last_checkpoint\": \"out/checkpoints/step_"});
  const auto stored = checkpoints(scratch, "out").latest();
  BOOST_TEST_REQUIRE(stored.has_value());
  const std::string end = std::to_string(0.001 * static_cast<double>(stored->step + 20));
  const Outcome again =
      scratch.run({"run", "case.yaml", "-o", "out", "time.end=" + end, "--restart", "latest"}, ranks);
  BOOST_TEST(again.code == 0, again.all());
  check_contains(text_of(scratch / "out/summary.json"),
                 {"\"status\": \"finished\"", "\"step\": " + std::to_string(stored->step) + ","});
  // Every step has its row: none is lost, none is there twice.
  std::istringstream rows(text_of(scratch / "out/series.csv"));
  std::string line;
  std::getline(rows, line);
  std::int64_t n = 0;
  for (; std::getline(rows, line); ++n)
    BOOST_TEST_REQUIRE(std::abs(std::stod(line) - 0.001 * static_cast<double>(n)) <
                       1e-9);  // a millionth of a step
  BOOST_TEST(n == stored->step + 21);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(signals)

BOOST_AUTO_TEST_CASE(one_rank) {
  for (const auto& [signal, name] : std::vector<std::pair<int, std::string>>{
           {SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"}, {SIGUSR1, "SIGUSR1"}}) {
    BOOST_TEST_CONTEXT(name) {
      const Scratch scratch;
      scratch.write("case.yaml", falling);
      StartedRun run(scratch, endless);
      wait_for_steps(scratch);
      run.send(signal);
      const auto end = run.wait();
      BOOST_TEST(end.code == stopped, end.err);
      check_restartable(scratch, "stopped by " + name, 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(two_ranks_through_mpirun) {
  const Scratch scratch;
  scratch.write("case.yaml", falling);
  StartedRun run(scratch, endless, 2);
  wait_for_steps(scratch);
  run.send(SIGUSR1);  // mpirun passes it on
  const auto end = run.wait();
  BOOST_TEST(end.code == stopped, end.err);
  check_restartable(scratch, "stopped by SIGUSR1", 2);
}

BOOST_AUTO_TEST_CASE(only_one_rank_is_told) {
  const Scratch scratch;
  scratch.write("case.yaml", falling);
  StartedRun run(scratch, endless, 2);
  wait_for_steps(scratch);
  const auto ranks = run.ranks();
  BOOST_TEST_REQUIRE(ranks.size() == 2u);
  ::kill(ranks[1], SIGTERM);
  BOOST_TEST(run.wait().code == stopped);
  check_restartable(scratch, "stopped by SIGTERM", 2);
}

BOOST_AUTO_TEST_CASE(mpirun_ends_the_job_itself_but_lets_it_write) {
  const Scratch scratch;
  scratch.write("case.yaml", falling);
  // SIGTERM to mpirun is passed on as such; after the timeout it kills.
  StartedRun run(scratch, endless, 2, {"--mca", "odls_base_sigkill_timeout", "5"});
  wait_for_steps(scratch);
  run.send(SIGTERM);
  run.wait();  // with a code of mpirun's own
  check_restartable(scratch, "stopped by SIGTERM", 2);
}

BOOST_AUTO_TEST_CASE(a_second_signal_ends_at_once) {
  const Scratch scratch;
  scratch.write("case.yaml", falling);
  // One step of this case takes minutes: no step ends between the signals.
  StartedRun run(scratch, {"-q", "run", "case.yaml", "-o", "out", "checkpoint={keep: 1}",
                           "solver.tolerance=1e-300", "solver.max_iterations=1000000000",
                           "fills[0].lower=[0,0,0.0062]", "fills[0].velocity=[0,0,-1]"});
  wait_until([&] { return fs::exists(scratch / "out/contacts.pvd"); });
  sleep_for(1);
  run.send(SIGTERM);
  sleep_for(0.5);
  run.send(SIGTERM);
  const auto begin = std::chrono::steady_clock::now();
  const auto end = run.wait();
  BOOST_TEST(end.signal == SIGTERM);
  // Not the minutes of the step; a loaded machine may need its time.
  BOOST_TEST(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < 10);
  BOOST_TEST(!checkpoints(scratch, "out").latest().has_value());
}

BOOST_AUTO_TEST_CASE(wall_time) {
  for (const int ranks : {1, 2}) {
    BOOST_TEST_CONTEXT(ranks << " ranks") {
      const Scratch scratch;
      scratch.write("case.yaml", falling);
      auto arguments = endless;
      arguments.insert(arguments.end(), {"--walltime", "00:04"});
      const Outcome outcome = scratch.run(arguments, ranks);
      BOOST_TEST(outcome.code == stopped, outcome.all());
      check_restartable(scratch, "stopped before the end of the wall time", ranks);
    }
  }
  const Scratch scratch;
  scratch.write("case.yaml", falling);
  for (const char* wrong : {"soon", "0", "-5", "1:2:3:4"}) {
    const Outcome refused = scratch.run({"run", "case.yaml", std::string("--walltime=") + wrong});
    BOOST_TEST(refused.code == 2, wrong << ": " << refused.all());
    check_contains(refused.err, {"--walltime", "HH:MM:SS"});
  }
  BOOST_TEST((scratch.listing() == std::vector<std::string>{"case.yaml"}));
}

BOOST_AUTO_TEST_CASE(an_exception_on_one_rank_ends_all_with_one_message) {
  const Scratch scratch;
  const fs::path program = fs::path(PERCUSSION_TEST_EXECUTABLE).parent_path() / "lone_exception";
  const std::string command = "cd " + quoted(scratch.here().string()) + " && timeout 60 " +
                              quoted(PERCUSSION_TEST_MPIEXEC) + " -n 3 " + quoted(program.string()) +
                              " > out 2> err";
  const int status = std::system(command.c_str());
  BOOST_TEST_REQUIRE(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) != 0);
  BOOST_TEST(WEXITSTATUS(status) != hung);
  const std::string err = text_of(scratch / "err");
  BOOST_TEST(count(err, "lost on the way") == 1u, err);
  check_contains(err, {"[rank 1]"});
}

BOOST_AUTO_TEST_CASE(a_killed_rank_ends_all) {
  const Scratch scratch;
  scratch.write("case.yaml", falling);
  StartedRun run(scratch, endless, 2);
  wait_for_steps(scratch);
  ::kill(run.ranks().at(1), SIGKILL);
  BOOST_TEST(run.wait().code != 0);
}

BOOST_AUTO_TEST_SUITE_END()

// A run that is killed again and again, at any moment, gets to the end with the results of a run that was
// not.
#include <random>

#include "restart/started_run.hpp"

using namespace cli_test;

namespace {

void kill_often(int kills, int ranks) {
  const Scratch scratch;
  scratch.write("case.yaml", falling);
  BOOST_TEST_REQUIRE(scratch.run({"-q", "run", "case.yaml", "-o", "whole"}, ranks).code == 0);

  const auto folder = checkpoints(scratch, "killed");
  std::mt19937 random(20 + static_cast<unsigned>(ranks));
  // From the first files to the last: a run takes about half a second, mpirun's start as much.
  std::uniform_real_distribution<double> moment(ranks == 1 ? 0.05 : 0.3, ranks == 1 ? 0.6 : 1.5);
  int killed = 0, finished = 0;
  while (killed < kills || finished == 0) {
    const auto before = folder.latest();
    std::vector<std::string> arguments = {"-q", "run", "case.yaml", "-o", "killed"};
    if (before && finished == 0)
      arguments.insert(arguments.end(), {"--restart", "latest"});
    else
      arguments.push_back("output.overwrite=true");
    StartedRun run(scratch, arguments, ranks);
    if (killed < kills) {
      sleep_for(moment(random));
      if (ranks == 1)
        run.send(SIGKILL);
      else if (const auto all = run.ranks(); !all.empty())
        ::kill(all[random() % all.size()], SIGKILL);
    }
    const auto end = run.wait();
    if (end.code == 0) {
      ++finished;
      check_same_results(scratch / "whole", scratch / "killed");
      if (killed < kills) finished = 0, fs::remove_all(scratch / "killed");
    } else {
      // Not refused: it was killed, and what was there before is still there.
      BOOST_TEST_REQUIRE(end.code != 2, end.err);
      BOOST_TEST_REQUIRE(end.code != 3, end.err);
      const auto after = folder.latest();
      if (before) BOOST_TEST_REQUIRE((after && after->step >= before->step));
      ++killed;
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(killed)

BOOST_AUTO_TEST_CASE(eight_times) {
  kill_often(8, 1);
}
BOOST_AUTO_TEST_CASE(three_times_on_two_ranks) {
  kill_often(3, 2);
}
BOOST_AUTO_TEST_CASE(a_hundred_times, *boost::unit_test::label("long")) {
  kill_often(100, 1);
}
BOOST_AUTO_TEST_CASE(thirty_times_on_two_ranks, *boost::unit_test::label("long")) {
  kill_often(30, 2);
}

BOOST_AUTO_TEST_SUITE_END()

// Summary and progress line: what is printed follows from the numbers, and summary.json is JSON.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

#include "base/error.hpp"
#include "io/progress_line.hpp"
#include "io/run_summary.hpp"
#include "io/scratch_folder.hpp"

using namespace percussion;

namespace {

RunSummary example() {
  RunSummary s;
  s.name = "box \"A\"";
  s.status = "finished";
  s.ranks = 2;
  s.steps = 1000;
  s.simulated_time = 0.1 + 0.2;  // not 0.3
  s.wall_time = 4;
  s.contacts_last = 6123;
  s.contacts_max = 7000;
  s.worst_residual = 8.25e-7;
  s.unconverged_steps = 3;
  s.deepest_penetration = 2e-9;
  s.smallest_radius = 1e-3;
  s.iterations_avg = 45.5;
  s.iterations_max = 120;
  s.memory_total = std::int64_t{3} << 30;
  s.memory_max = std::int64_t{2} << 30;
  s.phases = {{"solve", 2.5, 3.0, 3.5}, {"detection", 0.9, 1.0, 1.1}};
  s.files = {"bodies.pvd", "path\\with\nodd characters"};
  return s;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int count(const std::string& text, char c) {
  return static_cast<int>(std::ranges::count(text, c));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(run_summary)

BOOST_AUTO_TEST_CASE(text_tells_the_numbers) {
  const auto text = to_string(example());
  BOOST_TEST(contains(text, "2 ranks"));
  BOOST_TEST(contains(text, "1000 (250 per second)"));
  BOOST_TEST(contains(text, "6123 at the end, 7000 at most"));
  BOOST_TEST(contains(text, "8.25e-07"));
  BOOST_TEST(contains(text, "3 of 1000 steps"));
  BOOST_TEST(contains(text, "2e-09 m (2e-06 of the smallest radius)"));
  BOOST_TEST(contains(text, "45.5 per step, 120 at most"));
  BOOST_TEST(contains(text, "3.0 GiB in all, 2.0 GiB on the largest rank"));
  BOOST_TEST(contains(text, "75.0%"));  // 3 of 4 seconds
  BOOST_TEST(contains(text, "1.17"));   // 3.5 / 3
  BOOST_TEST(contains(text, "bodies.pvd"));

  auto without = example();
  without.smallest_radius.reset();
  without.unconverged_steps = 0;
  BOOST_TEST(!contains(to_string(without), "radius"));
  BOOST_TEST(contains(to_string(without), "no step"));
}

BOOST_AUTO_TEST_CASE(json_reads_back) {
  const ScratchFolder scratch;
  const auto path = scratch / "summary.json";
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  auto s = example();
  s.worst_residual = std::numeric_limits<double>::infinity();  // JSON has no such number
  if (rank == 0) write_json(path, s);
  MPI_Barrier(MPI_COMM_WORLD);

  const auto json = YAML::LoadFile(path.string());  // YAML includes JSON
  BOOST_TEST(json["name"].as<std::string>() == s.name);
  BOOST_TEST(json["steps"].as<std::int64_t>() == s.steps);
  BOOST_TEST(json["simulated_time"].as<double>() ==
             s.simulated_time);  // exact: shortest decimal that reads back
  BOOST_TEST(json["worst_residual"].IsNull());
  BOOST_TEST(json["unconverged_steps"].as<int>() == 3);
  BOOST_TEST(json["penetration_per_radius"].as<double>() == 2e-9 / 1e-3);
  BOOST_TEST(json["memory_total"].as<std::int64_t>() == s.memory_total);
  BOOST_REQUIRE_EQUAL(json["phases"].size(), 2);
  BOOST_TEST(json["phases"][1]["name"].as<std::string>() == "detection");
  BOOST_TEST(json["phases"][0]["max"].as<double>() == 3.5);
  BOOST_REQUIRE_EQUAL(json["files"].size(), 2);
  BOOST_TEST(json["files"][1].as<std::string>() == s.files[1]);

  s.smallest_radius.reset();
  s.files.clear();
  const auto bare = YAML::Load(to_json(s));
  BOOST_TEST(bare["smallest_radius"].IsNull());
  BOOST_TEST(bare["penetration_per_radius"].IsNull());
  BOOST_TEST(bare["files"].IsSequence());
  BOOST_TEST(bare["files"].size() == 0);
  BOOST_CHECK_THROW(write_json(scratch / "missing/summary.json", s), RunError);
}

BOOST_AUTO_TEST_CASE(memory_is_that_of_this_process_at_least) {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<char> block(64 << 20);
  for (std::size_t i = 0; i < block.size(); i += 512)
    block[i] = static_cast<char>(i);  // touched, so resident
  const auto use = peak_memory(MPI_COMM_WORLD);
  BOOST_TEST(std::accumulate(block.begin(), block.end(), 0) != 1);
  BOOST_TEST(use.max >= 64 << 20);
  BOOST_TEST(use.total >= size * (std::int64_t{64} << 20));
  BOOST_TEST(use.total <= size * use.max);
}

BOOST_AUTO_TEST_CASE(clock_and_bytes) {
  BOOST_TEST(clock_text(12) == "00:12");
  BOOST_TEST(clock_text(59.7) == "01:00");
  BOOST_TEST(clock_text(3723) == "1:02:03");
  BOOST_TEST(clock_text(2 * 86400 + 3 * 3600 + 4 * 60 + 5) == "2d 03:04:05");
  BOOST_TEST(clock_text(std::nan("")) == "--:--");
  BOOST_TEST(bytes_text(1023) == "1023 B");
  BOOST_TEST(bytes_text(1536) == "1.5 KiB");
}

BOOST_AUTO_TEST_CASE(progress_text_has_its_form) {
  BOOST_TEST(progress_text({0.42, 420, 6123, 8e-7, 45}, 0.42, 12) ==
             "[########............] 42% t=0.42 s step 420 contacts 6123 res 8e-7 iter 45 eta 00:12");
  BOOST_TEST(contains(progress_text({}, 0, std::numeric_limits<double>::infinity()), "] 0% t=0 s"));
  BOOST_TEST(contains(progress_text({0, 0, 0, 3e-12, 0}, 1, 0), "[####################] 100% t=0 s"));
  BOOST_TEST(contains(progress_text({0, 0, 0, 3e-12, 0}, 1, 0), "res 3e-12"));
}

BOOST_AUTO_TEST_CASE(terminal_line_is_rewritten_at_most_every_half_second) {
  std::ostringstream out;
  ProgressLine line(out, true, 0, 1);
  for (int step = 0; step <= 100; ++step)
    line.update({step * 0.01, step, 0, 0, 0}, step * 0.1);  // 10 s in all
  BOOST_TEST(count(out.str(), '\r') <= 21);                 // 10 s / 0.5 s and the first
  BOOST_TEST(count(out.str(), '\r') >= 17);  // 0.1 s is no binary fraction: some lines come a step late
  BOOST_TEST(count(out.str(), '\n') == 0);
  line.finish({1, 100, 0, 0, 0}, 10.1);
  BOOST_TEST(out.str().ends_with("eta 00:00\n"));
  BOOST_TEST(contains(out.str(), "100%"));
}

BOOST_AUTO_TEST_CASE(elsewhere_a_line_every_five_percent) {
  std::ostringstream out;
  ProgressLine line(out, false, 2, 4);  // a restart at t = 2
  double time = 2;
  for (int step = 0; step < 1000; ++step, time += 0.002) line.update({time, step, 0, 0, 0}, step * 0.001);
  BOOST_TEST(count(out.str(), '\n') == 20);  // 0%, 5%, ..., 95%
  BOOST_TEST(count(out.str(), '\r') == 0);
  BOOST_TEST(contains(out.str(), "] 50% t=3 s step 500"));
  line.finish({time, 1000, 0, 0, 0}, 1);
  BOOST_TEST(contains(out.str(), "100%"));

  std::ostringstream slow;
  ProgressLine rare(slow, false, 0, 1);
  for (int minute = 0; minute <= 60; ++minute) rare.update({minute * 1e-5, minute, 0, 0, 0}, minute * 60.0);
  BOOST_TEST(count(slow.str(), '\n') == 7);  // a sign of life every 10 minutes
}

BOOST_AUTO_TEST_CASE(eta_extrapolates_the_speed_so_far) {
  std::ostringstream out;
  ProgressLine line(out, false, 1, 3);
  line.update({1.5, 1, 0, 0, 0}, 30);  // a quarter in 30 s: 90 s to go
  BOOST_TEST(contains(out.str(), "eta 01:30"));
}

BOOST_AUTO_TEST_SUITE_END()

// Which checkpoints a restart takes, which it refuses and what it says.
#include <hdf5.h>

#include "restart/started_run.hpp"

using namespace cli_test;

namespace {

/// Checkpoints at steps 7, 14 and 20.
struct Stored : Scratch {
  Stored() {
    write("case.yaml", falling);
    BOOST_TEST_REQUIRE(
        run({"-q", "run", "case.yaml", "-o", "out", "time.end=0.02", "output.series=hdf5"}).code == 0);
    BOOST_TEST_REQUIRE(checkpoints(*this, "out").list().size() == 3u);
  }
  Outcome restart(std::vector<std::string> more = {}, int ranks = 1) const {
    std::vector<std::string> arguments = {
        "-q", "run", "case.yaml", "-o", "out", "time.end=0.03", "output.series=hdf5", "--restart", "latest"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, ranks);
  }
  void check_refused(const std::vector<std::string>& parts, std::vector<std::string> more = {}) const {
    const auto before = listing();
    for (const int ranks : {1, 3}) {
      const Outcome refused = restart(more, ranks);
      BOOST_TEST(refused.code == 2, refused.all());
      check_contains(refused.err, parts);
    }
    BOOST_TEST((listing() == before));
  }
  fs::path latest() const { return checkpoints(*this, "out").latest()->file; }
};

const std::string good_one = "the last good checkpoint before it: out/checkpoints/step_000000014.h5";

}  // namespace

BOOST_AUTO_TEST_SUITE(refusal)

BOOST_AUTO_TEST_CASE(truncated_at_any_place) {
  const Stored stored;
  const auto size = fs::file_size(stored.latest());
  for (const double part : {0.999, 0.5, 0.1}) {
    fs::resize_file(stored.latest(), static_cast<std::uintmax_t>(part * static_cast<double>(size)));
    stored.check_refused({"step_000000020.h5", "cannot be read", good_one});
  }
  fs::resize_file(stored.latest(), 0);
  stored.check_refused({"step_000000020.h5", "not an HDF5 file", good_one});
  // The one that was named works.
  BOOST_TEST(stored
                 .run({"-q", "run", "case.yaml", "-o", "out", "time.end=0.03", "output.series=hdf5",
                       "--restart", "out/checkpoints/step_000000014.h5"})
                 .code == 0);
}

BOOST_AUTO_TEST_CASE(all_of_them_damaged) {
  const Stored stored;
  for (const auto& c : checkpoints(stored, "out").list()) fs::resize_file(c.file, 1000);
  stored.check_refused({"there is no good checkpoint before it"});
}

BOOST_AUTO_TEST_CASE(foreign_files) {
  const Stored stored;
  std::error_code failure;
  fs::copy_file(stored / "out/series.h5", stored.latest(), fs::copy_options::overwrite_existing, failure);
  BOOST_TEST_REQUIRE(!failure);
  stored.check_refused({"no checkpoint of this program", good_one});
  BOOST_TEST(stored.restart({"--restart", "case.yaml"}).code == 2);
  const Outcome none = stored.run({"run", "case.yaml", "-o", "out", "--restart", "nowhere.h5"});
  BOOST_TEST(none.code == 2);
  check_contains(none.err, {"nowhere.h5", "there is no such file"});
}

BOOST_AUTO_TEST_CASE(newer_version) {
  const Stored stored;
  const hid_t file = H5Fopen(stored.latest().c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
              version = H5Aopen_by_name(file, "/", "version", H5P_DEFAULT, H5P_DEFAULT);
  const std::int64_t future = 99;
  BOOST_TEST_REQUIRE(H5Awrite(version, H5T_NATIVE_INT64, &future) >= 0);
  H5Aclose(version), H5Fclose(file);
  stored.check_refused({"newer program", "99", good_one});
}

BOOST_AUTO_TEST_CASE(another_case) {
  const Stored stored;
  stored.check_refused({"another case", "friction: 0.5", "friction: 0.4", "time.end"},
                       {"contact.friction=0.4"});
  stored.check_refused({"another case", "integrator", "shifted_moreau"}, {"integrator.type=shifted_moreau"});
  stored.check_refused({"another case", "limit: 40", "limit: 39"}, {"fills[0].limit=39"});
  stored.check_refused({"another case", "step"}, {"time.step=0.002"});
}

BOOST_AUTO_TEST_CASE(what_may_change) {
  const Stored stored;
  const Outcome outcome = stored.restart({"solver.tolerance=1e-3", "partition.check_every=5",
                                          "checkpoint.every_steps=3", "output.interval=0.002"},
                                         2);
  BOOST_TEST(outcome.code == 0, outcome.all());
  // At the end already: nothing to do is no error.
  BOOST_TEST(stored.restart().code == 0);
}

BOOST_AUTO_TEST_CASE(no_checkpoint_at_all) {
  const Scratch scratch;
  scratch.write("case.yaml", falling);
  for (const int ranks : {1, 3}) {
    const Outcome outcome = scratch.run({"run", "case.yaml", "-o", "out", "--restart", "latest"}, ranks);
    BOOST_TEST(outcome.code == 2);
    check_contains(outcome.err, {"there is no checkpoint in out/checkpoints", "fix: "});
  }
  BOOST_TEST((scratch.listing() == std::vector<std::string>{"case.yaml"}));
}

BOOST_AUTO_TEST_SUITE_END()

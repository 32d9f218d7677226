// Disks that are really full or cannot be written: small file systems in memory. Needs the right to mount; says so without.
#include <sys/mount.h>

#include "restart/started_run.hpp"

using namespace cli_test;

namespace {

/// A tmpfs in <scratch>/disk, unmounted at the end.
class SmallDisk {
 public:
  SmallDisk(const Scratch& scratch, unsigned long flags, const char* options) : path_(scratch / "disk") {
    fs::create_directory(path_);
    mounted_ = ::mount("tmpfs", path_.c_str(), "tmpfs", flags, options) == 0;
    if (!mounted_) BOOST_TEST_MESSAGE("skipped: no right to mount");
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  explicit operator bool() const { return mounted_; }
  void make_larger() const { BOOST_TEST_REQUIRE(::mount("tmpfs", path_.c_str(), "tmpfs", MS_REMOUNT, "size=64m") == 0); }

 private:
  fs::path path_;
  bool mounted_ = false;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(disk)

BOOST_AUTO_TEST_CASE(full_it_ends_the_run_and_keeps_the_last_checkpoint) {
  for (const int ranks : {1, 2}) {
    BOOST_TEST_CONTEXT(ranks << " ranks") {
      const Scratch scratch;
      scratch.write("case.yaml", falling);
      const SmallDisk disk(scratch, 0, "size=1m");
      if (!disk) return;
      const Outcome full = scratch.run({"-q", "run", "case.yaml", "-o", "disk/out", "time.end=1e6"}, ranks);
      BOOST_TEST(full.code == 3, full.all());
      check_contains(full.err, {"disk/out/", "No space left on device", "the last good checkpoint is disk/out/checkpoints/step_"});
      BOOST_TEST(count(full.err, "error: ") == 1u, full.err);

      disk.make_larger();
      const auto stored = checkpoints(scratch, "disk/out").latest();
      BOOST_TEST_REQUIRE(stored.has_value());
      const std::string until = "time.end=" + std::to_string(0.001 * static_cast<double>(stored->step + 20));
      BOOST_TEST_REQUIRE(scratch.run({"-q", "run", "case.yaml", "-o", "whole", until}, ranks).code == 0);
      const Outcome again = scratch.run({"-q", "run", "case.yaml", "-o", "disk/out", until, "--restart", "latest"}, ranks);
      BOOST_TEST(again.code == 0, again.all());
      check_same_results(scratch / "whole", scratch / "disk/out");
    }
  }
}

BOOST_AUTO_TEST_CASE(read_only_it_refuses_the_run) {
  const Scratch scratch;
  scratch.write("case.yaml", falling);
  const SmallDisk disk(scratch, MS_RDONLY, "size=1m");
  if (!disk) return;
  for (const int ranks : {1, 2}) {
    const Outcome refused = scratch.run({"-q", "run", "case.yaml", "-o", "disk/out"}, ranks);
    BOOST_TEST((refused.code == 2 || refused.code == 3), refused.all());
    check_contains(refused.err, {"disk/out", "Read-only file system"});
    BOOST_TEST(count(refused.err, "error: ") == 1u, refused.err);
  }
}

BOOST_AUTO_TEST_SUITE_END()

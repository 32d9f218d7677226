// Runs that are disturbed while they run: started in the background, sent signals, waited for.
#pragma once
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <regex>
#include <thread>

#include "cli/program.hpp"
#include "io/checkpoint_folder.hpp"

namespace cli_test {

inline void sleep_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

/// Waits until `condition`; fails after `patience` seconds.
inline void wait_until(const std::function<bool()>& condition) {
  for (double waited = 0; !condition(); waited += 0.01) {
    BOOST_TEST_REQUIRE(waited < patience, "nothing happens");
    sleep_for(0.01);
  }
}

/// A run of the program in the background; ended at the latest by the destructor.
class StartedRun {
 public:
  StartedRun(const Scratch& scratch, const std::vector<std::string>& arguments, int ranks = 1,
             const std::vector<std::string>& launcher_options = {})
      : out_(scratch / "../out.log"), err_(scratch / "../err.log") {
    std::vector<std::string> words;
    if (ranks > 1) {
      words = {PERCUSSION_TEST_MPIEXEC, "-n", std::to_string(ranks)};
      words.insert(words.end(), launcher_options.begin(), launcher_options.end());
    }
    words.push_back(PERCUSSION_TEST_EXECUTABLE);
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = fork();
    BOOST_TEST_REQUIRE(pid_ >= 0);
    if (pid_ > 0) return;
    // Only calls that are safe after a fork; exec's failure shows as code 127.
    if (chdir(scratch.here().c_str()) != 0) _exit(127);
    const int in = open("/dev/null", O_RDONLY), out = open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666),
              err = open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(in, 0), dup2(out, 1), dup2(err, 2);
    execv(argv[0], argv.data());
    _exit(127);
  }
  ~StartedRun() {
    if (pid_ > 0) ::kill(pid_, SIGKILL), waitpid(pid_, nullptr, 0);
  }
  StartedRun(const StartedRun&) = delete;
  StartedRun& operator=(const StartedRun&) = delete;

  void send(int signal) const { ::kill(pid_, signal); }
  /// From now on its files cannot become longer: a stand-in for a full disk.
  void limit_files(rlim_t bytes) const {
    const rlimit limit{bytes, RLIM_INFINITY};
    BOOST_TEST_REQUIRE(prlimit(pid_, RLIMIT_FSIZE, &limit, nullptr) == 0);
  }
  /// The ranks that mpirun has started.
  std::vector<pid_t> ranks() const {
    std::istringstream list(
        text_of("/proc/" + std::to_string(pid_) + "/task/" + std::to_string(pid_) + "/children"));
    return {std::istream_iterator<pid_t>(list), {}};
  }

  struct End {
    int code = -1, signal = 0;  ///< code -1: ended by the signal
    std::string out, err;
  };
  End wait() {
    int status = 0;
    wait_until([&] { return waitpid(pid_, &status, WNOHANG) != 0; });
    pid_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
            text_of(out_), text_of(err_)};
  }

 private:
  fs::path out_, err_;
  pid_t pid_ = -1;
};

inline percussion::CheckpointFolder checkpoints(const Scratch& scratch, const std::string& results) {
  return percussion::CheckpointFolder(scratch / (results + "/checkpoints"));
}

/// Forty spheres fall into a box: 300 steps of a millisecond of computing each; frames, a series and
/// checkpoints.
inline const std::string falling = R"(case: {name: falling}
time: {end: 0.3, step: 0.001}
solver: {tolerance: 1.0e-3, max_iterations: 100}
gravity: [0, 0, -9.81]
fills:
  - {type: lattice, lower: [0, 0, 0.01], upper: [0.06, 0.06, 0.3], radius: [0.004, 0.006], spacing: 0.0125, jitter: 1.0, limit: 40}
walls:
  - {type: box, name: box, lower: [0, 0, 0], upper: [0.06, 0.06, 0.5], open: [top]}
contact: {friction: 0.5, restitution: 0.1}
output: {interval: 0.01, series: csv}
partition: {method: geometric}
checkpoint: {every_steps: 7, keep: 3}
)";

/// A frame as text. VTK looks for the range of an array in threads: whether the least of 0 and -0 is called 0 or -0 is
/// chance, the data are not.
inline std::string frame_text(const fs::path& file) {
  static const std::regex negative_zero("(Range(Min|Max)=\")-0\" ");
  return std::regex_replace(text_of(file), negative_zero, "$010\"  ");
}

/// Frames, lists of frames and time series of two folders, byte by byte.
inline void check_same_results(const fs::path& a, const fs::path& b) {
  for (const std::string file : {"series.csv", "bodies.pvd", "contacts.pvd"}) {
    const std::string text = text_of(a / file);
    BOOST_TEST(text.size() > 0u);
    BOOST_TEST((text == text_of(b / file)), file << " differs");
  }
  for (const std::string kind : {"bodies", "contacts"}) {
    const auto files = files_ending(a / kind, "tp");
    BOOST_TEST(files.size() > 0u);
    for (const fs::path& file : files)
      BOOST_TEST((frame_text(file) == frame_text(b / kind / file.filename())), file << " differs");
  }
}

}  // namespace cli_test

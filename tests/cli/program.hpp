// Runs the executable from outside, on one or several ranks, and keeps what it printed.
//
// One rank runs without mpirun, as users do it. Every run starts in a scratch folder of its test case.
#pragma once
#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "test_paths.hpp"

namespace cli_test {

namespace fs = std::filesystem;

/// Seconds after which a run hangs: 100 times the start of mpirun.
constexpr int patience = 60;
/// The exit code of timeout(1) for a run that it ended.
constexpr int hung = 124;

struct Outcome {
  int code = -1;
  std::string out, err;
  std::string all() const { return out + err; }
};

inline std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

inline void check_contains(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    BOOST_TEST(text.find(part) != std::string::npos, "`" << part << "` is not in:\n" << text);
}

/// A folder in the working folder of the suite, gone at the end; the program runs in it.
class Scratch {
 public:
  Scratch() {
    std::array<char, 32> name{};
    std::snprintf(name.data(), name.size(), "scratch_XXXXXX");
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = fs::absolute(name.data());
    fs::create_directory(path_ / "here");
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Where the program runs.
  fs::path here() const { return path_ / "here"; }
  fs::path operator/(const std::string& name) const { return here() / name; }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((here() / name).parent_path());
    std::ofstream(here() / name) << text;
  }

  /// Names of everything in the folder of the program, sorted.
  std::vector<std::string> listing() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(here())) names.push_back(fs::relative(entry.path(), here()).string());
    std::sort(names.begin(), names.end());
    return names;
  }

  Outcome run(const std::vector<std::string>& arguments, int ranks = 1) const {
    const fs::path out = path_ / "stdout", err = path_ / "stderr";
    std::string command = "cd " + quoted(here().string()) + " && timeout " + std::to_string(patience) + ' ';
    if (ranks > 1) command += quoted(PERCUSSION_TEST_MPIEXEC) + " -n " + std::to_string(ranks) + ' ';
    command += quoted(PERCUSSION_TEST_EXECUTABLE);
    for (const std::string& argument : arguments) command += ' ' + quoted(argument);
    command += " > " + quoted(out.string()) + " 2> " + quoted(err.string()) + " < /dev/null";
    const int status = std::system(command.c_str());
    Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(out), text_of(err)};
    BOOST_TEST(outcome.code != hung, command << "\ndid not end; it printed\n" << outcome.all());
    return outcome;
  }

 private:
  fs::path path_;
};

/// Files below a folder whose name ends like this, sorted.
inline std::vector<fs::path> files_ending(const fs::path& folder, const std::string& end) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().string().ends_with(end)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace cli_test

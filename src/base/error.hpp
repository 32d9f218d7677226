// Errors that reach the user, and how they end a run.
//
// InputError: the user can mend it (exit code 2). It always names the place, the key, the value, what is allowed
// and the fix. RunError: the run cannot go on (exit code 3): no convergence with `on_failure: stop`, a full disk...
// PERCUSSION_CHECK: an invariant of this code that user data could break; always on, cheap.
// Collective code must agree on an error before anybody throws: see all_or_none.
#pragma once
#include <mpi.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace percussion {

/// Where a value was written: file and line of the input (line 0: `file` says "command line" or "default").
struct Origin {
  // A constructor instead of aggregate initialisation: g++ 12 warns wrongly about the latter.
  Origin() = default;
  Origin(std::string the_file, int the_line) : file(std::move(the_file)), line(the_line) {}
  std::string file;
  int line = 0;
};

/// Everything a user needs to mend one mistake.
struct Complaint {
  Origin origin;
  std::string key;      ///< dotted path, e.g. `nodes[3].mass`
  std::string value;    ///< as written
  std::string problem;  ///< what is wrong
  std::string allowed;  ///< what is allowed
  std::string fix;      ///< how to mend it
};

/// `file:line: key: problem`, then value, allowed and fix on lines of their own (empty parts are left out).
std::string to_string(const Complaint& complaint);
/// `file:line`, or what stands for it.
std::string to_string(const Origin& origin);

class InputError : public std::runtime_error {
 public:
  explicit InputError(Complaint complaint) : std::runtime_error(to_string(complaint)), complaint_(std::move(complaint)) {}
  /// Text that is already complete (used to repeat another rank's error).
  explicit InputError(const std::string& text) : std::runtime_error(text) {}
  /// One error for many mistakes; `complaint()` is the first of them.
  static InputError of(const std::vector<Complaint>& complaints);
  const Complaint& complaint() const { return complaint_; }

 private:
  InputError(const std::string& text, Complaint first) : std::runtime_error(text), complaint_(std::move(first)) {}
  Complaint complaint_;
};

class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum ExitCode : int { exit_ok = 0, exit_internal = 1, exit_input = 2, exit_run = 3 };

/// Collective. Runs `work` on every rank; if it throws anywhere, every rank throws the error of the lowest rank that
/// failed (InputError stays InputError, RunError stays RunError). So one rank's error cannot hang the others.
/// `work` must not communicate.
template <class Work>
void all_or_none(MPI_Comm comm, Work&& work);

namespace detail {
enum class Failure : int { none = 0, input = 1, run = 2, other = 3 };
/// Collective; returns only if no rank failed.
void agree(MPI_Comm comm, Failure mine, const std::string& text);
[[noreturn]] void check_failed(const char* condition, const char* file, int line, const std::string& text);
}  // namespace detail

template <class Work>
void all_or_none(MPI_Comm comm, Work&& work) {
  auto failure = detail::Failure::none;
  std::string text;
  try {
    work();
  } catch (const InputError& e) {
    failure = detail::Failure::input, text = e.what();
  } catch (const RunError& e) {
    failure = detail::Failure::run, text = e.what();
  } catch (const std::exception& e) {
    failure = detail::Failure::other, text = e.what();
  } catch (...) {
    failure = detail::Failure::other, text = "unknown exception";
  }
  detail::agree(comm, failure, text);
}

}  // namespace percussion

#define PERCUSSION_CHECK(condition, text) \
  ((condition) ? void(0) : ::percussion::detail::check_failed(#condition, __FILE__, __LINE__, (text)))

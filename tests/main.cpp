// The main of every test executable: PETSc and MPI around Boost.Test.
//
// Each rank runs the same test cases. Rank 0 gives the full report, the others print only their failures;
// with several ranks every line carries its rank. One failing rank makes all ranks return its code.
// PETSc sees no command line (the options are Boost.Test's); what follows `--` is left to the tests.
#include <mpi.h>
#include <petscsys.h>

#include <algorithm>
#include <boost/test/output/compiler_log_formatter.hpp>
#include <boost/test/results_reporter.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <streambuf>
#include <string>
#include <vector>

namespace {

// Writes whole lines to a C stream, each with the rank in front, so that lines of ranks do not mix.
class RankPrefixBuffer : public std::streambuf {
 public:
  RankPrefixBuffer(std::FILE* out, int rank) : out_(out), prefix_("[rank " + std::to_string(rank) + "] ") {}
  ~RankPrefixBuffer() override { write_line(); }

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    line_ += traits_type::to_char_type(c);
    if (line_.back() == '\n') write_line();
    return c;
  }

 private:
  void write_line() {
    if (line_.empty()) return;
    if (line_.back() != '\n') line_ += '\n';
    const std::string text = prefix_ + line_;
    std::fwrite(text.data(), 1, text.size(), out_);
    std::fflush(out_);
    line_.clear();
  }

  std::FILE* out_;
  std::string prefix_;
  std::string line_;
};

// Puts a rank prefix on std::cout and std::cerr for as long as it lives.
class RankPrefixedOutput {
 public:
  explicit RankPrefixedOutput(int rank)
      : out_(stdout, rank),
        err_(stderr, rank),
        old_out_(std::cout.rdbuf(&out_)),
        old_err_(std::cerr.rdbuf(&err_)) {}
  ~RankPrefixedOutput() {
    std::cout.rdbuf(old_out_);
    std::cerr.rdbuf(old_err_);
  }
  RankPrefixedOutput(const RankPrefixedOutput&) = delete;
  RankPrefixedOutput& operator=(const RankPrefixedOutput&) = delete;

 private:
  RankPrefixBuffer out_, err_;
  std::streambuf *old_out_, *old_err_;
};

// The usual log without its "Running n test cases..." line.
class FailuresOnly : public boost::unit_test::output::compiler_log_formatter {
 public:
  void log_start(std::ostream&, boost::unit_test::counter_t) override {}
};

// Boost.Test calls one of these after it has read its options.
bool report_all() {
  return true;
}

bool report_failures_only() {
  boost::unit_test::unit_test_log.set_formatter(new FailuresOnly);  // owned by the log
  boost::unit_test::unit_test_log.set_threshold_level(boost::unit_test::log_all_errors);
  boost::unit_test::results_reporter::set_level(boost::unit_test::NO_REPORT);
  return true;
}

// The worst return code of all ranks; rank 0 names the ranks that failed.
int agree_on_result(int result, int rank, int size) {
  std::vector<int> results(static_cast<std::size_t>(size));
  MPI_Allgather(&result, 1, MPI_INT, results.data(), 1, MPI_INT, MPI_COMM_WORLD);
  int worst = 0;
  std::string failed;
  for (int r = 0; r < size; ++r) {
    const int code = results[static_cast<std::size_t>(r)];
    worst = std::max(worst, std::abs(code));
    if (code != 0) failed += ' ' + std::to_string(r);
  }
  if (worst != 0 && size > 1 && rank == 0)
    std::fprintf(stderr, "*** test failures on ranks:%s\n", failed.c_str());
  return worst;
}

}  // namespace

int main(int argc, char** argv) {
  const int keep_user_value = 0;
  // PT-Scotch starts threads of its own otherwise.
  setenv("SCOTCH_PTHREAD_NUMBER", "1", keep_user_value);
  // A signal must end the run on all ranks, as PETSc's handler does; Boost.Test would go on with the next
  // case while the other ranks wait.
  setenv("BOOST_TEST_CATCH_SYSTEM_ERRORS", "no", keep_user_value);
  setenv("BOOST_TEST_COLOR_OUTPUT", "no", keep_user_value);

  int petsc_argc = 1;
  char** petsc_argv = argv;
  if (PetscInitialize(&petsc_argc, &petsc_argv, nullptr, nullptr) != 0) return EXIT_FAILURE;
#ifdef PERCUSSION_SANITIZE
  PetscPopSignalHandler();  // the sanitizer's own report is the better one
#endif
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  int result = EXIT_FAILURE;
  {
    std::optional<RankPrefixedOutput> prefixed;
    if (size > 1) prefixed.emplace(rank);
    result = boost::unit_test::unit_test_main(rank == 0 ? report_all : report_failures_only, argc, argv);
  }
  result = agree_on_result(result, rank, size);
  PetscFinalize();
  return result;
}

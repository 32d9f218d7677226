#include <boost/test/unit_test.hpp>

#include "base/error.hpp"

using namespace percussion;

namespace {

struct Ranks {
  Ranks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
  int rank = 0, size = 1;
};

template <class Error, class Work>
std::string error_of(Work work) {
  try {
    all_or_none(MPI_COMM_WORLD, work);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error of this kind";
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(error, Ranks)

BOOST_AUTO_TEST_CASE(complaint_has_a_line_per_part) {
  const Complaint c{{"a.yaml", 4}, "time.step", "-1", "out of range", "a number > 0 in s", "choose a smaller step"};
  BOOST_TEST(to_string(c) ==
             "a.yaml:4: time.step: out of range\n    value:   -1\n    allowed: a number > 0 in s\n    fix:     choose a smaller step");
  BOOST_TEST(to_string(Complaint{{"command line", 0}, "", "", "bad", "", ""}) == "command line: bad");
}

BOOST_AUTO_TEST_CASE(one_error_lists_all_complaints) {
  const Complaint a{{"a.yaml", 4}, "x", "", "first", "", ""}, b{{"a.yaml", 9}, "y", "", "second", "", ""};
  const InputError error = InputError::of({a, b});
  BOOST_TEST(std::string(error.what()) == "2 mistakes in the input:\na.yaml:4: x: first\na.yaml:9: y: second");
  BOOST_TEST(error.complaint().key == "x");
}

BOOST_AUTO_TEST_CASE(nobody_fails_nobody_throws) {
  int done = 0;
  BOOST_CHECK_NO_THROW(all_or_none(MPI_COMM_WORLD, [&] { ++done; }));
  BOOST_TEST(done == 1);
}

BOOST_AUTO_TEST_CASE(an_error_of_one_rank_reaches_all_with_its_kind_and_text) {
  const int last = size - 1;
  BOOST_TEST(error_of<InputError>([&] { if (rank == last) throw InputError("wrong on the last rank"); }) == "wrong on the last rank");
  BOOST_TEST(error_of<RunError>([&] { if (rank == last) throw RunError(""); }) == "");
  const std::string other = error_of<std::runtime_error>([&] { if (rank == last) throw std::out_of_range("index"); });
  BOOST_TEST(other == "rank " + std::to_string(last) + ": index");
  BOOST_TEST(error_of<std::runtime_error>([&] { if (rank == last) throw 42; }) == "rank " + std::to_string(last) + ": unknown exception");
}

BOOST_AUTO_TEST_CASE(the_lowest_failing_rank_speaks) {
  const int lowest = size / 2;
  const auto work = [&] { if (rank >= lowest) throw InputError("rank " + std::to_string(rank)); };
  BOOST_TEST(error_of<InputError>(work) == "rank " + std::to_string(lowest));
}

BOOST_AUTO_TEST_CASE(check_says_what_is_false_and_where) {
  const int n = 3;
  BOOST_CHECK_NO_THROW(PERCUSSION_CHECK(n == 3, "three"));
  BOOST_CHECK_EXCEPTION(PERCUSSION_CHECK(n == 4, "four"), std::logic_error, [](const std::logic_error& e) {
    const std::string text = e.what();
    return text.find("four") != text.npos && text.find("n == 4") != text.npos && text.find("test_error.cpp") != text.npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()

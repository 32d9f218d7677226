// All ranks get the same Parameters or the same error; only rank 0 needs the file.
#include <fstream>

#include "input_fixture.hpp"
#include "scratch_folder.hpp"

using namespace percussion;
using namespace input_test;

namespace {

struct Ranks {
  Ranks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
  /// Is the text the same everywhere?
  bool same_everywhere(const std::string& text) const {
    int length = static_cast<int>(text.size());
    MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::string first = rank == 0 ? text : std::string(static_cast<std::size_t>(length), ' ');
    MPI_Bcast(first.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
    int same = first == text, all = 0;
    MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all != 0;
  }
  int rank = 0, size = 1;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(input_parallel, Ranks)

BOOST_AUTO_TEST_CASE(the_same_parameters_everywhere) {
  const ScratchFolder folder;
  // A name that is wrong on all ranks but 0 stands for a file system that only rank 0 sees.
  const auto file = rank == 0 ? folder / "case.yaml" : folder / "invisible.yaml";
  if (rank == 0) std::ofstream(file) << good << "bodies: [{type: sphere, mass: 0.1}]\n";
  const Parameters p = read_input(MPI_COMM_WORLD, file, {"seed=5"}, schema());
  BOOST_TEST(p.integer("seed") == 5);
  BOOST_TEST(p.sections("bodies")[0].real("mass") == 0.1);
  BOOST_TEST(p.sections("bodies")[0].origin("mass").line == 2);
  BOOST_TEST(same_everywhere(p.serialise()));
}

BOOST_AUTO_TEST_CASE(the_same_error_everywhere) {
  const ScratchFolder folder;
  const auto file = folder / "case.yaml";
  if (rank == 0) std::ofstream(file) << "time: {end: 1, step: -1}\nsede: 2\n";
  std::string text = "no error";
  try {
    read_input(MPI_COMM_WORLD, file, {}, schema());
  } catch (const InputError& e) {
    text = e.what();
  }
  check_contains(text, {"2 mistakes", "case.yaml:1: time.step", "case.yaml:2: sede"});
  BOOST_TEST(same_everywhere(text));
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_an_error_everywhere) {
  std::string text = "no error";
  try {
    read_input(MPI_COMM_WORLD, "no_such_file.yaml", {}, schema());
  } catch (const InputError& e) {
    text = e.what();
  }
  check_contains(text, {"no_such_file.yaml: input file not found"});
  BOOST_TEST(same_everywhere(text));
}

BOOST_AUTO_TEST_SUITE_END()

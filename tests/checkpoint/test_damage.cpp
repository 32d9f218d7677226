// A damaged file is noticed or harmless; a file that cannot be written leaves the old one.
#include <fstream>

#include "checkpoint/stored_run.hpp"
#include "io/scratch_folder.hpp"
#include "io/write_limit.hpp"

using namespace percussion;

namespace {

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

const Parameters& input() {
  static const Parameters result = stored_input("sphere_box/sphere_box.yaml", falling_spheres());
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(damage)

BOOST_AUTO_TEST_CASE(a_changed_byte_anywhere) {
  const ScratchFolder scratch;
  Case c(MPI_COMM_WORLD, input());
  for (int k = 0; k < 40; ++k) c.step();
  const auto file = scratch / "state.h5";
  write_case(c, file);
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(file));
  const auto flip = [&](std::streamoff at) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) {
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      char byte = 0;
      stream.seekg(at).get(byte);
      stream.seekp(at).put(static_cast<char>(byte ^ 0x10));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  };
  int refused = 0, tried = 0;
  for (std::streamoff at = 8; at < size; at += size / 60, ++tried) {
    flip(at);
    try {
      const auto again = read_case(input(), file);
      // A byte that nobody reads.
      BOOST_TEST((whole_state(*again) == whole_state(c)));
    } catch (const InputError& e) {
      BOOST_TEST(std::string(e.what()).find("state.h5") != std::string::npos);
      ++refused;
    }
    flip(at);
  }
  BOOST_TEST((whole_state(*read_case(input(), file)) == whole_state(c)));
  // Nearly all of the file is data: 136 of 300 bytes per sphere at the least are numbers.
  BOOST_TEST(refused * 2 > tried, refused << " of " << tried);
}

BOOST_AUTO_TEST_CASE(no_space_left) {
  const ScratchFolder scratch;
  Case c(MPI_COMM_WORLD, input());
  const auto file = scratch / "state.h5";
  write_case(c, file);
  const auto before = whole_state(c);
  for (int k = 0; k < 5; ++k) c.step();
  {
    const WriteLimit full(20000);
    BOOST_CHECK_EXCEPTION(write_case(c, file), RunError, [&](const RunError& e) {
      return std::string(e.what()).find("File too large") != std::string::npos;
    });
  }
  BOOST_TEST(!std::filesystem::exists(file.string() + ".tmp"));
  BOOST_TEST((whole_state(*read_case(input(), file)) == before));
  write_case(c, file);  // space again
  BOOST_TEST((whole_state(*read_case(input(), file)) == whole_state(c)));
}

BOOST_AUTO_TEST_CASE(no_folder) {
  const ScratchFolder scratch;
  const Case c(MPI_COMM_WORLD, input());
  BOOST_CHECK_THROW(write_case(c, scratch / "nowhere/state.h5"), RunError);
}

BOOST_AUTO_TEST_CASE(other_bodies) {
  const ScratchFolder scratch;
  const Case c(MPI_COMM_WORLD, input());
  write_case(c, scratch / "state.h5");
  BOOST_CHECK_THROW(
      read_case(stored_input("sphere_box/sphere_box.yaml", falling_spheres({"fills[0].limit=99"})),
                scratch / "state.h5"),
      InputError);
}

BOOST_AUTO_TEST_SUITE_END()

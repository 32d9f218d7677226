// The effective input, read again, is the same input.
#include <fstream>

#include "input_fixture.hpp"
#include "io/effective_input.hpp"
#include "scratch_folder.hpp"

using namespace percussion;
using namespace input_test;

namespace {

void check_round_trip(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Parameters before = read(text, overrides);
  const std::string written = effective_input(before, schema());
  const Parameters after = read(written);
  BOOST_TEST((after == before), written);
  BOOST_TEST(effective_input(after, schema()) == written);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(input_round_trip)

BOOST_AUTO_TEST_CASE(defaults_become_visible) {
  check_round_trip(good);
  const std::string written = effective_input(read(good), schema());
  check_contains(written, {"type: moreau", "theta: 0.5", "gravity: [0, 0, 0]", "seed: 1", "bodies: []"});
  BOOST_TEST(written.find("limits") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(all_kinds_with_overrides) {
  check_round_trip(R"(time: {end: 0.30000000000000004, step: 4.9406564584124654e-324}
limits: {lower: [-1e300, 0], upper: [1, 2]}
bodies:
  - {type: sphere, mass: 0.1}
  - {type: box, size: [1, 1, 1e-7]}
probes: [{name: a}]
tags: ["", "null", "true", "1", "a, b", "- x", "#", "é"]
load: {table: [[0, 0], [0.1, 1e-3], [2, 3]], interpolation: cubic}
verbose: true
)",
                   {"bodies[0].radius=3", "scheme={type: radau}", "seed=9223372036854775807"});
}

BOOST_AUTO_TEST_CASE(awkward_texts) {
  for (const std::string title : {"", "~", "null", "yes", "1e3", "a: b", "a #b", "'x'", "\"", "line\nbreak", " blank ", "tab\t", "\\n", "%", "é{}[]"}) {
    const Parameters before = read(good, {"title=x"});
    Parameters changed = before;
    changed.set("title", title);
    BOOST_TEST(read(effective_input(changed, schema())).text("title") == title);
  }
  check_round_trip(good + "load: \"sin(t); cos(t)\"");
}

BOOST_AUTO_TEST_CASE(the_file_can_be_read_from_another_folder) {
  const ScratchFolder folder;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    std::filesystem::create_directory(folder / "results");
    std::ofstream(folder / "body.msh") << "mesh";
    std::ofstream(folder / "case.yaml") << good << "mesh: body.msh\n";
    const Parameters before = read_input(folder / "case.yaml", {}, schema());
    write_effective_input(folder / "results/input.yaml", before, schema());
    BOOST_TEST((read_input(folder / "results/input.yaml", {}, schema()) == before));
    BOOST_CHECK_THROW(write_effective_input(folder / "absent/input.yaml", before, schema()), RunError);
  }
}

BOOST_AUTO_TEST_SUITE_END()

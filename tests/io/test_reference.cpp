#include "input_fixture.hpp"
#include "io/reference.hpp"
#include "io/suggest.hpp"

using namespace percussion;
using namespace input_test;

BOOST_AUTO_TEST_SUITE(reference)

BOOST_AUTO_TEST_CASE(every_key_of_every_section_and_type_is_there) {
  const std::string text = input_reference(schema());
  check_contains(text, {"| `gravity` | list of reals | m/s^2 | a list of 2 or 3 numbers | `[0, 0, 0]` |", "### `time`",
                        "| `step` | real | s | a number > 0 | **required** | step size |", "### `probes[]`", "## test_bodies",
                        "### `type: sphere`\n\na ball", "| `radius` | real | m | a number > 0 | `0.5` | radius |", "## test_schemes", "`{type: moreau}`",
                        "one of disc, rectangle"});
  const auto rows_of = [&](const Schema& s) {
    for (const Field& f : s.fields()) check_contains(text, {"| `" + f.key + "` |"});
  };
  rows_of(schema());
  for (const char* catalogue : {"test_bodies", "test_schemes"})
    for (const auto* entry : Catalogue::instance().entries(catalogue)) rows_of(entry->schema);
}

BOOST_AUTO_TEST_CASE(bars_do_not_break_the_table) {
  // `linear|cubic` in the allowed forms of a function: every row must keep its 7 bars.
  const std::string text = input_reference(schema());
  std::size_t rows = 0;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string line = text.substr(begin, end - begin);
    if (!line.starts_with("|")) continue;
    int bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    BOOST_TEST(bars == 7, line);
    ++rows;
  }
  BOOST_TEST(rows > 20u);
}

BOOST_AUTO_TEST_CASE(edit_distance_is_a_count_of_slips) {
  BOOST_TEST(edit_distance("mass", "mass") == 0);
  BOOST_TEST(edit_distance("", "mass") == 4);
  BOOST_TEST(edit_distance("mas", "mass") == 1);
  BOOST_TEST(edit_distance("msas", "mass") == 1);  // neighbours swapped
  BOOST_TEST(edit_distance("kitten", "sitting") == 3);
}

BOOST_AUTO_TEST_CASE(suggestions_are_near_or_absent) {
  const std::vector<std::string> words{"mass", "radius", "position", "velocity"};
  BOOST_TEST(nearest("raduis", words) == "radius");
  BOOST_TEST(nearest("Mass", words) == "mass");
  BOOST_TEST(nearest("pos", words) == "position");
  BOOST_TEST(nearest("colour", words) == "");
}

BOOST_AUTO_TEST_SUITE_END()

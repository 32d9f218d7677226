#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <memory>

#include "base/parameters.hpp"

using namespace percussion;

namespace {

Parameters sample() {
  Parameters inner("nodes[0]", {"case.yaml", 7});
  inner.set("type", std::string("sphere"), {"case.yaml", 7});
  inner.set("mass", 0.1 + 0.2, {"case.yaml", 8});
  inner.set("name", std::string("12 tricky: text\n\"quoted\" = [x]"), {"case.yaml", 9});
  Parameters p("", {"case.yaml", 1});
  p.set("flag", true, {"command line", 0});
  p.set("count", std::int64_t{-9007199254740993}, {"case.yaml", 2});  // 2^53 + 1 is no double
  p.set("tiny", std::numeric_limits<double>::denorm_min(), {"case.yaml", 3});
  p.set("vector", std::vector<double>{-0.0, 1e300, 1. / 3.}, {"case.yaml", 4});
  p.set("empty", std::vector<double>{}, {"case.yaml", 4});
  p.set("words", std::vector<std::string>{"", "a b", "7 c"}, {"case.yaml", 5});
  p.set("nothing", std::monostate{});
  p.set("body", std::make_shared<const Parameters>(inner), {"case.yaml", 7});
  p.set("nodes", std::make_shared<const ParametersList>(ParametersList{inner, Parameters("nodes[1]")}), {"case.yaml", 6});
  return p;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(parameters)

BOOST_AUTO_TEST_CASE(serialisation_is_lossless) {
  const Parameters before = sample();
  const Parameters after = Parameters::deserialise(before.serialise());
  BOOST_TEST((after == before));
  BOOST_TEST(std::signbit(after.reals("vector")[0]));
  BOOST_TEST(after.origin("flag").file == "command line");
  BOOST_TEST(after.origin("flag").line == 0);
  const Parameters& body = after.sections("nodes")[0];
  BOOST_TEST(body.path() == "nodes[0]");
  BOOST_TEST(body.origin("mass").file == "case.yaml");
  BOOST_TEST(body.origin("mass").line == 8);
  BOOST_TEST(after.serialise() == before.serialise());
}

BOOST_AUTO_TEST_CASE(damaged_text_is_refused_at_every_length) {
  const std::string text = sample().serialise();
  for (std::size_t n = 0; n < text.size(); ++n) BOOST_CHECK_THROW(Parameters::deserialise(text.substr(0, n)), RunError);
  BOOST_CHECK_THROW(Parameters::deserialise(text + "x"), RunError);
}

BOOST_AUTO_TEST_CASE(equality_looks_at_values_of_all_depths) {
  const Parameters a = sample();
  Parameters b = sample();
  b.set("flag", true, {"elsewhere.yaml", 99});
  BOOST_TEST((a == b));  // origins do not count
  Parameters inner = a.section("body");
  inner.set("mass", 0.3);  // differs from 0.1 + 0.2 in the last bit
  b.set("body", std::make_shared<const Parameters>(inner));
  BOOST_TEST(!(a == b));
  Parameters c = sample();
  c.set("more", true);
  BOOST_TEST(!(a == c));
}

BOOST_AUTO_TEST_CASE(getters_convert_only_whole_numbers_to_reals) {
  const Parameters p = sample();
  BOOST_TEST(p.real("count") == -9007199254740992.0);
  BOOST_TEST(p.boolean("flag"));
  BOOST_TEST(p.section("body").type() == "sphere");
  BOOST_TEST(!p.has("nothing"));
  BOOST_TEST(!p.has("absent"));
  BOOST_CHECK_THROW(p.integer("tiny"), std::logic_error);
  BOOST_CHECK_THROW(p.boolean("count"), std::logic_error);
  BOOST_CHECK_THROW(p.text("absent"), std::logic_error);
}

BOOST_AUTO_TEST_CASE(fail_names_place_key_value_and_fix) {
  try {
    sample().sections("nodes")[0].fail("mass", "too heavy", "at most 0.2 kg", "make it lighter");
    BOOST_ERROR("did not throw");
  } catch (const InputError& e) {
    const std::string text = e.what();
    for (const char* part : {"case.yaml:8", "nodes[0].mass", "too heavy", "0.30000000000000004", "at most 0.2 kg", "make it lighter"})
      BOOST_TEST(text.find(part) != std::string::npos, part << " is not in: " << text);
    BOOST_TEST(e.complaint().key == "nodes[0].mass");
  }
}

BOOST_AUTO_TEST_CASE(a_key_without_place_is_reported_at_its_section) {
  Parameters p("time", {"case.yaml", 3});
  BOOST_TEST(p.origin("end").line == 3);
}

BOOST_AUTO_TEST_CASE(numbers_are_shown_as_a_user_would_write_them) {
  BOOST_TEST(to_text(0.1) == "0.1");
  BOOST_TEST(to_text(2.0) == "2");
  BOOST_TEST(to_text(1e-7) == "1e-07");
  BOOST_TEST(to_text(Value(std::vector<double>{1, 0.5})) == "[1, 0.5]");
}

BOOST_AUTO_TEST_SUITE_END()

#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "base/registry.hpp"
#include "base/schema.hpp"

using namespace percussion;

BOOST_AUTO_TEST_SUITE(schema)

BOOST_AUTO_TEST_CASE(defaults_keep_their_kind) {
  Schema s;
  s.real("half").fallback(0.5);
  s.real("whole").fallback(2);
  s.boolean("yes").fallback(true);
  s.integer("count").fallback(3);
  s.integer("long_count").fallback(std::size_t{4});
  s.text("word").fallback("disc");
  s.reals("origin", 3).fallback({0., 0., 1.});
  s.function("load").fallback(0.25);
  BOOST_TEST(std::get<double>(s.find("half")->fallback_value) == 0.5);
  BOOST_TEST(std::get<double>(s.find("whole")->fallback_value) == 2.0);
  BOOST_TEST(std::get<bool>(s.find("yes")->fallback_value));
  BOOST_TEST(std::get<std::int64_t>(s.find("count")->fallback_value) == 3);
  BOOST_TEST(std::get<std::int64_t>(s.find("long_count")->fallback_value) == 4);
  BOOST_TEST(std::get<std::string>(s.find("word")->fallback_value) == "disc");
  BOOST_TEST(std::get<std::vector<double>>(s.find("origin")->fallback_value).size() == 3u);
  BOOST_TEST(std::get<std::string>(s.find("load")->fallback_value) == "0.25");
  BOOST_CHECK_NO_THROW(s.check());
}

BOOST_AUTO_TEST_CASE(a_default_its_own_field_refuses_is_found) {
  const auto refused = [](auto declare) {
    Schema s;
    declare(s);
    Schema outer;
    outer.section("inner", s);
    BOOST_CHECK_THROW(s.check(), std::logic_error);
    BOOST_CHECK_THROW(outer.check(), std::logic_error);
  };
  refused([](Schema& s) { s.integer("n").fallback(1.5); });
  refused([](Schema& s) { s.real("mass").positive().fallback(0); });
  refused([](Schema& s) { s.text("set").one_of({"disc"}).fallback("disk"); });
  refused([](Schema& s) { s.reals("x", 3).fallback({0., 0.}); });
  refused([](Schema& s) { s.reals("x", 2).at_least(0).fallback({0., -1.}); });
  refused([](Schema& s) { s.boolean("b").fallback(1); });
  refused([](Schema& s) { s.real("mass").required().fallback(1); });
}

BOOST_AUTO_TEST_CASE(open_and_closed_ends_of_a_range) {
  Schema s;
  const Field& closed = s.real("e").between(0, 1);
  BOOST_TEST((closed.contains(0) && closed.contains(1) && !closed.contains(1.1)));
  const Field& open = s.real("mass").positive();
  BOOST_TEST((!open.contains(0) && open.contains(1e-300)));
  BOOST_TEST(!open.contains(std::numeric_limits<double>::quiet_NaN()));
  BOOST_TEST(allowed(closed) == "a number in [0, 1]");
  BOOST_TEST(allowed(s.real("m").positive().unit("kg")) == "a number > 0 in kg");
  BOOST_TEST(allowed(s.reals("x", {2, 3}).at_least(0)) == "a list of 2 or 3 numbers, each >= 0");
}

BOOST_AUTO_TEST_CASE(a_key_is_declared_once) {
  Schema s;
  s.real("mass");
  BOOST_CHECK_THROW(s.text("mass"), std::logic_error);
}

namespace {
struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Square : Shape {
  explicit Square(double a) : side(a) {}
  double area() const override { return side * side; }
  double side;
};
}  // namespace

BOOST_AUTO_TEST_CASE(registration_feeds_catalogue_and_factory) {
  Schema s;
  s.real("side").required();
  const Registration<Shape, double> square("test_shapes", "square", "a square", s, [](double a) { return std::make_unique<Square>(a); });
  const Registration<Shape, double> large("test_shapes", "large_square", "nine times", s, [](double a) { return std::make_unique<Square>(3 * a); });

  const auto entries = Catalogue::instance().entries("test_shapes");
  BOOST_REQUIRE(entries.size() == 2u);
  BOOST_TEST(entries[0]->name == "large_square");
  BOOST_TEST(entries[1]->documentation == "a square");
  BOOST_TEST((Catalogue::instance().find("test_shapes", "square")->schema.find("side") != nullptr));
  BOOST_TEST((Catalogue::instance().find("test_shapes", "circle") == nullptr));
  BOOST_TEST(Catalogue::instance().entries("no_such_catalogue").empty());
  BOOST_TEST((Registry<Shape, double>::instance().create("large_square", 2.0)->area()) == 36.0);
  BOOST_CHECK_THROW(Catalogue::instance().add("test_shapes", {"square", "again", s}), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()

#include <array>
#include <boost/test/unit_test.hpp>
#include <limits>

#include "partition/pack.hpp"

using namespace percussion;

BOOST_AUTO_TEST_SUITE(pack)

BOOST_AUTO_TEST_CASE(values_arrays_and_strings_come_back_in_order) {
  struct Body {
    std::int64_t id;
    std::array<double, 3> x;
    bool fixed;
  };
  Packer packer;
  packer.put(std::uint8_t{7});  // leaves everything after it unaligned
  packer.put(Body{42, {1.5, -2.5, std::numeric_limits<double>::infinity()}, true});
  packer.put_array(std::vector<std::int32_t>{3, 1, 2});
  packer.put_array(std::vector<double>{});
  packer.put_string("la_g");
  packer.put_string("");
  const auto data = packer.take();
  BOOST_TEST(packer.size() == 0U);

  Unpacker unpacker(data);
  BOOST_TEST(unpacker.get<std::uint8_t>() == 7);
  const auto body = unpacker.get<Body>();
  BOOST_TEST(body.id == 42);
  BOOST_TEST(body.x[1] == -2.5);
  BOOST_TEST(body.x[2] == std::numeric_limits<double>::infinity());
  BOOST_TEST(body.fixed);
  BOOST_TEST((unpacker.get_array<std::int32_t>() == std::vector<std::int32_t>{3, 1, 2}));
  BOOST_TEST(unpacker.get_array<double>().empty());
  BOOST_TEST(unpacker.get_string() == "la_g");
  BOOST_TEST(unpacker.get_string().empty());
  BOOST_TEST(unpacker.empty());
}

BOOST_AUTO_TEST_CASE(every_shortened_message_is_refused) {
  Packer packer;
  packer.put(1.0);
  packer.put_array(std::vector<double>{1, 2, 3});
  const auto data = packer.take();
  for (std::size_t length = 0; length < data.size(); ++length) {
    const auto read = [&] {
      Unpacker unpacker({data.data(), length});
      unpacker.get<double>();
      unpacker.get_array<double>();
    };
    BOOST_CHECK_THROW(read(), RunError);
  }
}

BOOST_AUTO_TEST_CASE(an_absurd_length_is_refused_before_memory_is_asked_for) {
  Packer packer;
  // 2^61 * 8 bytes wraps around to 0 in 64 bits: the check must not multiply.
  packer.put(std::uint64_t{1} << 61);
  const auto data = packer.take();
  Unpacker unpacker(data);
  BOOST_CHECK_THROW(unpacker.get_array<double>(), RunError);
}

BOOST_AUTO_TEST_SUITE_END()

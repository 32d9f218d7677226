// The flat id map against std::map.
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "base/id_map.hpp"

using namespace percussion;

BOOST_AUTO_TEST_SUITE(id_map)

BOOST_AUTO_TEST_CASE(insert_assign_and_find_like_std_map) {
  IdMap map;
  std::map<std::int64_t, std::int32_t> reference;
  std::mt19937_64 random(4);
  BOOST_TEST(map.empty());
  BOOST_TEST(map.find(1) == IdMap::absent);
  for (std::int32_t n = 0; n < 5000; ++n) {
    // Few distinct keys, so that repetitions occur; neighbours and multiples of 2^32 collide if hashed badly.
    const std::int64_t id = static_cast<std::int64_t>(random() % 3000) << (n % 2 ? 0 : 32);
    if (n % 3 == 0) {
      map.assign(id, n);
      reference[id] = n;
    } else {
      BOOST_TEST_REQUIRE(map.insert(id, n) == reference.emplace(id, n).second);
    }
  }
  BOOST_TEST(map.size() == reference.size());
  int wrong = 0;
  for (const auto& [id, value] : reference) wrong += map.find(id) != value;
  for (std::int64_t id = 3000; id < 6000; ++id) wrong += map.find(id) != IdMap::absent;
  BOOST_TEST(wrong == 0);
  BOOST_TEST(map.find(-1) == IdMap::absent);

  map.clear();
  BOOST_TEST(map.empty());
  BOOST_TEST(map.find(reference.begin()->first) == IdMap::absent);
}

BOOST_AUTO_TEST_CASE(of_a_list_gives_the_places) {
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < 1000; ++i) ids.push_back((i * 617 % 1000) << (i % 3 * 16));
  std::map<std::int64_t, std::int32_t> reference;
  for (std::size_t i = 0; i < ids.size(); ++i) reference.emplace(ids[i], static_cast<std::int32_t>(i));
  const IdMap map(ids);
  BOOST_TEST(map.size() == reference.size());
  int wrong = 0;
  for (const auto& [id, place] : reference) wrong += map.find(id) != place;
  BOOST_TEST(wrong == 0);
  BOOST_TEST(map.find(1ll << 50) == IdMap::absent);
  BOOST_TEST(IdMap(std::vector<std::int64_t>{}).find(0) == IdMap::absent);
}

BOOST_AUTO_TEST_SUITE_END()

// Random ghosts against a model that every rank computes for all ranks. Values are integers (also those stored as
// double), so sums are exact and comparisons need no tolerance.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <memory>

#include "base/error.hpp"
#include "partition/count_allocations.hpp"
#include "partition/halo.hpp"
#include "partition/halo_channel.hpp"
#include "partition/helpers.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

constexpr std::int64_t n_entities = 300;

std::int64_t id_of(std::int64_t entity) { return 1'000'000'000'000 + 7 * entity; }

// A world of entities: owner, who ghosts what. `seed` makes different worlds.
struct World {
  std::int64_t seed;
  int owner(std::int64_t e) const {
    return static_cast<int>(hash({seed, e, 1}) % static_cast<std::uint64_t>(n_ranks()));
  }
  bool ghosted(std::int64_t e, int rank) const { return rank != owner(e) && hash({seed, e, rank, 2}) % 10 < 3; }
  bool used(std::int64_t e, int rank) const { return hash({seed, e, rank, 3}) % 2 == 0; }
  int length(std::int64_t e) const { return static_cast<int>(hash({seed, e, 4}) % 5); }  // 0 to 4 values
};

std::int64_t value(std::int64_t e, int rank, int k) { return static_cast<std::int64_t>(hash({e, rank, k, 5}) % 1000); }

// This rank's piece of a world: entities in local order.
struct Local {
  World world;
  Halo halo{MPI_COMM_WORLD};
  std::vector<std::int64_t> entities;

  Local(std::int64_t seed, GhostOrder order) : world{seed} { build(order); }
  void build(GhostOrder order) {
    entities.clear();
    std::vector<std::int64_t> owned;
    std::vector<Ghost> ghosts;
    for (std::int64_t k = n_entities - 1; k >= 0; --k) {  // descending ids, so grouping has to sort
      if (world.owner(k) == my_rank()) owned.push_back(id_of(k)), entities.push_back(k);
      if (world.ghosted(k, my_rank())) ghosts.push_back({id_of(k), world.owner(k)});
    }
    halo.build(owned, ghosts, order);
    for (const auto& ghost : halo.ghosts()) entities.push_back((ghost.id - id_of(0)) / 7);
  }
  std::vector<std::int32_t> offsets() const {
    std::vector<std::int32_t> result{0};
    for (const auto e : entities) result.push_back(result.back() + world.length(e));
    return result;
  }
  bool owns(std::size_t i) const { return i < static_cast<std::size_t>(halo.n_owned()); }

  template <class T>
  std::vector<T> field(const std::vector<std::int32_t>& begin) const {
    std::vector<T> values(static_cast<std::size_t>(begin.back()));
    for (std::size_t i = 0; i < entities.size(); ++i)
      for (int k = 0; k < begin[i + 1] - begin[i]; ++k)
        values[static_cast<std::size_t>(begin[i] + k)] = static_cast<T>(value(entities[i], my_rank(), k));
    return values;
  }
  // Owners keep theirs, ghosts get the owner's.
  template <class T>
  bool is_broadcast(const std::vector<T>& values, const std::vector<std::int32_t>& begin) const {
    bool good = true;
    for (std::size_t i = 0; i < entities.size(); ++i)
      for (int k = 0; k < begin[i + 1] - begin[i]; ++k)
        good = good && values[static_cast<std::size_t>(begin[i] + k)] ==
                           static_cast<T>(value(entities[i], world.owner(entities[i]), k));
    return good;
  }
  // Owners have the sum over all copies, ghosts keep theirs.
  template <class T>
  bool is_reduced(const std::vector<T>& values, const std::vector<std::int32_t>& begin) const {
    bool good = true;
    for (std::size_t i = 0; i < entities.size(); ++i)
      for (int k = 0; k < begin[i + 1] - begin[i]; ++k) {
        const auto e = entities[i];
        std::int64_t expected = value(e, my_rank(), k);
        for (int r = 0; owns(i) && r < n_ranks(); ++r)
          if (world.ghosted(e, r)) expected += value(e, r, k);
        good = good && values[static_cast<std::size_t>(begin[i] + k)] == static_cast<T>(expected);
      }
    return good;
  }
};

std::vector<std::int32_t> uniform_offsets(std::size_t n, int stride) {
  std::vector<std::int32_t> result(n + 1);
  for (std::size_t i = 0; i <= n; ++i) result[i] = static_cast<std::int32_t>(i) * stride;
  return result;
}

const GhostOrder both_orders[] = {GhostOrder::grouped, GhostOrder::as_given};

}  // namespace

BOOST_AUTO_TEST_SUITE(halo)

BOOST_AUTO_TEST_CASE(topology_is_consistent) {
  for (const auto order : both_orders) {
    const Local local(11, order);
    const auto& h = local.halo;
    std::int32_t sent = 0, received = 0;
    int last_rank = -1;
    for (const auto& n : h.neighbours()) {
      BOOST_TEST(n.rank > last_rank);
      BOOST_TEST(n.rank != my_rank());
      last_rank = n.rank;
      BOOST_TEST(n.send_begin <= n.send_end);
      sent += n.send_end - n.send_begin;
      received += n.recv_end - n.recv_begin;
      for (auto k = n.recv_begin; k < n.recv_end; ++k) {
        const auto i = h.recv_indices()[k];
        BOOST_TEST(h.ghosts()[i - h.n_owned()].owner == n.rank);
        if (order == GhostOrder::grouped) BOOST_TEST(i == h.n_owned() + k);
      }
      for (auto k = n.send_begin; k < n.send_end; ++k) {
        const auto i = h.send_indices()[k];
        BOOST_TEST(i < h.n_owned());
        BOOST_TEST(local.world.ghosted(local.entities[i], n.rank));
      }
    }
    BOOST_TEST(received == h.n_ghosts());
    BOOST_TEST(sent == static_cast<std::int32_t>(h.send_indices().size()));
    if (order == GhostOrder::as_given)
      BOOST_TEST(std::is_sorted(h.ghosts().begin(), h.ghosts().end(), [](auto a, auto b) { return a.id > b.id; }));
  }
}

BOOST_AUTO_TEST_CASE(fixed_stride_broadcast_and_reduce) {
  for (const auto order : both_orders)
    for (const int stride : {1, 3, 6}) {
      const Local local(20 + stride, order);
      const auto begin = uniform_offsets(local.entities.size(), stride);
      HaloChannel<double> channel(local.halo, stride);
      for (int repeat = 0; repeat < 3; ++repeat) {
        auto values = local.field<double>(begin);
        channel.reduce_add(values);
        BOOST_TEST(local.is_reduced(values, begin));
        values = local.field<double>(begin);
        channel.broadcast(values);
        BOOST_TEST(local.is_broadcast(values, begin));
      }
    }
}

BOOST_AUTO_TEST_CASE(variable_blocks_broadcast_and_reduce) {
  for (const auto order : both_orders) {
    const Local local(31, order);
    const auto begin = local.offsets();
    HaloChannel<std::int64_t> channel(local.halo, begin);
    auto values = local.field<std::int64_t>(begin);
    channel.broadcast(values);
    BOOST_TEST(local.is_broadcast(values, begin));
    values = local.field<std::int64_t>(begin);
    channel.reduce_add(values);
    BOOST_TEST(local.is_reduced(values, begin));
  }
}

BOOST_AUTO_TEST_CASE(operations_in_flight_together_do_not_mix_and_leave_the_array_free) {
  const Local local(41, GhostOrder::grouped);
  const auto begin_a = uniform_offsets(local.entities.size(), 2), begin_b = local.offsets();
  HaloChannel<double> first(local.halo, 2), second(local.halo, 2), third(local.halo, begin_b);
  auto a = local.field<double>(begin_a), b = a, c = local.field<double>(begin_b);
  first.broadcast_start(a);
  second.reduce_add_start(b);
  third.broadcast_start(c);
  // What start() has read may change before finish(): the owners' values in a broadcast.
  const auto owned = static_cast<std::size_t>(begin_a[static_cast<std::size_t>(local.halo.n_owned())]);
  const auto keep = a;
  std::fill_n(a.begin(), owned, -1.);
  third.broadcast_finish(c);
  second.reduce_add_finish(b);
  first.broadcast_finish(a);
  BOOST_TEST(std::all_of(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(owned), [](double x) { return x == -1.; }));
  std::copy_n(keep.begin(), owned, a.begin());
  BOOST_TEST(local.is_broadcast(a, begin_a));
  BOOST_TEST(local.is_reduced(b, begin_a));
  BOOST_TEST(local.is_broadcast(c, begin_b));
}

BOOST_AUTO_TEST_CASE(exchanges_do_not_allocate) {
  const Local local(51, GhostOrder::as_given);
  const auto begin = local.offsets();
  HaloChannel<double> channel(local.halo, begin);
  auto values = local.field<double>(begin);
  const long before = allocations();
  for (int repeat = 0; repeat < 5; ++repeat) {
    channel.broadcast(values);
    channel.reduce_add(values);
  }
  // Read before BOOST_TEST, which allocates itself.
  const long made = allocations() - before;
  BOOST_TEST(made == 0);
  // The counter works.
  const auto one = std::make_unique<Local>(52, GhostOrder::grouped);
  if (allocations_are_counted) BOOST_TEST(allocations() > before);
}

BOOST_AUTO_TEST_CASE(copies_count_the_ranks_that_use_an_entity) {
  for (const auto order : both_orders) {
    const Local local(61, order);
    std::vector<std::uint8_t> used;
    for (const auto e : local.entities) used.push_back(local.world.used(e, my_rank()));
    const auto copies = local.halo.copies(used);
    bool good = copies.size() == local.entities.size();
    for (std::size_t i = 0; good && i < copies.size(); ++i) {
      const auto e = local.entities[i];
      int expected = 0;
      for (int r = 0; r < n_ranks(); ++r)
        expected += (r == local.world.owner(e) || local.world.ghosted(e, r)) && local.world.used(e, r);
      good = copies[i] == expected;
    }
    BOOST_TEST(good);
  }
}

BOOST_AUTO_TEST_CASE(a_halo_can_be_built_again) {
  Local local(71, GhostOrder::grouped);
  local.world.seed = 72;
  local.build(GhostOrder::as_given);
  auto begin = uniform_offsets(local.entities.size(), 1);
  auto values = local.field<double>(begin);
  halo_broadcast<double>(local.halo, values);
  BOOST_TEST(local.is_broadcast(values, begin));

  local.halo.build({}, {});
  BOOST_TEST(local.halo.size() == 0);
  BOOST_TEST(local.halo.neighbours().empty());
  std::vector<double> nothing;
  halo_reduce_add<double>(local.halo, nothing, 6);
  BOOST_TEST(local.halo.copies({}).empty());
}

BOOST_AUTO_TEST_CASE(mistakes_of_one_rank_are_errors_on_all) {
  Halo h(MPI_COMM_WORLD);
  const std::vector<std::int64_t> owned{my_rank()};
  const bool guilty = my_rank() == n_ranks() - 1;
  const std::vector<Ghost> none, self{{5, my_rank()}}, outside{{5, n_ranks()}};
  BOOST_CHECK_THROW(h.build(owned, guilty ? self : none), RunError);
  BOOST_CHECK_THROW(h.build(owned, guilty ? outside : none), RunError);
  BOOST_CHECK_THROW(h.build(guilty ? std::vector<std::int64_t>{3, 3} : owned, none), RunError);
  if (n_ranks() > 1) {
    const std::vector<Ghost> unknown{{12345, 0}}, twice{{0, 0}, {0, 0}};
    BOOST_CHECK_THROW(h.build(owned, guilty ? unknown : none), RunError);
    BOOST_CHECK_THROW(h.build(owned, guilty ? twice : none), RunError);
    // A ghost with more values than its owner's block.
    const std::vector<Ghost> one{{0, 0}};
    h.build(owned, guilty ? one : none);
    std::vector<std::int32_t> begin{0, 2};
    if (guilty) begin.push_back(5);
    BOOST_CHECK_THROW(HaloChannel<double>(h, begin), RunError);
  }
}

BOOST_AUTO_TEST_SUITE_END()

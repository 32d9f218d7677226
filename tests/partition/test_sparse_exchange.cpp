#include <boost/test/unit_test.hpp>
#include <chrono>
#include <numeric>
#include <thread>

#include "base/error.hpp"
#include "partition/helpers.hpp"
#include "partition/pack.hpp"
#include "partition/sparse_exchange.hpp"

using namespace percussion;
using namespace percussion::test;

namespace {

using Bytes = std::vector<std::byte>;

// What `from` sends to `to` in round `round`: 0 to 2 messages of 0 to 2000 bytes.
std::vector<Bytes> traffic(int round, int from, int to) {
  std::vector<Bytes> messages(hash({round, from, to}) % 3);
  for (std::size_t m = 0; m < messages.size(); ++m) {
    const auto seed = static_cast<std::int64_t>(m);
    messages[m].resize(hash({round, from, to, seed, 1}) % 5 == 0 ? 0 : hash({round, from, to, seed, 2}) % 2000);
    for (std::size_t k = 0; k < messages[m].size(); ++k)
      messages[m][k] = static_cast<std::byte>(hash({round, from, to, seed, static_cast<std::int64_t>(k)}));
  }
  return messages;
}

// The same delivery through MPI_Alltoall(v): per source, the list of messages.
std::vector<std::vector<Bytes>> dense_exchange(int round) {
  const auto ranks = static_cast<std::size_t>(n_ranks());
  Bytes out;
  std::vector<int> out_size, in_size(ranks), out_begin(ranks + 1, 0), in_begin(ranks + 1, 0);
  for (int to = 0; to < n_ranks(); ++to) {
    Packer packer;
    const auto messages = traffic(round, my_rank(), to);
    packer.put(messages.size());
    for (const auto& message : messages) packer.put_array(message);
    const auto packed = packer.take();
    out_size.push_back(static_cast<int>(packed.size()));
    out.insert(out.end(), packed.begin(), packed.end());
  }
  MPI_Alltoall(out_size.data(), 1, MPI_INT, in_size.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::partial_sum(out_size.begin(), out_size.end(), out_begin.begin() + 1);
  std::partial_sum(in_size.begin(), in_size.end(), in_begin.begin() + 1);
  Bytes in(static_cast<std::size_t>(in_begin.back()));
  MPI_Alltoallv(out.data(), out_size.data(), out_begin.data(), MPI_BYTE, in.data(), in_size.data(), in_begin.data(),
                MPI_BYTE, MPI_COMM_WORLD);
  std::vector<std::vector<Bytes>> result(ranks);
  Unpacker unpacker(in);
  for (auto& messages : result) {
    messages.resize(unpacker.get<std::size_t>());
    for (auto& message : messages) message = unpacker.get_array<std::byte>();
  }
  return result;
}

std::vector<Message> sparse_round(int round) {
  std::vector<Message> outgoing;
  for (int to = n_ranks() - 1; to >= 0; --to)
    for (auto& data : traffic(round, my_rank(), to)) outgoing.push_back({to, std::move(data)});
  return sparse_exchange(MPI_COMM_WORLD, std::move(outgoing));
}

void check_round(int round, const std::vector<Message>& received) {
  const auto expected = dense_exchange(round);
  std::size_t k = 0;
  bool same = true;
  for (int from = 0; from < n_ranks(); ++from)
    for (const auto& data : expected[static_cast<std::size_t>(from)]) {
      same = same && k < received.size() && received[k].rank == from && received[k].data == data;
      ++k;
    }
  BOOST_TEST(same, "round " << round);
  BOOST_TEST(received.size() == k, "round " << round);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sparse_exchange_)

BOOST_AUTO_TEST_CASE(random_traffic_arrives_as_through_alltoall) {
  for (int round = 0; round < 50; ++round) check_round(round, sparse_round(round));
}

// No collective between the calls: a fast rank is already sending the next round while a slow one still listens to
// this one. Only the alternating tags keep them apart.
BOOST_AUTO_TEST_CASE(consecutive_calls_of_ranks_out_of_step_do_not_mix) {
  constexpr int rounds = 60;
  std::vector<std::vector<Message>> received;
  for (int round = 0; round < rounds; ++round) {
    if (hash({round, my_rank(), 99}) % 4 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    received.push_back(sparse_round(1000 + round));
  }
  for (int round = 0; round < rounds; ++round) check_round(1000 + round, received[static_cast<std::size_t>(round)]);
}

BOOST_AUTO_TEST_CASE(large_messages_pass) {
  // Beyond the eager limit of every transport, so the rendezvous path is used.
  constexpr std::size_t bytes = 3'000'000;
  const int next = (my_rank() + 1) % n_ranks(), previous = (my_rank() + n_ranks() - 1) % n_ranks();
  const auto received =
      sparse_exchange(MPI_COMM_WORLD, {{next, Bytes(bytes, static_cast<std::byte>(my_rank()))}});
  BOOST_TEST(received.size() == 1U);
  BOOST_TEST((received.at(0).data == Bytes(bytes, static_cast<std::byte>(previous))));
  BOOST_TEST(received.at(0).rank == previous);
}

BOOST_AUTO_TEST_CASE(silence_is_allowed) {
  BOOST_TEST(sparse_exchange(MPI_COMM_WORLD, {}).empty());
}

BOOST_AUTO_TEST_CASE(a_wrong_destination_on_one_rank_is_an_error_on_all_and_harms_nothing_after_it) {
  std::vector<Message> outgoing{{0, Bytes(10)}};
  if (my_rank() == n_ranks() - 1) outgoing.push_back({n_ranks(), Bytes(1)});
  BOOST_CHECK_EXCEPTION(sparse_exchange(MPI_COMM_WORLD, outgoing), RunError, [](const RunError& e) {
    return std::string(e.what()).find("destination rank " + std::to_string(n_ranks())) != std::string::npos;
  });
  check_round(7, sparse_round(7));
}

BOOST_AUTO_TEST_CASE(two_gigabytes_are_refused_on_all_ranks, *boost::unit_test::label("long")) {
  std::vector<Message> outgoing;
  if (my_rank() == 0) outgoing.push_back({n_ranks() - 1, Bytes(std::size_t{1} << 31)});
  BOOST_CHECK_EXCEPTION(sparse_exchange(MPI_COMM_WORLD, std::move(outgoing)), RunError, [](const RunError& e) {
    return std::string(e.what()).find("2147483648 bytes") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()

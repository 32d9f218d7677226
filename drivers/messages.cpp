// percussion messages [--repeat N]
// Latency and bandwidth of messages between neighbours and the time of a reduction: the constants of docs/performance.md's model.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "command.hpp"

namespace percussion {

namespace {

/// Seconds of one `exchange`, the shortest of several rounds: others on the machine only make it longer.
template <class Exchange>
double shortest(MPI_Comm comm, int repeat, Exchange&& exchange) {
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 20; ++round) {
    MPI_Barrier(comm);
    const double begin = MPI_Wtime();
    for (int k = 0; k < repeat; ++k) exchange();
    least = std::min(least, (MPI_Wtime() - begin) / repeat);
  }
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MAX, comm);
  return least;
}

/// Each rank with the next one in pairs (0-1, 2-3, ...), both ways at once with persistent requests, as halo channels do.
int messages(const Session& session, int repeat) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(session.comm, &rank);
  MPI_Comm_size(session.comm, &ranks);
  if (ranks < 2) throw RunError("messages need two ranks at least: mpirun -n 2 percussion messages");
  const int partner = rank % 2 == 0 ? (rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL) : rank - 1;
  if (session.is_root) fmt::print("{:>10} {:>14} {:>12}\n", "bytes", "microseconds", "GB/s");
  for (int bytes = 8; bytes <= 4 << 20; bytes *= 8) {
    std::vector<char> out(bytes), in(bytes);
    MPI_Request requests[2];
    MPI_Recv_init(in.data(), bytes, MPI_CHAR, partner, 0, session.comm, &requests[0]);
    MPI_Send_init(out.data(), bytes, MPI_CHAR, partner, 0, session.comm, &requests[1]);
    const double seconds = shortest(session.comm, std::max(1, std::min(repeat, (64 << 20) / bytes)), [&] {
      MPI_Startall(2, requests);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    });
    for (MPI_Request& request : requests) MPI_Request_free(&request);
    if (session.is_root) fmt::print("{:>10} {:>14.2f} {:>12.3f}\n", bytes, 1e6 * seconds, 1e-9 * bytes / seconds);
  }
  const double reduction = shortest(session.comm, repeat, [&] {
    double values[2] = {1, 2};
    MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_DOUBLE, MPI_SUM, session.comm);
  });
  if (session.is_root) fmt::print("reduction of two numbers over {} ranks: {:.2f} microseconds\n", ranks, 1e6 * reduction);
  return exit_ok;
}

}  // namespace

void add_messages(CLI::App& app, Session& session) {
  CLI::App& command = *app.add_subcommand("messages", "Measure latency and bandwidth of messages between ranks (for postprocess/performance_model.py)");
  const auto repeat = std::make_shared<int>(1000);
  command.add_option("--repeat", *repeat, "messages per measurement")->check(CLI::PositiveNumber)->capture_default_str();
  command.callback([&session, repeat] { session.action = [&session, repeat] { return messages(session, *repeat); }; });
}

}  // namespace percussion

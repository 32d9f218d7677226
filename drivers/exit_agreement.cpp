#include "exit_agreement.hpp"

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/error.hpp"
#include "base/log.hpp"

namespace percussion {

namespace {

/// Ranks that fail together arrive within milliseconds; the rest is for a loaded machine.
constexpr auto patience = std::chrono::seconds(5);

bool completed(MPI_Request& request) {
  const auto until = std::chrono::steady_clock::now() + patience;
  int done = 0;
  while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return done != 0;
}

}  // namespace

ExitAgreement::ExitAgreement(MPI_Comm comm) {
  MPI_Comm_dup(comm, &comm_);
  MPI_Comm_rank(comm_, &rank_);
}

ExitAgreement::~ExitAgreement() { MPI_Comm_free(&comm_); }

int ExitAgreement::run(const std::function<int()>& action) {
  try {
    return agree(action(), nullptr);
  } catch (const InputError& e) {
    return agree(exit_input, e.what());
  } catch (const RunError& e) {
    return agree(exit_run, e.what());
  } catch (const std::exception& e) {
    return agree(exit_internal, (std::string(e.what()) + "\nThis is a defect of the program: please report it with the input.").c_str());
  } catch (...) {
    return agree(exit_internal, "unknown exception");
  }
}

int ExitAgreement::agree(int code, const char* message) {
  // Worst code, and the lowest rank with a message (negated, so that one maximum finds both).
  const int mine[2] = {code, message ? -rank_ : -(1 << 30)};
  int all[2] = {code, mine[1]};
  MPI_Request request;
  MPI_Iallreduce(mine, all, 2, MPI_INT, MPI_MAX, comm_, &request);
  if (!message) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (!completed(request)) {
    log::error("{}", message);
    if (rank_ == 0) log::error("raised on rank 0 only: the job is aborted");
    MPI_Abort(comm_, code);
  }
  if (message && -all[1] == rank_) log::error("{}", message);
  return all[0];
}

}  // namespace percussion

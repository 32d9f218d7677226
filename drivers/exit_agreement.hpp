// How a run ends: all ranks with one exit code and one message, and nobody hangs.
//
// Errors that are the same on all ranks (InputError, all_or_none) end quietly: the lowest rank prints, all return. If an
// exception leaves one rank only, the others may wait for it for ever: it prints its rank and aborts the job.
#pragma once
#include <mpi.h>

#include <functional>

namespace percussion {

class ExitAgreement {
 public:
  /// Collective. A communicator of its own, so that its messages never match those of the failing code.
  explicit ExitAgreement(MPI_Comm comm);
  ~ExitAgreement();
  ExitAgreement(const ExitAgreement&) = delete;
  ExitAgreement& operator=(const ExitAgreement&) = delete;

  /// Collective. Runs `action`, turns exceptions into messages and exit codes (base/error.hpp), returns the worst code.
  int run(const std::function<int()>& action);

 private:
  int agree(int code, const char* message);
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
};

}  // namespace percussion

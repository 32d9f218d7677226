// An action that throws on rank 1 while the others wait for it: what the executable must not hang in.
#include <mpi.h>

#include <stdexcept>

#include "base/log.hpp"
#include "exit_agreement.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, code = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  percussion::log::start(MPI_COMM_WORLD, spdlog::level::info);
  {
    percussion::ExitAgreement agreement(MPI_COMM_WORLD);
    code = agreement.run([rank] {
      if (rank == 1) throw std::runtime_error("lost on the way");
      MPI_Barrier(MPI_COMM_WORLD);
      return 0;
    });
  }
  MPI_Finalize();
  return code;
}

// A folder for the files of one test case: made by rank 0, known to all ranks, gone at the end. Collective.
#pragma once
#include <mpi.h>
#include <stdlib.h>

#include <array>
#include <cstdio>
#include <filesystem>

class ScratchFolder {
 public:
  ScratchFolder() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    // In the working folder: unlike the system's temporary folder it is shared between machines.
    std::array<char, 32> name{};
    std::snprintf(name.data(), name.size(), "scratch_XXXXXX");
    if (rank_ == 0 && !::mkdtemp(name.data())) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    path_ = std::filesystem::absolute(name.data());
  }
  ~ScratchFolder() {
    MPI_Barrier(MPI_COMM_WORLD);
    std::error_code ignored;
    if (rank_ == 0) std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  int rank_ = 0;
  std::filesystem::path path_;
};

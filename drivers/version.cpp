#include "version.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include "percussion_config.hpp"

namespace percussion {

std::string version_text() {
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(library, &length);
  const std::string mpi(library, static_cast<std::size_t>(length));
  return fmt::format(
      "percussion {} ({})\n"
      "compiler     {}, {}\n"
      "MPI          {}\n"
      "partitioner  {}\n"
      "PETSc        {}\n"
      "HDF5         {}\n"
      "VTK          {}",
      config::version, config::git_revision, config::compiler, config::build_type, mpi.substr(0, mpi.find_first_of(",\n")),
      config::parmetis, config::petsc_version, config::hdf5_version, config::vtk_version);
}

}  // namespace percussion

# Every third-party library, found once. Which layer uses which one is said in src/CMakeLists.txt.
# All of them are imported targets, so their headers are system includes and raise no warnings of ours.

find_package(PkgConfig REQUIRED)
find_package(MPI REQUIRED COMPONENTS C CXX)

pkg_search_module(PETSC REQUIRED IMPORTED_TARGET PETSc petsc)
# A distribution's hardening flags are no part of the interface (and _FORTIFY_SOURCE upsets ASan).
get_target_property(petsc_options PkgConfig::PETSC INTERFACE_COMPILE_OPTIONS)
if(petsc_options)
  list(FILTER petsc_options EXCLUDE REGEX "^-(Wdate-time|D_FORTIFY_SOURCE)")
  set_target_properties(PkgConfig::PETSC PROPERTIES INTERFACE_COMPILE_OPTIONS "${petsc_options}")
endif()

find_package(ParMETIS REQUIRED)

# Before VTK, which would otherwise settle on the serial HDF5.
set(HDF5_PREFER_PARALLEL TRUE)
find_package(HDF5 REQUIRED COMPONENTS C)
if(NOT HDF5_IS_PARALLEL)
  message(FATAL_ERROR "The HDF5 found (${HDF5_C_LIBRARIES}) is serial; Percussion needs a parallel HDF5 "
                      "(Debian: libhdf5-openmpi-dev; elsewhere set HDF5_ROOT).")
endif()
find_package(VTK 9.1 REQUIRED
             COMPONENTS CommonCore CommonDataModel CommonExecutionModel
                        IOXML IOParallelXML ParallelCore ParallelMPI)

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
pkg_check_modules(MUPARSER REQUIRED IMPORTED_TARGET muparser)

# HDF5 1.10's FindHDF5 targets carry no MPI include path, ours do by layer order (base brings MPI).
add_library(percussion_hdf5 INTERFACE)
target_include_directories(percussion_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_link_libraries(percussion_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
target_compile_definitions(percussion_hdf5 INTERFACE ${HDF5_C_DEFINITIONS})

add_library(percussion_yaml INTERFACE)
target_link_libraries(percussion_yaml
  INTERFACE $<IF:$<TARGET_EXISTS:yaml-cpp::yaml-cpp>,yaml-cpp::yaml-cpp,yaml-cpp>)

# The C++ bindings of MPI are dead code; without these, <mpi.h> would pull them in.
add_library(percussion_mpi INTERFACE)
target_link_libraries(percussion_mpi INTERFACE MPI::MPI_CXX)
target_compile_definitions(percussion_mpi INTERFACE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)

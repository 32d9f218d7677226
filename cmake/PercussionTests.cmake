# percussion_add_test_suite(<folder> LAYER <layer> RANKS <n>... TIMEOUT <seconds> [STARTS_MPIRUN])
#
# Executable test_<folder> of tests/<folder>/*.cpp and tests/main.cpp, and one ctest <folder>.np<n> per
# number of ranks. Test cases decorated with label("long") go to <folder>.long.np<n>, labelled `long`.
# STARTS_MPIRUN: the tests run the program from outside, on one process that is itself no MPI process.

set(PERCUSSION_TEST_ENVIRONMENT
  OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 SCOTCH_PTHREAD_NUMBER=1
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  OMPI_MCA_rmaps_base_oversubscribe=1)
if(PERCUSSION_SANITIZE)
  list(APPEND PERCUSSION_TEST_ENVIRONMENT
    ASAN_OPTIONS=fast_unwind_on_malloc=0:detect_stack_use_after_return=1
    UBSAN_OPTIONS=print_stacktrace=1
    LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.supp:print_suppressions=0)
endif()

configure_file("${CMAKE_CURRENT_LIST_DIR}/test_paths.hpp.in" "${PROJECT_BINARY_DIR}/generated/test_paths.hpp" @ONLY)

add_library(percussion_test_main OBJECT "${PROJECT_SOURCE_DIR}/tests/main.cpp")
target_link_libraries(percussion_test_main PUBLIC Boost::unit_test_framework
                      PRIVATE percussion_options ${PERCUSSION_BASE_LIBRARIES})
target_compile_definitions(percussion_test_main PUBLIC BOOST_TEST_DYN_LINK)
if(PERCUSSION_SANITIZE)
  target_sources(percussion_test_main PRIVATE "${PROJECT_SOURCE_DIR}/tests/asan_dlclose.cpp")
endif()
if(PERCUSSION_PCH)
  target_precompile_headers(percussion_test_main PRIVATE <boost/test/unit_test.hpp> ${PERCUSSION_PCH_HEADERS})
endif()

# One ctest; `filter` is Boost.Test's --run_test argument.
function(percussion_add_test name target ranks timeout labels filter)
  # One rank runs without mpirun: quicker to start, and a test may then start mpirun itself.
  set(launch "")
  if(ranks GREATER 1)
    set(launch "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_PREFLAGS} "${MPIEXEC_NUMPROC_FLAG}" ${ranks})
  endif()
  set(work "${CMAKE_CURRENT_BINARY_DIR}/work/${name}")
  file(MAKE_DIRECTORY "${work}")
  add_test(NAME ${name} COMMAND ${launch} $<TARGET_FILE:${target}> "--run_test=${filter}"
           WORKING_DIRECTORY "${work}")
  set_tests_properties(${name} PROPERTIES
    PROCESSORS ${ranks} TIMEOUT ${timeout} LABELS "${labels}" ENVIRONMENT "${PERCUSSION_TEST_ENVIRONMENT}")
endfunction()

function(percussion_add_test_suite folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STARTS_MPIRUN" "LAYER;TIMEOUT" "RANKS")
  set(target test_${folder})
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${folder}/*.cpp")
  if(NOT sources)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY PERCUSSION_TEST_SUITES ${folder})

  add_executable(${target} ${sources})
  target_link_libraries(${target} PRIVATE percussion_options percussion_${arg_LAYER})
  if(arg_STARTS_MPIRUN)
    target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests/main_without_mpi.cpp")
    target_link_libraries(${target} PRIVATE Boost::unit_test_framework)
    target_compile_definitions(${target} PRIVATE BOOST_TEST_DYN_LINK)
    if(TARGET percussion)
      add_dependencies(${target} percussion)
    endif()
  else()
    target_link_libraries(${target} PRIVATE percussion_test_main)
  endif()
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_BINARY_DIR}/generated")
  if(PERCUSSION_PCH)
    target_precompile_headers(${target} REUSE_FROM percussion_test_main)
  endif()

  set(long_cases "")
  foreach(source IN LISTS sources)
    file(STRINGS "${source}" found REGEX "label\\(\"long\"\\)")
    list(APPEND long_cases ${found})
  endforeach()
  foreach(ranks IN LISTS arg_RANKS)
    percussion_add_test(${folder}.np${ranks} ${target} ${ranks} ${arg_TIMEOUT} "np${ranks};${folder}" "!@long")
    if(long_cases)
      math(EXPR long_timeout "10 * ${arg_TIMEOUT}")
      percussion_add_test(${folder}.long.np${ranks} ${target} ${ranks} ${long_timeout}
                          "np${ranks};${folder};long" "@long")
    endif()
  endforeach()
endfunction()

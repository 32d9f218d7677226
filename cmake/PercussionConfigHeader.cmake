# Writes <build>/generated/percussion_config.hpp: what was built, from which sources, with which libraries.

set(PERCUSSION_GIT_REVISION "unknown")
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
  execute_process(COMMAND "${GIT_EXECUTABLE}" describe --always --dirty --abbrev=12
                  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
                  OUTPUT_VARIABLE revision RESULT_VARIABLE status
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(status EQUAL 0 AND revision)
    set(PERCUSSION_GIT_REVISION "${revision}")
  endif()
  # A new commit configures again, so that the revision in the run header is not an old one.
  if(EXISTS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
  endif()
endif()

if(ParMETIS_IS_REAL)
  set(PERCUSSION_PARMETIS_IS_REAL true)
else()
  set(PERCUSSION_PARMETIS_IS_REAL false)
endif()

configure_file("${PROJECT_SOURCE_DIR}/cmake/percussion_config.hpp.in"
               "${PROJECT_BINARY_DIR}/generated/percussion_config.hpp" @ONLY)

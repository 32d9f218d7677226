# ParMETIS: the real library if it is there, else the ParMETIS interface of PT-Scotch.
#
# Hints:  ParMETIS_ROOT, METIS_ROOT, CMAKE_PREFIX_PATH
# Result: target ParMETIS::ParMETIS, which defines PERCUSSION_PARMETIS_REAL=1 or PERCUSSION_PARMETIS_PTSCOTCH=1
#         ParMETIS_IS_REAL         TRUE for the real library
#         ParMETIS_IMPLEMENTATION  readable name with version, for the summary and the run header
#
# PT-Scotch offers only PartKway, PartGeomKway and NodeND; the real library has AdaptiveRepart too.

include(FindPackageHandleStandardArgs)

# The real header names its version; PT-Scotch's look-alike does not.
set(ParMETIS_IS_REAL FALSE)
find_path(ParMETIS_REAL_INCLUDE_DIR parmetis.h)
if(ParMETIS_REAL_INCLUDE_DIR)
  file(STRINGS "${ParMETIS_REAL_INCLUDE_DIR}/parmetis.h" version_lines
       REGEX "^#define[ \t]+PARMETIS_(MAJOR|MINOR|SUBMINOR)_VERSION[ \t]+[0-9]+")
  if(version_lines)
    string(REGEX REPLACE "[^0-9;]" "" version_numbers "${version_lines}")
    list(JOIN version_numbers "." ParMETIS_VERSION)
    find_library(ParMETIS_REAL_LIBRARY parmetis HINTS "${ParMETIS_REAL_INCLUDE_DIR}/../lib")
    find_library(METIS_LIBRARY metis HINTS "${ParMETIS_REAL_INCLUDE_DIR}/../lib")
    find_path(METIS_INCLUDE_DIR metis.h HINTS "${ParMETIS_REAL_INCLUDE_DIR}")
    find_library(GKLIB_LIBRARY GKlib HINTS "${ParMETIS_REAL_INCLUDE_DIR}/../lib")
    mark_as_advanced(ParMETIS_REAL_LIBRARY METIS_LIBRARY METIS_INCLUDE_DIR GKLIB_LIBRARY)
    if(ParMETIS_REAL_LIBRARY AND METIS_LIBRARY AND METIS_INCLUDE_DIR)
      set(ParMETIS_IS_REAL TRUE)
    endif()
  endif()
endif()

if(ParMETIS_IS_REAL)
  set(ParMETIS_IMPLEMENTATION "ParMETIS ${ParMETIS_VERSION}")
  set(ParMETIS_INCLUDE_DIRS "${ParMETIS_REAL_INCLUDE_DIR}" "${METIS_INCLUDE_DIR}")
  set(ParMETIS_LIBRARIES "${ParMETIS_REAL_LIBRARY}" "${METIS_LIBRARY}")
  if(GKLIB_LIBRARY)
    list(APPEND ParMETIS_LIBRARIES "${GKLIB_LIBRARY}")
  endif()
  set(ParMETIS_DEFINITION PERCUSSION_PARMETIS_REAL=1)
else()
  # Debian's default variant, not one of its -int32/-int64 folders: PETSc and MUMPS load that one, and two
  # PT-Scotch libraries in one process would mix up their symbols.
  find_path(ParMETIS_PTSCOTCH_INCLUDE_DIR parmetis.h PATH_SUFFIXES parmetis scotch)
  find_path(SCOTCH_INCLUDE_DIR scotch.h PATH_SUFFIXES scotch)
  # ptscotchparmetisv3 is the name since Scotch 6.1, ptscotchparmetis the one before.
  find_library(ParMETIS_PTSCOTCH_LIBRARY NAMES ptscotchparmetisv3 ptscotchparmetis)
  find_library(PTSCOTCH_LIBRARY ptscotch)
  find_library(PTSCOTCHERR_LIBRARY ptscotcherr)
  mark_as_advanced(ParMETIS_PTSCOTCH_INCLUDE_DIR SCOTCH_INCLUDE_DIR ParMETIS_PTSCOTCH_LIBRARY
                   PTSCOTCH_LIBRARY PTSCOTCHERR_LIBRARY)
  set(ParMETIS_VERSION "")
  if(SCOTCH_INCLUDE_DIR)
    file(STRINGS "${SCOTCH_INCLUDE_DIR}/scotch.h" version_lines
         REGEX "^#define[ \t]+SCOTCH_(VERSION|RELEASE|PATCHLEVEL)[ \t]+[0-9]+")
    string(REGEX REPLACE "[^0-9;]" "" version_numbers "${version_lines}")
    list(JOIN version_numbers "." ParMETIS_VERSION)
  endif()
  set(ParMETIS_IMPLEMENTATION "PT-Scotch ${ParMETIS_VERSION} (ParMETIS interface)")
  set(ParMETIS_INCLUDE_DIRS "${ParMETIS_PTSCOTCH_INCLUDE_DIR}")
  set(ParMETIS_LIBRARIES "${ParMETIS_PTSCOTCH_LIBRARY}" "${PTSCOTCH_LIBRARY}" "${PTSCOTCHERR_LIBRARY}")
  set(ParMETIS_DEFINITION PERCUSSION_PARMETIS_PTSCOTCH=1)
endif()
mark_as_advanced(ParMETIS_REAL_INCLUDE_DIR)

find_package_handle_standard_args(ParMETIS
  REQUIRED_VARS ParMETIS_LIBRARIES ParMETIS_INCLUDE_DIRS
  VERSION_VAR ParMETIS_VERSION
  REASON_FAILURE_MESSAGE "neither ParMETIS (set ParMETIS_ROOT) nor PT-Scotch's interface (Debian: libscotchparmetis-dev)")

if(ParMETIS_FOUND AND NOT TARGET ParMETIS::ParMETIS)
  add_library(ParMETIS::ParMETIS INTERFACE IMPORTED)
  set_target_properties(ParMETIS::ParMETIS PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${ParMETIS_INCLUDE_DIRS}"
    INTERFACE_LINK_LIBRARIES "${ParMETIS_LIBRARIES}"
    INTERFACE_COMPILE_DEFINITIONS "${ParMETIS_DEFINITION}")
endif()

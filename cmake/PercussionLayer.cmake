# percussion_add_layer(<layer> AFTER <left layer> [LIBRARIES <third-party>...])
#
# Shared library percussion_<layer> of all src/<layer>/*.cpp, linked to the layer on its left. Nothing
# may stay undefined, so a call to a layer on the right fails at link time. A layer without sources yet
# is an interface library, so that the tree configures at any time.

# One precompiled header for all layers: their flags are the same, and the list is the heavy part of
# what most files include anyway. A file must still include what it uses (PERCUSSION_PCH=OFF checks it).
set(PERCUSSION_PCH_HEADERS
  <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <numeric> <optional> <span> <string>
  <string_view> <unordered_map> <utility> <variant> <vector>
  <Eigen/Dense> <mpi.h> <petscksp.h> <fmt/format.h>)

set(PERCUSSION_BASE_LIBRARIES percussion_mpi PkgConfig::PETSC Eigen3::Eigen fmt::fmt spdlog::spdlog)

if(PERCUSSION_PCH)
  file(WRITE "${PROJECT_BINARY_DIR}/generated/pch.cpp.new" "")
  file(COPY_FILE "${PROJECT_BINARY_DIR}/generated/pch.cpp.new" "${PROJECT_BINARY_DIR}/generated/pch.cpp"
       ONLY_IF_DIFFERENT)
  add_library(percussion_pch OBJECT "${PROJECT_BINARY_DIR}/generated/pch.cpp")
  set_target_properties(percussion_pch PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(percussion_pch PRIVATE percussion_options ${PERCUSSION_BASE_LIBRARIES})
  target_precompile_headers(percussion_pch PRIVATE ${PERCUSSION_PCH_HEADERS})
endif()

function(percussion_add_layer layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "AFTER" "LIBRARIES")
  set(target percussion_${layer})
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/*.cpp")

  if(sources)
    set(kind PUBLIC)
    add_library(${target} SHARED ${sources})
    target_link_libraries(${target} PRIVATE percussion_options)
    target_link_options(${target} PRIVATE -Wl,--no-undefined)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN" DEFINE_SYMBOL "")
    if(PERCUSSION_PCH)
      target_precompile_headers(${target} REUSE_FROM percussion_pch)
    endif()
    install(TARGETS ${target} LIBRARY DESTINATION lib)
    set_property(GLOBAL APPEND PROPERTY PERCUSSION_LAYERS_WITH_SOURCES ${layer})
  else()
    set(kind INTERFACE)
    add_library(${target} INTERFACE)
  endif()

  target_include_directories(${target}
    ${kind} "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/generated")
  target_link_libraries(${target} ${kind} ${arg_LIBRARIES})
  if(arg_AFTER)
    target_link_libraries(${target} ${kind} percussion_${arg_AFTER})
  endif()
endfunction()

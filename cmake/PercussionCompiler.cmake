# Compiler settings shared by all our targets, carried by the interface target percussion_options.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo or MinSizeRel" FORCE)
endif()

set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

# Build and install trees can both be moved; third-party folders outside the system paths stay absolute.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# ccache needs the sloppiness and -fpch-preprocess (below) to give hits with precompiled headers.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env "CCACHE_SLOPPINESS=pch_defines,time_macros" "${CCACHE_PROGRAM}")
endif()

add_library(percussion_options INTERFACE)
# No -ffast-math: the solvers rely on NaN and infinity. errno and traps are used nowhere. Symbols of
# the layers are never interposed, so calls within one library may be inlined.
target_compile_options(percussion_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow
  $<$<BOOL:${PERCUSSION_WERROR}>:-Werror>
  $<$<BOOL:${PERCUSSION_NATIVE}>:-march=native>
  -fno-math-errno -fno-trapping-math -fno-semantic-interposition
  $<$<AND:$<BOOL:${PERCUSSION_PCH}>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess>)
# g++ 12 sees overlaps and overflows in its own std::string (GCC bugs 105329, 105651) and uninitialised
# variables in its own AVX-512 header (105593). The asan preset sees real ones.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(percussion_options INTERFACE
    -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds -Wno-maybe-uninitialized)
endif()
target_compile_definitions(percussion_options INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)

# Integrators and contributions register themselves in libraries that nothing refers to by symbol,
# so no library may be dropped at link time.
target_link_options(percussion_options INTERFACE -Wl,--no-as-needed)

if(PERCUSSION_SANITIZE)
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_compile_options(percussion_options INTERFACE ${sanitize})
  target_link_options(percussion_options INTERFACE ${sanitize})
  target_compile_definitions(percussion_options INTERFACE PERCUSSION_SANITIZE=1)
endif()

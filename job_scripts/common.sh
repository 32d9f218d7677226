# shellcheck shell=bash
# Shared by the scripts in this folder (source it, do not run it): packages, environment, build.
#
#   PERCUSSION_PRESET  CMake preset to build: release (default), debug or asan
#   PERCUSSION_JOBS    parallel compile and test jobs (default: all cores, fewer if memory is short)

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=${PERCUSSION_PRESET:-release}
build=$root/build
[[ $preset == release ]] || build=$root/build-$preset

packages=(
  build-essential cmake ninja-build ccache git pkg-config
  openmpi-bin libopenmpi-dev petsc-dev libscotchparmetis-dev libhdf5-openmpi-dev libvtk9-dev
  libboost-test-dev libeigen3-dev libyaml-cpp-dev libcli11-dev libspdlog-dev libfmt-dev libmuparser-dev
  python3-numpy python3-h5py python3-matplotlib
)

say() { printf '\n== %s\n' "$*"; }

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
  done
}

# Debian: installs what is missing, as root or through sudo; without either, prints the line and exits with 2.
# Elsewhere (a cluster's module stack) the libraries have to be there already: docs/building.md.
ensure_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "Not a Debian system: using the libraries of the environment (docs/building.md)"
    return
  fi
  local missing run=()
  mapfile -t missing < <(missing_packages)
  if ((${#missing[@]} == 0)); then
    say "All ${#packages[@]} packages are installed"
    return
  fi
  if ((EUID != 0)); then
    # A sudo that would ask for a password is fine at a terminal and useless in a batch job.
    if command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
      run=(sudo)
    else
      echo "These packages are missing and neither root nor sudo is at hand. Please have them installed with:" >&2
      echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
      exit 2
    fi
  fi
  say "Installing ${#missing[@]} packages: ${missing[*]}"
  "${run[@]}" apt-get update
  "${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

# One thread per rank: without this, BLAS and PT-Scotch start threads that compete with the ranks.
set_environment() {
  export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 SCOTCH_PTHREAD_NUMBER=1
  # Open MPI: allow more ranks than cores and, as in a container, root.
  export OMPI_MCA_rmaps_base_oversubscribe=1
  if ((EUID == 0)); then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  fi
}

# All cores, but no more than memory allows: one compilation needs up to 1.5 GB.
job_count() {
  local cores memory_kb by_memory
  cores=$(nproc)
  memory_kb=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo)
  by_memory=$((memory_kb / 1500000))
  ((by_memory >= 1)) || by_memory=1
  echo $((cores < by_memory ? cores : by_memory))
}

# build_tree [target]...: configures and builds; does nothing when all is up to date.
build_tree() {
  local target arguments=()
  for target in "$@"; do arguments+=(--target "$target"); done
  say "Configuring ($preset) in $build"
  mkdir -p "$build"
  if ! (cd "$root" && cmake --preset "$preset" -B "$build") >"$build/configure.log" 2>&1; then
    cat "$build/configure.log" >&2
    echo "Configuring failed; the log is $build/configure.log" >&2
    exit 1
  fi
  sed -n '/^-- Percussion /,/^-- *$/p' "$build/configure.log"
  say "Building with $jobs jobs"
  NINJA_STATUS='[%f/%t, %e s] ' cmake --build "$build" --parallel "$jobs" "${arguments[@]}"
}

jobs=${PERCUSSION_JOBS:-$(job_count)}

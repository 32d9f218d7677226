#!/usr/bin/env bash
# Fails when an include in src/ or drivers/ points up the layers:
#   base -> math -> model -> contact -> partition -> assembly -> solvers -> integrators -> io -> app -> drivers
# (an include may only point left). Usage: check_layers.sh [project root]
# First it checks itself on a made-up tree, so that a broken pattern cannot pass for a clean tree.
set -euo pipefail

layers=(base math model contact partition assembly solvers integrators io app drivers)

# check_tree <root>: prints one line per bad include; returns 1 if there was one.
check_tree() {
  local root=$1 bad=0 index=0 layer folder allowed
  allowed=""
  for layer in "${layers[@]}"; do
    allowed+="${allowed:+|}$layer"
    folder="$root/src/$layer"
    [[ $layer == drivers ]] && folder="$root/drivers"
    index=$((index + 1))
    [[ -d $folder ]] || continue
    # Quoted or angled; a path whose first folder is a layer to the right, also when reached through "../".
    local later
    later=$(IFS='|'; echo "${layers[*]:index}")
    if [[ -n $later ]] && grep -rnE --include='*.hpp' --include='*.cpp' --include='*.h' --include='*.ipp' \
         "^[[:space:]]*#[[:space:]]*include[[:space:]]*[\"<](\.\.?/)*($later)/" "$folder"; then
      echo "  ^ layer '$layer' may include only: ${allowed//|/ }"
      bad=1
    fi
  done
  # A folder outside the list would escape the check.
  for folder in "$root"/src/*/; do
    [[ -d $folder ]] || continue
    layer=$(basename "$folder")
    if [[ ! " ${layers[*]} " == *" $layer "* ]]; then
      echo "src/$layer is not a layer (add it to tests/check_layers.sh and src/CMakeLists.txt)"
      bad=1
    fi
  done
  return $bad
}

self_test() {
  local tree
  tree=$(mktemp -d)
  trap 'rm -rf "$tree"' RETURN
  mkdir -p "$tree/src/base" "$tree/src/math" "$tree/src/app" "$tree/drivers"
  echo '#include "base/error.hpp"' >"$tree/src/math/good.hpp"
  echo '// #include "app/run.hpp" is only a comment' >"$tree/src/math/comment.cpp"
  echo '#include "app/run.hpp"' >"$tree/drivers/main.cpp"
  check_tree "$tree" >/dev/null || { echo "self-test: a clean tree was rejected"; return 1; }

  local bad
  for bad in '#include "app/run.hpp"' '  #  include <contact/shape.hpp>' '#include "../model/node.hpp"'; do
    echo "$bad" >"$tree/src/math/bad.hpp"
    ! check_tree "$tree" >/dev/null || { echo "self-test: not noticed: $bad"; return 1; }
  done
  rm "$tree/src/math/bad.hpp"
  mkdir "$tree/src/elsewhere"
  ! check_tree "$tree" >/dev/null || { echo "self-test: an unknown layer was not noticed"; return 1; }
}

root=${1:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
[[ -d $root/src ]] || { echo "no src/ in $root"; exit 1; }
self_test
if ! check_tree "$root"; then
  echo "layer check: FAILED"
  exit 1
fi
echo "layer check: all includes in src/ and drivers/ point left"

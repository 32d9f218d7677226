#!/usr/bin/env bash
# From a fresh Debian 12 to a first result: installs packages, builds, runs the default case on two ranks.
# Arguments are passed on to `percussion run`, e.g.  job_scripts/quickstart.sh time.end=0.5
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case_file=inputs/sphere_box/sphere_box.yaml
results=results/sphere_box

ensure_packages
set_environment
build_tree percussion

cd "$root"
say "Running: mpirun -n 2 ${build#"$root"/}/bin/percussion run $case_file $*"
mpirun -n 2 "$build/bin/percussion" run "$case_file" "$@"

say "Results are in $root/$results:"
ls -1p "$results"
series=("$results"/*.pvd)
if [[ -e ${series[0]} ]]; then
  say "To look at them:"
  printf '  paraview %s\n' "${series[@]}"
  echo "  (or File > Open in ParaView, pick the .pvd, press Apply; the time controls play the run)"
fi

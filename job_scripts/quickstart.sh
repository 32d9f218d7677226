#!/usr/bin/env bash
# From a fresh Debian 12 to a first result: installs packages, builds, runs the default case on two ranks, draws
# a picture and writes a report.
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

# Debian's own Python has the packages; another one may be first in PATH.
python=/usr/bin/python3
[[ -x $python ]] || python=python3

say "Picture and report"
picture=$results/bodies.png
if command -v pvbatch >/dev/null; then
  bash job_scripts/paraview.sh postprocess/render_bodies.py "$results/bodies.pvd" -o "$picture" >/dev/null 2>&1 || rm -f "$picture"
fi
[[ -e $picture ]] || "$python" postprocess/draw_bodies.py "$results/bodies.pvd" "$picture" || echo "  no picture: see the message above"
"$python" postprocess/report.py "$results" >/dev/null || echo "  no report: see the message above"

say "Results are in $root/$results:"
ls -1p "$results"
series=("$results"/*.pvd)
if [[ -e ${series[0]} ]]; then
  say "To look at them:"
  [[ -e $picture ]] && echo "  $root/$picture"
  [[ -e $results/report.html ]] && echo "  $root/$results/report.html     (report with plots and a 3-D view: open it in a browser)"
  printf '  paraview %s\n' "${series[@]}"
  echo "  (or File > Open in ParaView, pick the .pvd, press Apply; the time controls play the run)"
fi

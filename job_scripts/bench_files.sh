#!/usr/bin/env bash
# What files cost: a checkpoint of many spheres without contacts and the restart from it, and frames of a packing with its
# contacts and force chains against a time step. Prints one line each; everything is in results/bench/files.
#
#   RANKS    ranks (default 1)      GRAINS  spheres of the checkpoint (default 1000000)
#   PACKED   spheres of the packing (default 100000)      FRAMES  frames that are measured (default 10)
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

ensure_packages
set_environment
build_tree percussion
cd "$root"
folder=results/bench/files
case_file=inputs/sphere_packing/standard.yaml
grains=${GRAINS:-1000000} packed=${PACKED:-100000} frames=${FRAMES:-10} h=5e-4
rm -rf "$folder"
run() { mpirun -n "${RANKS:-1}" "$build/bin/percussion" -q run "$case_file" "$@"; }
# Edge of the box that holds so many spheres on a lattice of 10.5 mm.
edge() { awk -v n="$1" 'BEGIN {k = int(n ^ (1 / 3)); while (k ^ 3 < n) ++k; printf "%.4f", k * 0.0105}'; }
box() { echo "fills[0].limit=$1" "fills[0].upper=[$(edge "$1"),$(edge "$1"),$(edge "$1")]" "walls[0].upper=[$(edge "$1"),$(edge "$1"),2.2]"; }

say "A checkpoint of $grains spheres without contacts, and the restart from it"
# shellcheck disable=SC2046
set -- $(box "$grains") gravity=[0,0,0] fills[0].velocity=[0,0,0] "time.step=$h" output.interval=1e9 output.walls=false output.contacts=false \
  output.bodies=false --output "$folder/many"
run "$@" time.end=1.5e-3 checkpoint.every_steps=1
run "$@" time.end=2e-3 checkpoint.every_steps=1000 --restart latest

say "Frames of $packed packed spheres with contacts and chains"
# shellcheck disable=SC2046
set -- $(box "$packed") "integrator={type: moreau}" "time.step=$h" output.chains=true --output "$folder/packed"
run "$@" time.end=0.08 output.interval=1e9 checkpoint.every_steps=1000
run "$@" "time.end=$(awk -v n="$frames" -v h="$h" 'BEGIN {print 0.08 + n * h}')" "output.interval=$h" checkpoint.every_steps=1000 --restart latest

"/usr/bin/python3" - "$folder" "$frames" <<'PYTHON'
import json, pathlib, re, sys
folder, frames = pathlib.Path(sys.argv[1]), int(sys.argv[2])
log = (folder / "many/log.txt").read_text()
bodies = int(re.search(r"(\d+) bodies", log).group(1))
checkpoints = [(file, float(seconds)) for file, seconds in re.findall(r"checkpoint (\S+) at .* \(([\d.]+) s\)", log)]
restart = float(re.findall(r"goes on from .* \(ready after ([\d.]+) s\)", log)[-1])
size = pathlib.Path(checkpoints[-1][0]).stat().st_size
print(f"checkpoint of {bodies:,} spheres: {min(s for _, s in checkpoints):.2f} s at best, {max(s for _, s in checkpoints):.2f} s at worst of {len(checkpoints)}; {size / bodies:.1f} bytes per sphere")
print(f"restart from it: {restart:.2f} s from the start of the program to the first step")
summary = json.loads((folder / "packed/summary.json").read_text())
phase = {p["name"]: p["max"] for p in summary["phases"]}
frame = phase.pop("output") / frames
step = sum(p["avg"] for p in summary["phases"] if p["name"] not in ("output", "other")) / frames
size = sum(f.stat().st_size for name in ("bodies", "contacts", "chains", "walls") for f in (folder / "packed" / name).iterdir()) / (frames + 1)
print(f"frame with {summary['contacts_last']:,} contacts: {frame:.3f} s and {size / 1e6:.1f} MB; a step: {step:.3f} s; ratio {frame / step:.2f}")
PYTHON

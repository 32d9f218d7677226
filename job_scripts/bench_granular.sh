#!/usr/bin/env bash
# Speed of the standard packing (inputs/sphere_packing/standard.yaml) in several sizes, of LIGGGHTS (soft contact) and of Siconos (hard
# contact) on the same packing when they are installed (Debian: liggghts, python3-siconos). Prints tables with the ratios and writes
# results/bench/granular.csv and hard_contact.csv.
#
#   bench_granular.sh [EDGE...]     spheres along an edge of the box, default: 10 17 27 (1,000 / 4,913 / 19,683);
#                                   47 with its first 100,000, 100 for a million (hours if it is to settle: see END)
#
#   RANKS    ranks of our runs (default 1)          STEPS   measured steps (default 100)
#   STEP     step size in s (default 1e-3)          END     simulated seconds to settle (default 0.4)
#   TOLERANCE  of the contact solver (default 1e-4); SETTLE_TOLERANCE until END (default 1e-3)
#   WARM_UP  steps with TOLERANCE before the clock starts: the bed comes to rest anew (default 300)
#   PEER     0: without LIGGGHTS; else its Young's modulus (default 1e9) at the step PEER_STEP (default 5e-6 s)
#   HARD     spheres along an edge for the comparison with Siconos (default 10; 0: without): both take Moreau steps of STEP and
#            warm starts; Siconos' Gauss-Seidel with at most HARD_ITERATIONS (default 100) iterations and the tolerance 1e-4, and
#            HARD_LIMIT seconds (default 300) to settle; ours `accelerated_gauss_seidel` with HARD_TOLERANCE (default 1e-4). Residuals
#            are measured by the same function: lower HARD_TOLERANCE if ours is the larger one
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

ensure_packages
set_environment
build_tree percussion
cd "$root"
mkdir -p results/bench
table=results/bench/granular.csv
echo "code,grains,ranks,contacts,sweeps,residual,penetration_per_radius,updates_per_second,bytes_per_grain,seconds_per_step,wall_per_simulated_second" >"$table"

field() { sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" <<<"$2"; }

ours() {
  local n=$1 size limit=() report file=results/bench/packing_$1.json
  size=$(awk -v n="$n" 'BEGIN {printf "%.4f", n * 0.0105}')
  ((n != 47)) || limit=('fills[0].limit=100000')
  mpirun -n "${RANKS:-1}" "$build/bin/percussion" bench inputs/sphere_packing/standard.yaml \
    "fills[0].upper=[$size,$size,$size]" "walls[0].upper=[$size,$size,$(awk -v s="$size" 'BEGIN {print 2 * s}')]" "${limit[@]}" \
    "time.step=${STEP:-1e-3}" "time.end=${END:-0.4}" "solver.tolerance=${TOLERANCE:-1e-4}" \
    --settle "solver.tolerance=${SETTLE_TOLERANCE:-1e-3}" --warm-up "${WARM_UP:-300}" --steps "${STEPS:-100}" --json "$file" >"${file%.json}.txt"
  report=$(<"$file")
  local key line=percussion
  for key in bodies ranks contacts sweeps residual penetration_per_radius updates_per_second bytes_per_body seconds_per_step \
    wall_per_simulated_second; do
    line+=,$(field "$key" "$report")
  done
  echo "$line" | tee -a "$table"
}

peer() {
  local n=$1 E=${PEER:-1e9} dt=${PEER_STEP:-5e-6} out
  out=$(mktemp -d)
  if ! (cd "$out" && liggghts -in "$root/job_scripts/peers/packing.liggghts" -var n "$n" -var E "$E" -var dt "$dt" \
    -var settle 20000 -var timed 3000 >log 2>&1); then
    echo "LIGGGHTS failed: $(tail -n 1 "$out/log")" >&2
    return
  fi
  # "Loop time of T on P procs for S steps with N atoms"
  awk -v dt="$dt" '/^Loop time/ {t = $4; s = $9; n = $12} END {printf "liggghts,%d,1,,,,,,,%g,%g\n", n, t / s, t / s / dt}' \
    "$out/log" | tee -a "$table"
  rm -rf "$out"
}

# One row of hard_contact.csv: code, grains, contacts, iterations, residual on the friction cone, depth / r, steps per second.
hard() {
  local n=$1 size end=${END:-0.4} step=${STEP:-1e-3} steps=20 case file=results/bench/hard.json dump=results/bench/hard_problems report residual
  size=$(awk -v n="$n" 'BEGIN {printf "%.4f", n * 0.0105}')
  case=(inputs/sphere_packing/standard.yaml "fills[0].upper=[$size,$size,$size]" "walls[0].upper=[$size,$size,2]" 'integrator={type: moreau}'
    "solver={type: accelerated_gauss_seidel, tolerance: ${HARD_TOLERANCE:-1e-4}, max_iterations: 2000}" "time.step=$step" "time.end=$end")
  "$build/bin/percussion" bench "${case[@]}" --steps $steps --json "$file" >/dev/null
  rm -rf "$dump"
  "$build/bin/percussion" run "${case[@]}" "output.dump_problems={every: $(awk -v e="$end" -v h="$step" 'BEGIN {printf "%d", e / h + 0.5}')}" --output "$dump" >/dev/null
  residual=$("$python" postprocess/problem_residual.py "$dump"/problems/step_*.hdf5)
  report=$(<"$file")
  echo "percussion,$(field bodies "$report"),$(field contacts "$report"),$(field sweeps "$report"),$residual,$(field penetration_per_radius "$report"),$(awk -v s="$(field seconds_per_step "$report")" 'BEGIN {print 1 / s}')"
  report=$("$python" job_scripts/peers/siconos_packing.py "$n" --step "$step" --settle "$end" --steps 10 --iterations "${HARD_ITERATIONS:-100}" \
    --limit "${HARD_LIMIT:-300}" 2>results/bench/siconos.log | "$python" -c 'import json, sys; r = json.load(sys.stdin); print(",".join(str(r[k]) for k in
("code", "grains", "contacts", "iterations", "residual", "penetration_per_radius", "steps_per_second")))') || {
    echo "Siconos failed: $(tail -n 1 results/bench/siconos.log)" >&2
    return
  }
  echo "$report"
}

python=/usr/bin/python3
edges=("$@")
((${#edges[@]})) || edges=(10 17 27)
for n in "${edges[@]}"; do
  say "$n^3 spheres"
  ours "$n"
  if [[ ${PEER:-1e9} != 0 ]] && command -v liggghts >/dev/null; then peer "$n"; fi
done

say "Wall time per simulated second; ratio: LIGGGHTS over ours (blank where it was not run)"
awk -F, 'NR > 1 {w[$1, $2] = $11; if ($1 == "percussion") {g[++k] = $2; sweeps[k] = $5; depth[k] = $7; rate[k] = $8; bytes[k] = $9}}
  END {printf "%10s %10s %14s %10s %10s %12s %12s %8s\n", "grains", "sweeps", "depth / r", "Mupdates/s", "kB/grain", "ours [s]", "LIGGGHTS [s]", "ratio"
       for (i = 1; i <= k; ++i) {
         peer = w["liggghts", g[i]]
         printf "%10d %10.1f %14.2e %10.1f %10.2f %12.2f %12s %8s\n", g[i], sweeps[i], depth[i], rate[i] / 1e6, bytes[i] / 1e3,
           w["percussion", g[i]], peer, peer == "" ? "" : sprintf("%.1f", peer / w["percussion", g[i]])
       }}' "$table"
say "Table: $root/$table"

if [[ ${HARD:-10} != 0 ]] && "$python" -c 'import siconos.kernel, h5py, scipy' 2>/dev/null; then
  say "Hard contact: ${HARD:-10}^3 spheres against Siconos, the same step and the residual of the same function"
  {
    echo "code,grains,contacts,iterations,residual,penetration_per_radius,steps_per_second"
    hard "${HARD:-10}"
  } | tee results/bench/hard_contact.csv
  awk -F, '$1 == "percussion" {ours = $7; r = $5} $1 == "siconos" {printf "steps per second: %.1f times those of Siconos; residual %s against %s\n", ours / $7, r, $5}' \
    results/bench/hard_contact.csv
fi

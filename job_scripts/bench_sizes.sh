#!/usr/bin/env bash
# Cost of a step per grain, and memory, from a thousand grains to a million: lattices of touching spheres with 20 sweeps in every
# step, so that sizes can be compared. Prints one table and writes results/bench/sizes.csv; exit code 1 if the cost per grain and
# sweep varies by more than SPREAD or if the largest size takes more than LIMIT bytes.
#
#   bench_sizes.sh [EDGE...]     spheres along an edge, default: 10 17 27 46 100 (1,000 / 4,913 / 19,683 / 97,336 / 1,000,000)
#
#   RANKS   default 1      SPREAD  largest over smallest cost per grain and sweep, default 1.3      LIMIT  default 3e9
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

ensure_packages
set_environment
build_tree percussion
cd "$root"
mkdir -p results/bench
table=results/bench/sizes.csv
echo "grains,contacts,ms_per_step,ns_per_grain_and_step,ns_per_grain_and_sweep,million_updates_per_second,peak_MB,bytes_per_grain" >"$table"

edges=("$@")
((${#edges[@]})) || edges=(10 17 27 46 100)
for n in "${edges[@]}"; do
  size=$(awk -v n="$n" 'BEGIN {printf "%.4f", n * 0.01}')
  steps=$((n < 30 ? 50 : n < 60 ? 30 : 10))
  mpirun -n "${RANKS:-1}" "$build/bin/percussion" bench inputs/sphere_packing/standard.yaml 'fills[0].spacing=0.01' 'fills[0].jitter=0' \
    'fills[0].velocity=[0,0,0]' "fills[0].upper=[$size,$size,$size]" "walls[0].upper=[$size,$size,2]" 'integrator={type: moreau}' \
    'gravity=[2,1,-9.81]' contact.restitution=0 time.step=1e-3 time.end=0.03 solver.tolerance=1e-30 solver.max_iterations=20 \
    --steps $steps --json results/bench/size.json >/dev/null
  awk -F'[:,]' -v ranks="${RANKS:-1}" '/^ *"/ {gsub(/[ "]/, "", $1); if (!($1 in v)) v[$1] = $2 + 0}
    END {ns = 1e9 * ranks * v["seconds_per_step"] / v["bodies"]
         printf "%d,%.0f,%.3f,%.0f,%.2f,%.1f,%.0f,%.0f\n", v["bodies"], v["contacts"], 1e3 * v["seconds_per_step"], ns, ns / v["sweeps"],
           v["updates_per_second"] / 1e6, v["peak_bytes"] / 1e6, v["bytes_per_body"]}' results/bench/size.json | tee -a "$table"
done

say "Grains, time and memory"
awk -F, -v spread="${SPREAD:-1.3}" -v limit="${LIMIT:-3e9}" '
  {printf "%10s %10s %12s %22s %24s %18s %9s %16s\n", $1, $2, $3, $4, $5, $6, $7, $8}
  NR > 1 {least = NR == 2 || $5 < least ? $5 : least; most = $5 > most ? $5 : most; memory = $7 * 1e6 > memory ? $7 * 1e6 : memory}
  END {printf "largest over smallest cost per grain and sweep: %.2f; memory at most %.2f GB\n", most / least, memory / 1e9
       exit !(most <= spread * least && memory <= limit)}' "$table"

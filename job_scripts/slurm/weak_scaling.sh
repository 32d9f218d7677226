#!/usr/bin/env bash
# Weak scaling: the case grows with the ranks. Run it from the root of the project, it submits its jobs:
#
#   bash job_scripts/slurm/weak_scaling.sh
#   RANKS="1 8 64 512" GRAINS=50000 SBATCH_ARGUMENTS="--partition=big --exclusive" bash job_scripts/slurm/weak_scaling.sh
#
# Like strong_scaling.sh, but N ranks get N times as many grains in a box N times as long; results in $RESULTS/weak.csv and
# weak.png. For another case change `grown` below. Words after the script replace values of the input. Variables:
#   RANKS, CASE, STEPS, POINT_TIME, SBATCH_ARGUMENTS, LOCAL   as in strong_scaling.sh
#   GRAINS            grains per rank                      (default: 20000)
#   RESULTS           folder                               (default: results/weak_scaling)
source job_scripts/slurm/site.sh
source job_scripts/slurm/scaling_study.sh

export RANKS=${RANKS:-1 2} CASE=${CASE:-inputs/sphere_packing/sphere_packing.yaml} STEPS=${STEPS:-100} RESULTS=${RESULTS:-results/weak_scaling}
export POINT_TIME=${POINT_TIME:-01:00:00} SBATCH_ARGUMENTS=${SBATCH_ARGUMENTS:-} OVERRIDES=${OVERRIDES:-$*} GRAINS=${GRAINS:-20000}

# grown N: what N ranks simulate, as values of the input: a box of 27 layers, square for one rank, N times as long for N.
grown() {
  local size
  size=$(awk -v n="$1" -v grains="$GRAINS" 'BEGIN { side = 0.0101 * int(sqrt(grains / 27) + 0.999); printf "%.6g %.6g", n * side, side }')
  read -r length width <<<"$size"
  printf '%s\n' "fills[0].limit=$(($1 * GRAINS))" "fills[0].upper=[$length,$width,0.6]" "walls[0].upper=[$length,$width,2]"
}

point() {
  local size
  mapfile -t size < <(grown "$1")
  # shellcheck disable=SC2086
  ranks "$1" "$PERCUSSION" bench "$CASE" "${size[@]}" $OVERRIDES --steps "$STEPS" --json >"$RESULTS/weak_$1.part"
  mv "$RESULTS/weak_$1.part" "$RESULTS/weak_$1.json"
}

run_study weak

#!/usr/bin/env bash
# Strong scaling: the same case on more and more ranks. Run it from the root of the project, it submits its jobs:
#
#   bash job_scripts/slurm/strong_scaling.sh
#   RANKS="1 8 64 512" CASE=my_case.yaml SBATCH_ARGUMENTS="--partition=big --exclusive" bash job_scripts/slurm/strong_scaling.sh
#
# One job per number of ranks measures time per step in the settled state (`percussion bench`); a last job waits for them
# and writes $RESULTS/strong.csv (ranks, grains, time per phase, sweeps, imbalance, speed-up, efficiency) and strong.png.
# Words after the script replace values of the input. LOCAL=1 runs everything here, without SLURM. Variables:
#   RANKS             numbers of ranks                     (default: "1 2")
#   CASE              input file                           (default: inputs/sphere_packing/sphere_packing.yaml)
#   STEPS             measured steps                       (default: 100)
#   RESULTS           folder                               (default: results/strong_scaling)
#   POINT_TIME        time limit of a job                  (default: 01:00:00)
#   SBATCH_ARGUMENTS  account, partition, constraints ...  (default: none)
source job_scripts/slurm/site.sh
source job_scripts/slurm/scaling_study.sh

export RANKS=${RANKS:-1 2} CASE=${CASE:-inputs/sphere_packing/sphere_packing.yaml} STEPS=${STEPS:-100} RESULTS=${RESULTS:-results/strong_scaling}
export POINT_TIME=${POINT_TIME:-01:00:00} SBATCH_ARGUMENTS=${SBATCH_ARGUMENTS:-} OVERRIDES=${OVERRIDES:-$*}

point() {
  # shellcheck disable=SC2086
  ranks "$1" "$PERCUSSION" bench "$CASE" $OVERRIDES --steps "$STEPS" --json >"$RESULTS/strong_$1.part"
  mv "$RESULTS/strong_$1.part" "$RESULTS/strong_$1.json"
}

run_study strong

#!/usr/bin/env bash
#SBATCH --job-name=sweep
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
# Parameter sweep: an array of jobs, one per line of a list. Run it from the root of the project, it submits its jobs:
#
#   bash job_scripts/slurm/sweep.sh
#   LIST=my_list.txt CASE=my_case.yaml AT_ONCE=8 SBATCH_ARGUMENTS="--ntasks=4 --time=00:30:00" bash job_scripts/slurm/sweep.sh
#
# A line of the list is a set of values of the input, such as `contact.friction=0.3 contact.restitution=0.5`; empty lines and
# those with # are left out. Run k goes to $RESULTS/k; a last job writes $RESULTS/sweep.csv, one row per run, failed ones
# included. Submit one run again: sbatch --array=3 job_scripts/slurm/sweep.sh with the same variables. Variables:
#   LIST              list of values                       (default: job_scripts/slurm/sweep_example.txt)
#   CASE              input file                           (default: inputs/sphere_box/sphere_box.yaml)
#   RESULTS           folder                               (default: results/sweep)
#   AT_ONCE           runs at the same time                (default: 16)
#   SBATCH_ARGUMENTS  ranks per run, time, account ...     (default: none)
source job_scripts/slurm/site.sh

export LIST=${LIST:-job_scripts/slurm/sweep_example.txt} CASE=${CASE:-inputs/sphere_box/sphere_box.yaml} RESULTS=${RESULTS:-results/sweep} OVERRIDES=${OVERRIDES:-$*}
AT_ONCE=${AT_ONCE:-16} SBATCH_ARGUMENTS=${SBATCH_ARGUMENTS:-}
mapfile -t lines < <(grep -v -E '^[[:space:]]*(#|$)' "$LIST")

submit() {
  local array table
  if ((${#lines[@]} == 0)); then
    echo "$LIST has no runs" >&2
    exit 2
  fi
  mkdir -p "$RESULTS"
  # shellcheck disable=SC2086
  array=$(sbatch --parsable --array="1-${#lines[@]}%$AT_ONCE" --output="$RESULTS/%a.out" $SBATCH_ARGUMENTS "$0")
  echo "job $array: ${#lines[@]} runs of $CASE"
  table=$(SWEEP_TABLE=1 sbatch --parsable --job-name=sweep-table --ntasks=1 --time=00:10:00 --output="$RESULTS/table.out" --dependency="afterany:$array" "$0")
  echo "job $table: table in $RESULTS/sweep.csv"
}

if [[ -z ${SLURM_JOB_ID:-} ]]; then
  submit
elif [[ -n ${SWEEP_TABLE:-} ]]; then
  "$PYTHON" postprocess/sweep_table.py "$LIST" "$RESULTS" -o "$RESULTS/sweep.csv"
else
  read -r -a values <<<"${lines[$((SLURM_ARRAY_TASK_ID - 1))]}"
  # shellcheck disable=SC2086
  ranks "$SLURM_NTASKS" "$PERCUSSION" run "$CASE" "${values[@]}" $OVERRIDES output.overwrite=true --output "$RESULTS/$SLURM_ARRAY_TASK_ID"
fi

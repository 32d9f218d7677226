#!/usr/bin/env bash
#SBATCH --job-name=percussion
#SBATCH --ntasks=2
#SBATCH --time=01:00:00
#SBATCH --output=/dev/null
# One case, one job. Submit from the root of the project:
#
#   sbatch job_scripts/slurm/single.sh
#   CASE=inputs/sphere_packing/sphere_packing.yaml sbatch --ntasks=64 --time=02:00:00 job_scripts/slurm/single.sh time.end=0.5
#
# Words after the script replace values of the input (section.key=value). Variables:
#   CASE      input file             (default: inputs/sphere_box/sphere_box.yaml)
#   RESULTS   results folder         (default: results/<job name>-<job id>)
#   REPORT    1: write report.html   (default: 1)
# What the job says goes to RESULTS.out, beside the results, unless sbatch gets an --output.
# Exit code: that of the program, see docs/batch.md. Long runs: restart_chain.sh.
source job_scripts/slurm/site.sh

CASE=${CASE:-inputs/sphere_box/sphere_box.yaml}
RESULTS=${RESULTS:-results/${SLURM_JOB_NAME:-percussion}-${SLURM_JOB_ID:-local}}
output_to "$RESULTS.out"

status=0
ranks "${SLURM_NTASKS:-2}" "$PERCUSSION" run "$CASE" "$@" --output "$RESULTS" || status=$?
if [[ ${REPORT:-1} == 1 && -d $RESULTS ]]; then
  "$PYTHON" postprocess/report.py "$RESULTS" || echo "no report was written; the results are in $RESULTS"
fi
exit "$status"

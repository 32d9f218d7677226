#!/usr/bin/env bash
#SBATCH --job-name=chain
#SBATCH --ntasks=2
#SBATCH --time=01:00:00
#SBATCH --signal=B:USR1@120
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=/dev/null
# A run longer than the queue allows: stops before the time limit with a checkpoint and goes on in the next job, until it is
# finished. Submit from the root of the project:
#
#   CASE=my_case.yaml RESULTS=results/long sbatch --time=12:00:00 --ntasks=128 job_scripts/slurm/restart_chain.sh
#
# SLURM sends SIGUSR1 120 s before the time limit (--signal above; large runs: more); the script hands it to the program,
# which writes a checkpoint and exits with code 4. The program also knows the time limit itself (--walltime) and does the same
# if no signal comes. After a node failure SLURM requeues the job, which goes on from the last periodic checkpoint.
# Words after the script replace values of the input, the same in every job of the chain. Variables:
#   CASE      input file                                                    (default: inputs/sphere_box/sphere_box.yaml)
#   RESULTS   results folder, of this chain only                            (default: results/chain)
#   CHAIN     how the next job comes: requeue (the same job again) or dependency (a new job after this one, for centres
#             that forbid requeueing)                                       (default: requeue)
#   MAX_JOBS  the chain stops after so many jobs                            (default: 100)
#   MARGIN    seconds before the time limit at which the program stops by itself (default: 60)
# What a job says goes to RESULTS/<job name>-<job id>.out, unless sbatch gets an --output.
# Stop a chain: scancel the job; it is not continued, as scancel sends SIGTERM and no SIGUSR1.
source job_scripts/slurm/site.sh

CASE=${CASE:-inputs/sphere_box/sphere_box.yaml} RESULTS=${RESULTS:-results/chain} CHAIN=${CHAIN:-requeue} MAX_JOBS=${MAX_JOBS:-100} MARGIN=${MARGIN:-60}
output_to "$RESULTS/$SLURM_JOB_NAME-$SLURM_JOB_ID.out"
stopped_early=4  # exit code: a checkpoint was written, the run can go on

mkdir -p "$RESULTS"
count=$(($(cat "$RESULTS/chain_jobs" 2>/dev/null || echo 0) + 1))
echo "$count" >"$RESULTS/chain_jobs"
echo "== $(date '+%F %T') job $SLURM_JOB_ID, number $count of the chain, $SLURM_NTASKS ranks"

# D-HH:MM:SS, HH:MM:SS or MM:SS -> seconds
seconds() { awk -F'[-:]' -v days="$([[ $1 == *-* ]] && echo 1 || echo 0)" '{ s = 0; for (i = 1 + days; i <= NF; ++i) s = 60 * s + $i; print s + (days ? 86400 * $1 : 0) }' <<<"$1"; }

arguments=(run "$CASE" "$@" --output "$RESULTS")
left=$(squeue -h -j "$SLURM_JOB_ID" -o %L)
if [[ $left =~ ^[0-9] ]] && (($(seconds "$left") > MARGIN)); then
  arguments+=(--walltime "$(($(seconds "$left") - MARGIN))")
fi
if compgen -G "$RESULTS/checkpoints/*.h5" >/dev/null; then
  arguments+=(--restart latest)
fi

exec_ranks "$SLURM_NTASKS" "$PERCUSSION" "${arguments[@]}" &
program=$!
# srun passes the signal on to all ranks.
trap 'echo "== $(date "+%F %T") SIGUSR1: the time limit is near"; kill -USR1 "$program"' USR1
status=0
wait "$program" || status=$?
# A signal interrupts `wait`: wait again for the program itself.
while kill -0 "$program" 2>/dev/null; do
  status=0
  wait "$program" || status=$?
done
echo "== $(date '+%F %T') exit code $status"

if ((status != stopped_early)); then exit "$status"; fi
if ((count >= MAX_JOBS)); then
  echo "$MAX_JOBS jobs and not finished: the chain ends here (MAX_JOBS); submit it again to go on" >&2
  exit 1
fi
if [[ $CHAIN == dependency ]]; then
  sbatch --dependency="afterany:$SLURM_JOB_ID" --ntasks="$SLURM_NTASKS" --time="$(squeue -h -j "$SLURM_JOB_ID" -o %l)" \
    --job-name="$SLURM_JOB_NAME" job_scripts/slurm/restart_chain.sh "$@"
else
  scontrol requeue "$SLURM_JOB_ID"
fi

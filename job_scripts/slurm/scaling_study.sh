# shellcheck shell=bash
# What strong_scaling.sh and weak_scaling.sh share (source it, do not run it): one job per number of ranks, then a job that
# waits for them and writes table and plot. Without SLURM (no sbatch, or LOCAL=1) everything runs here, one after the other.

# submit_study STUDY: needs RANKS, RESULTS, POINT_TIME, SBATCH_ARGUMENTS and the function `point N`, which measures on N
# ranks and writes $RESULTS/STUDY_N.json.
submit_study() {
  local study=$1 n jobs=() job
  mkdir -p "$RESULTS"
  rm -f "$RESULTS/$study"_*.json
  if [[ ${LOCAL:-0} == 1 ]] || ! command -v sbatch >/dev/null; then
    for n in $RANKS; do
      echo "== $study scaling: $n ranks"
      point "$n"
    done
    write_table "$study"
    return
  fi
  for n in $RANKS; do
    # shellcheck disable=SC2086
    job=$(POINT=$n sbatch --parsable --job-name="$study-$n" --ntasks="$n" --time="$POINT_TIME" --output="$RESULTS/$study-$n.out" $SBATCH_ARGUMENTS "$0")
    echo "job $job: $study scaling on $n ranks"
    jobs+=("$job")
  done
  # afterany: a point that fails leaves a gap in the table, not no table.
  # shellcheck disable=SC2086
  job=$(POINT=table sbatch --parsable --job-name="$study-table" --ntasks=1 --time=00:10:00 --output="$RESULTS/$study-table.out" \
    --dependency="afterany:$(IFS=:; echo "${jobs[*]}")" $SBATCH_ARGUMENTS "$0")
  echo "job $job: table and plot in $RESULTS/$study.csv and $RESULTS/$study.png"
}

write_table() {
  local study=$1
  "$PYTHON" postprocess/scaling_table.py "$study" "$RESULTS/$study"_*.json -o "$RESULTS/$study.csv"
  "$PYTHON" postprocess/plot_scaling.py "$RESULTS/$study.csv" -o "$RESULTS/$study.png"
}

# run_study STUDY: the script itself is the job; POINT says which part of the study.
run_study() {
  case ${POINT:-} in
    "") submit_study "$1" ;;
    table) write_table "$1" ;;
    *) point "$POINT" ;;
  esac
}

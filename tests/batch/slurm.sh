#!/usr/bin/env bash
# Submits the scripts of job_scripts/slurm to a SLURM on this machine and checks what they leave behind.
#
#   tests/batch/slurm.sh PERCUSSION         about five minutes; needs root (job_scripts/local_slurm.sh)
#
# Exit code 77 (skipped) without root or where SLURM cannot be installed.
set -euo pipefail
PERCUSSION=$(realpath "$1")
export PERCUSSION
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
python=/usr/bin/python3

((EUID == 0)) || { echo "skipped: needs root"; exit 77; }
if ! command -v slurmctld >/dev/null && ! command -v apt-get >/dev/null; then echo "skipped: no SLURM and no apt-get"; exit 77; fi
"$python" -c 'import numpy, h5py, matplotlib' 2>/dev/null || { echo "skipped: python3-numpy, python3-h5py, python3-matplotlib"; exit 77; }

work=$(mktemp -d -t percussion-slurm-test-XXXXXX)
export PERCUSSION_SLURM_FOLDER=$work/slurm
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset SLURM_JOB_ID POINT
finish() {
  local status=$?
  bash job_scripts/local_slurm.sh stop || true
  if ((status == 0)); then rm -rf "$work"; else echo "failed; everything is in $work" >&2; fi
}
trap finish EXIT
PERCUSSION_SLURM_CPUS=2 bash job_scripts/local_slurm.sh start
export SLURM_CONF=$work/slurm/slurm.conf

say() { echo "== $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
job_state() { scontrol show job "$1" 2>/dev/null | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p' | head -n 1; }

# wait_until SECONDS WHAT COMMAND...: until the command succeeds
wait_until() {
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    ((SECONDS < end)) || fail "$what did not happen in time; queue: $(squeue)"
    sleep 0.5
  done
}
queue_is_empty() { [[ -z $(squeue -h) ]]; }
member() { "$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1" "$2"; }
small=('fills[0].limit=60' 'fills[0].upper=[0.06,0.06,0.49]' 'walls[0].upper=[0.062,0.062,0.5]')

say "single job"
RESULTS=$work/single sbatch --wait --ntasks=2 --time=5 job_scripts/slurm/single.sh "${small[@]}" time.end=0.05 || fail "single: $(cat "$work/single.out")"
[[ $(member "$work/single/summary.json" status) == finished && $(member "$work/single/summary.json" ranks) == 2 ]] || fail "single: summary"
grep -q "<svg" "$work/single/report.html" || fail "single: no report"
# A mistake in the input must reach the exit code of the job.
if RESULTS=$work/wrong sbatch --wait --ntasks=2 --time=5 --output="$work/wrong.out" job_scripts/slurm/single.sh time.end=-1; then fail "a wrong input was not reported"; fi
[[ ! -e $work/wrong/summary.json ]] || fail "a wrong input left results"

say "strong and weak scaling"
packing=('fills[0].limit=400' 'fills[0].upper=[0.06,0.06,0.6]' 'walls[0].upper=[0.06,0.06,2]' time.end=0.03)
STEPS=5 RESULTS=$work/strong bash job_scripts/slurm/strong_scaling.sh "${packing[@]}"
STEPS=5 GRAINS=300 RESULTS=$work/weak bash job_scripts/slurm/weak_scaling.sh time.end=0.03
wait_until 180 "scaling" queue_is_empty
"$python" - "$work" <<'PYTHON'
import csv, sys
for study, grains in (("strong", [400, 400]), ("weak", [300, 600])):
    with open(f"{sys.argv[1]}/{study}/{study}.csv") as file:
        assert file.readline().strip() == f"# study: {study}"
        rows = list(csv.DictReader(file))
    assert [int(r["ranks"]) for r in rows] == [1, 2], rows
    assert [int(r["grains"]) for r in rows] == grains, rows
    for row in rows:
        phases = sum(float(v) for k, v in row.items() if k.endswith("_seconds"))
        # Averages over ranks against the slowest rank, which all wait for at every exchange.
        assert 0.5 < phases / float(row["seconds_per_step"]) <= 1.0001, row
        assert float(row["imbalance"]) >= 1 and float(row["sweeps"]) > 0, row
    assert float(rows[0]["efficiency"]) == 1, rows
    with open(f"{sys.argv[1]}/{study}/{study}.png", "rb") as file:
        assert file.read(8) == b"\x89PNG\r\n\x1a\n"
PYTHON

say "parameter sweep"
printf '# friction\ncontact.friction=0.0\n\ncontact.friction=0.6 contact.restitution=0.5\ncontact.friction=-1\n' >"$work/list.txt"
LIST=$work/list.txt RESULTS=$work/sweep bash job_scripts/slurm/sweep.sh "${small[@]}" time.end=0.05
wait_until 120 "sweep" queue_is_empty
"$python" - "$work" <<'PYTHON'
import csv, sys
rows = list(csv.DictReader(open(f"{sys.argv[1]}/sweep/sweep.csv")))
assert [r["contact.friction"] for r in rows] == ["0.0", "0.6", "-1"], rows
assert [r["status"] for r in rows] == ["finished", "finished", "no summary"], rows
text = open(f"{sys.argv[1]}/sweep/2/input.yaml").read()
assert "restitution: 0.5" in text and "friction: 0.6" in text
PYTHON

long=(output.series_interval=50 output.interval=1)

say "how long is a step: for runs of a chosen length"
# Mostly at rest, as in those runs: steps of the fall cost less or more.
RESULTS=$work/speed sbatch --wait --ntasks=2 --time=5 --output="$work/speed.out" job_scripts/slurm/single.sh "${small[@]}" "${long[@]}" time.end=10 || fail "speed"
# end_for SECONDS: simulated time that takes about so long
end_for() { "$python" -c 'import json, sys; s = json.load(open(sys.argv[1])); print(round(float(sys.argv[2]) * s["simulated_time"] / s["wall_time"], 2))' "$work/speed/summary.json" "$1"; }

# check_chain FOLDER END: the run finished in several jobs; its series and last state are those of one run without a stop.
check_chain() {
  [[ $(member "$1/summary.json" status) == finished ]] || fail "$1: $(member "$1/summary.json" status)"
  RESULTS=$1-whole sbatch --wait --ntasks=2 --time=10 --output="$1-whole.out" job_scripts/slurm/single.sh "${small[@]}" "${long[@]}" "time.end=$2" || fail "$1-whole"
  "$python" - "$1" <<'PYTHON'
import json, sys
import h5py
sys.path.insert(0, "postprocess")
from vtk_frames import frames_of, read_frame
chain, whole = sys.argv[1], sys.argv[1] + "-whole"
restarts = json.load(open(f"{chain}/summary.json"))["restarts"]
assert len(restarts) >= 1, "the chain was never continued"
with h5py.File(f"{chain}/series.h5") as a, h5py.File(f"{whole}/series.h5") as b:
    assert set(a) == set(b)
    for name in a:
        # On the same number of ranks a continued run is the same bit by bit.
        assert len(a[name]) == len(b[name]) and (a[name][:] == b[name][:]).all(), name
times = [[t for t, _ in frames_of(f"{folder}/bodies.pvd")] for folder in (chain, whole)]
assert times[0] == times[1], times
last = [read_frame(frames_of(f"{folder}/bodies.pvd")[-1][1]) for folder in (chain, whole)]
order = [frame.point["id"].argsort() for frame in last]
assert (last[0].points[order[0]] == last[1].points[order[1]]).all()
print(f"{chain}: {len(restarts) + 1} jobs, {len(times[0])} frames, as in one run")
PYTHON
}

say "restart chain by dependency"
end=$(end_for 25)
RESULTS=$work/chain CHAIN=dependency sbatch --parsable --ntasks=2 --time=10 job_scripts/slurm/restart_chain.sh "${small[@]}" "${long[@]}" "time.end=$end" >"$work/chain.id"
wait_until 60 "start of the chain" test -s "$work/chain/chain_jobs"
wait_until 60 "the first rows" test -s "$work/chain/series.h5"
scancel --batch --signal=USR1 "$(<"$work/chain.id")"
wait_until 300 "end of the chain" queue_is_empty
for job in "$work"/chain/chain-*.out; do grep -q "of the chain, 2 ranks" "$job" || fail "chain: nothing in $job"; done
[[ $(<"$work/chain/chain_jobs") == 2 ]] || fail "chain: $(<"$work/chain/chain_jobs") jobs instead of 2"
check_chain "$work/chain" "$end"

say "restart chain by requeue, stopped by the time limit"
end=$(end_for 60)
RESULTS=$work/requeued sbatch --ntasks=2 --time=1 --signal=B:USR1@45 job_scripts/slurm/restart_chain.sh "${small[@]}" "${long[@]}" "time.end=$end"
wait_until 600 "end of the chain" queue_is_empty
grep -q "SIGUSR1: the time limit is near" "$work"/requeued/chain-*.out || fail "SLURM sent no signal"
check_chain "$work/requeued" "$end"

litter=$(compgen -G "*.out" || true)
[[ -z $litter ]] || fail "jobs wrote into the folder of submission: $litter"
say "all job scripts work"

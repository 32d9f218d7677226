#!/usr/bin/env bash
# Sweeps of the contact solver on 1 to 8 ranks: lattice packings of equal spheres, pressed into a corner of their box so that all
# neighbours touch. Cold: every step starts from P = 0; warm: from the percussions of the step before. Sweeps are counts, so more
# ranks than cores and a busy machine do no harm. Prints one table and writes results/bench/sweeps_of_ranks.csv; exit code 1 if
# a cold start of `gauss_seidel` takes more than LIMIT_SMALL or LIMIT_LARGE times the sweeps of one rank.
#
#   sweeps_of_ranks.sh [EDGE...]       spheres along an edge, default: 12 27 (1,728 / 19,683)
#
#   RANKS        default "1 2 4 8"              TOLERANCES  default "1e-2 1e-3"
#   SOLVERS      default "gauss_seidel accelerated_gauss_seidel"; hybrid, too, if named
#   LIMIT_SMALL  of packings below 19,683 grains, default 1.6;  LIMIT_LARGE  of larger ones, default 1.2
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

ensure_packages
set_environment
build_tree percussion
cd "$root"
mkdir -p results/bench
table=results/bench/sweeps_of_ranks.csv
echo "solver,start,grains,tolerance,ranks,contacts,sweeps,residual" >"$table"

run() {
  local solver=$1 start=$2 n=$3 tolerance=$4 ranks=$5 size cold=() file=results/bench/sweeps.json
  size=$(awk -v n="$n" 'BEGIN {printf "%.4f", n * 0.01}')
  [[ $start == warm ]] || cold=(--cold)
  mpirun -n "$ranks" "$build/bin/percussion" bench inputs/sphere_packing/standard.yaml 'fills[0].spacing=0.01' 'fills[0].jitter=0' \
    'fills[0].velocity=[0,0,0]' "fills[0].upper=[$size,$size,$size]" "walls[0].upper=[$size,$size,2]" 'integrator={type: moreau}' \
    'gravity=[2,1,-9.81]' contact.restitution=0 time.step=1e-3 time.end=0.03 "solver={type: $solver, tolerance: $tolerance, max_iterations: 20000}" \
    "${cold[@]}" --steps 5 --json "$file" >/dev/null
  awk -F'[:,]' -v head="$solver,$start" -v tolerance="$tolerance" -v ranks="$ranks" '/^ *"/ {gsub(/[ "]/, "", $1); v[$1] = $2 + 0}
    END {printf "%s,%d,%s,%d,%.0f,%.1f,%.2e\n", head, v["bodies"], tolerance, ranks, v["contacts"], v["sweeps"], v["residual"]}' "$file" | tee -a "$table"
}

edges=("$@")
((${#edges[@]})) || edges=(12 27)
for n in "${edges[@]}"; do
  for solver in ${SOLVERS:-gauss_seidel accelerated_gauss_seidel}; do
    for tolerance in ${TOLERANCES:-1e-2 1e-3}; do
      for start in cold warm; do
        for ranks in ${RANKS:-1 2 4 8}; do run "$solver" "$start" "$n" "$tolerance" "$ranks"; done
      done
    done
  done
done

say "Sweeps per step, and times those of the fewest ranks"
awk -F, -v small="${LIMIT_SMALL:-1.6}" -v large="${LIMIT_LARGE:-1.2}" 'NR > 1 {
    row = $1 "," $2 "," $3 "," $4
    if (!(row in first)) {first[row] = $7; order[++rows] = row}
    if (!($5 in seen)) {seen[$5] = 1; column[++columns] = $5}
    sweeps[row, $5] = $7
    if ($1 == "gauss_seidel" && $2 == "cold" && $7 > ($3 < 19683 ? small : large) * first[row]) {late = late sprintf("%s grains, tolerance %s, %s ranks: %.2f\n", $3, $4, $5, $7 / first[row])}
  }
  END {
    printf "%-26s %-5s %9s %9s", "solver", "start", "grains", "tolerance"
    for (c = 1; c <= columns; ++c) printf " %16s", column[c] (column[c] == 1 ? " rank" : " ranks")
    print ""
    for (r = 1; r <= rows; ++r) {
      split(order[r], name, ",")
      printf "%-26s %-5s %9s %9s", name[1], name[2], name[3], name[4]
      for (c = 1; c <= columns; ++c) {
        v = sweeps[order[r], column[c]]
        printf " %16s", v == "" ? "" : sprintf("%.1f (%.2f)", v, v / first[order[r]])
      }
      print ""
    }
    if (late != "") {printf "above the limit:\n%s", late; exit 1}
  }' "$table"
say "Table: $root/$table"

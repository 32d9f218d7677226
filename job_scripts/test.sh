#!/usr/bin/env bash
# Installs packages if needed, builds everything and runs the tests on 1, 2 and 4 ranks.
#   --long       run the long tests too
#   --slurm      run the job scripts on a SLURM of this machine instead (five minutes, needs root)
#   other words  are passed on to ctest, e.g.  job_scripts/test.sh -R solvers  or  -L np2
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

selection=(-LE '^(long|slurm)$')
ctest_arguments=()
for argument in "$@"; do
  if [[ $argument == --long ]]; then
    selection=(-LE '^slurm$')
  elif [[ $argument == --slurm ]]; then
    selection=(-L '^slurm$')
  else
    ctest_arguments+=("$argument")
  fi
done

ensure_packages
set_environment
build_tree

say "Testing with $jobs jobs"
log=$build/Testing/test.log
mkdir -p "${log%/*}"
status=0
ctest --test-dir "$build" --parallel "$jobs" --output-on-failure --no-label-summary --no-tests=error \
  "${selection[@]}" "${ctest_arguments[@]}" 2>&1 | tee "$log" || status=$?

say "Logs: $log (the lines above), $build/Testing/Temporary/LastTest.log (output of every test)"
exit "$status"

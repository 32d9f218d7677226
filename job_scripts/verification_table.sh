#!/usr/bin/env bash
# Runs the benchmarks with all methods and writes the table of README.md and results/verification/table.csv.
#   --only B3,B5   some benchmarks; the other rows of the table stay
#   other words    are passed on to postprocess/verification_table.py (see --help there)
# About 5 minutes on two cores. Needs numpy (Debian: python3-numpy). Exit code 3 if a run failed.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

set_environment
[[ -x $build/bin/percussion ]] || { ensure_packages; build_tree percussion; }

# Debian's own Python has the packages; another one may be first in PATH.
python=/usr/bin/python3
[[ -x $python ]] || python=python3
exec "$python" "$root/postprocess/verification_table.py" --program "$build/bin/percussion" "$@"

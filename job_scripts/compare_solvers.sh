#!/usr/bin/env bash
# Compares the contact solvers on a folder of friction problems: job_scripts/compare_solvers.sh [FOLDER] [options]
# FOLDER: *.hdf5 files in FCLIB's layout; default $PERCUSSION_PROBLEMS, else ../shared/problems, else tests/problems.
#   --solvers a,b --tolerances 1e-4,1e-8 --repeats N --limit SECONDS --output FOLDER --document docs/solvers.md
#   (postprocess/compare_solvers.py --help)
# Siconos takes part if Debian's python3-siconos is installed; profiles need python3-matplotlib, Siconos python3-h5py and python3-scipy.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

folder=
if (($# > 0)) && [[ $1 != -* ]]; then
  folder=$1
  shift
  [[ -d $folder ]] || { echo "no such folder: $folder" >&2; exit 2; }
  say "Problems of $folder"
else
  for candidate in "${PERCUSSION_PROBLEMS:-}" "$root/../shared/problems" "$root/tests/problems"; do
    if [[ -n $candidate && -d $candidate ]]; then
      folder=$candidate
      break
    fi
  done
  say "Problems of $folder (the first that exists of \$PERCUSSION_PROBLEMS, ../shared/problems, tests/problems)"
fi

set_environment
[[ -x $build/bin/percussion ]] || { ensure_packages; build_tree percussion; }

# Debian's own Python has the packages; another one may be first in PATH.
python=/usr/bin/python3
[[ -x $python ]] || python=python3
exec "$python" "$root/postprocess/compare_solvers.py" "$folder" --program "$build/bin/percussion" "$@"

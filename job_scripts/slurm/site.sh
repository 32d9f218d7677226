# shellcheck shell=bash
# What the job scripts of this folder share (source it, do not run it). Adapt it to your computing centre once.
#
#   PERCUSSION   the program (default: build/bin/percussion below the folder the job was submitted from)
#   LAUNCH       starts the ranks (default: srun --mpi=pmix; elsewhere e.g. "mpirun" or "srun --mpi=pmi2")
#   PYTHON       Python with numpy, h5py, matplotlib for tables, plots and reports (default: /usr/bin/python3)

# The modules the program was built with, for instance:
# module load gcc openmpi petsc parmetis hdf5 vtk

set -euo pipefail
PERCUSSION=${PERCUSSION:-$PWD/build/bin/percussion}
LAUNCH=${LAUNCH:-srun --mpi=pmix}
PYTHON=${PYTHON:-/usr/bin/python3}
# One thread per rank: BLAS and PT-Scotch would start threads that compete with the ranks.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 SCOTCH_PTHREAD_NUMBER=1

if [[ ! -x $PERCUSSION ]]; then
  echo "$PERCUSSION is not there: submit from the root of the project after building it, or set PERCUSSION" >&2
  exit 2
fi

# output_to FILE: what the job says goes there, unless sbatch was given an --output (the scripts' own is /dev/null, because
# SLURM cannot know the results folder and would litter the folder of submission).
output_to() {
  [[ -n ${SLURM_JOB_ID:-} && /proc/$$/fd/1 -ef /dev/null ]] || return 0
  mkdir -p "$(dirname "$1")"
  exec >>"$1" 2>&1
}

# ranks N COMMAND...: runs a command on N ranks of this job; without a job on this machine.
ranks() { (exec_ranks "$@"); }

# The same in place of the shell that calls it: `exec_ranks ... &` gives the launcher's own process id, for signals.
exec_ranks() {
  local n=$1
  shift
  if [[ -n ${SLURM_JOB_ID:-} ]]; then
    # shellcheck disable=SC2086
    exec $LAUNCH -n "$n" "$@"
  fi
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  exec mpirun --oversubscribe -n "$n" "$@"
}

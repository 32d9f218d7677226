#!/usr/bin/env python3
"""Prints the residual of the solution stored in a friction problem (output.dump_problems), as siconos_problem.py defines it.

    problem_residual.py results/case/problems/step_000400.hdf5

So steps of different codes can be compared at the same measure. Needs python3-h5py and python3-scipy.
"""
import sys

import h5py

from siconos_problem import cone_residual, read

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    problem = read(sys.argv[1])
    if problem is None:
        sys.exit(f"{sys.argv[1]}: not a spatial local problem")
    W, q, mu = problem
    with h5py.File(sys.argv[1], "r") as file:
        r = file["solution/r"][()] if "solution" in file else file["fclib_local/solution/r"][()]
    print(f"{cone_residual(W @ r + q, q, mu, r)[0]:.3e}")

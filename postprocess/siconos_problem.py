#!/usr/bin/env python3
"""Solves one stored friction problem with Siconos and prints one JSON object, for compare_solvers.py.

    siconos_problem.py FILE.hdf5 nsgs|nsn_ac|admm TOLERANCE REPEATS

Needs Debian's python3-siconos, python3-h5py and python3-scipy; spatial problems of fclib_local without V and R. The residual
is that of `percussion solve`, computed here from the solution; `solved` is decided by it, not by what the solver says.
"""
import json
import os
import sys
import tempfile
import time

import h5py
import numpy as np
import scipy.sparse


def read(path):
    """W as block matrix of 3 x 3 blocks, q and mu; None if Siconos' solver for three rows per contact cannot take it."""
    with h5py.File(path, "r") as file:
        if "fclib_local" not in file or "V" in file["fclib_local"] or file["fclib_local/spacedim"][0] != 3:
            return None
        group, stored = file["fclib_local"], file["fclib_local/W"]
        shape = (int(stored["m"][0]), int(stored["n"][0]))
        nz = int(stored["nz"][0])
        i, p, x = (stored[name][()] for name in "ipx")
        if nz >= 0:
            W = scipy.sparse.coo_matrix((x[:nz], (i[:nz], p[:nz])), shape=shape)
        elif nz == -1:
            W = scipy.sparse.csc_matrix((x, i, p), shape=shape)
        else:
            W = scipy.sparse.csr_matrix((x, i, p), shape=shape)
        blocks = scipy.sparse.bsr_matrix(W.tocsr(), blocksize=(3, 3))
        blocks.sort_indices()
        return blocks, group["vectors/q"][()], group["vectors/mu"][()]


def cone_residual(u, q, mu, r):
    """Natural map on the friction cone with de Saxce's correction, u = W r + q: relative to max(|q|, |r|, |u|), and absolute."""
    R, U = r.reshape(-1, 3), u.reshape(-1, 3)
    z = R - U
    z[:, 0] -= mu * np.hypot(U[:, 1], U[:, 2])
    size = np.hypot(z[:, 1], z[:, 2])
    normal = np.where(size <= mu * z[:, 0], z[:, 0], np.maximum(z[:, 0] + mu * size, 0) / (1 + mu * mu))
    shrink = np.minimum(1, mu * normal / np.where(size > 0, size, 1))
    projected = np.column_stack([normal, shrink * z[:, 1], shrink * z[:, 2]])
    absolute = float(np.linalg.norm(R - projected))
    return absolute / max(np.linalg.norm(v) for v in (q, r, u)), absolute


def write_dat(path, W, q, mu):
    """Siconos' text format: dimension, contacts, storage, then the block matrix, q, mu and no guess."""
    contacts = len(mu)
    ends = " ".join(str(3 * (k + 1)) for k in range(contacts))
    lines = ["3", str(contacts), "1", str(3 * contacts), str(3 * contacts), str(len(W.data)), str(contacts), str(contacts), ends, ends,
             str(len(W.indptr)), str(len(W.indices)), " ".join(map(str, W.indptr)), " ".join(map(str, W.indices))]
    for k, block in enumerate(W.data):
        lines.append(str(k))
        lines.extend(f"{value:.17e}" for value in block.flatten(order="F"))
    lines += [" ".join(f"{v:.17e}" for v in q), " ".join(f"{v:.17e}" for v in mu), "0"]
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")


def main():
    path, name, tolerance, repeats = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
    problem = read(path)
    if problem is None:
        print(json.dumps({"skipped": "not a spatial local problem"}))
        return 0
    import siconos.numerics as numerics

    solver, most = {"nsgs": (numerics.SICONOS_FRICTION_3D_NSGS, 100000), "nsn_ac": (numerics.SICONOS_FRICTION_3D_NSN_AC, 1000),
                    "admm": (numerics.SICONOS_FRICTION_3D_ADMM, 20000)}[name]
    numerics.numerics_set_verbose(0)
    W, q, mu = problem
    shortest = None
    with tempfile.TemporaryDirectory() as scratch:
        dat = os.path.join(scratch, "problem.dat")
        write_dat(dat, W, q, mu)
        for _ in range(repeats):
            loaded = numerics.frictionContact_new_from_filename(dat)
            r, u = np.zeros(len(q)), np.zeros(len(q))
            options = numerics.SolverOptions(solver)
            options.dparam[numerics.SICONOS_DPARAM_TOL] = tolerance
            options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = most
            begin = time.perf_counter()
            numerics.fc3d_driver(loaded, r, u, options)
            seconds = time.perf_counter() - begin
            if shortest is None or seconds < shortest[0]:
                shortest = (seconds, int(options.iparam[numerics.SICONOS_IPARAM_ITER_DONE]), r.copy())
    seconds, iterations, r = shortest
    relative, absolute = cone_residual(W @ r + q, q, mu, r)
    solved = bool(relative <= tolerance)
    print(json.dumps({"solved": solved, "iterations": iterations, "seconds": seconds, "residual": relative, "residual_absolute": absolute,
                      "contacts": len(mu)}))
    return 0 if solved else 3


if __name__ == "__main__":
    sys.exit(main())

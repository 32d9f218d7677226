#!/usr/bin/env python3
"""The standard packing of inputs/sphere_packing/standard.yaml in Siconos: hard contact, Moreau-Jean steps, projected Gauss-Seidel.

    siconos_packing.py EDGE [--step 1e-3] [--settle 0.4] [--steps 20] [--tolerance 1e-4] [--iterations 1000] [--limit 600]

EDGE spheres along an edge of the box. Prints one JSON object for the steps after settling: steps per second, iterations, residual and
depth of the contacts. `--limit` seconds of settling at most: what is reached then is measured, and `settled` says when.
The residual is that of postprocess/siconos_problem.py, from the problem of each step and the percussions found: the natural map on
the friction cone, relative. Needs Debian's python3-siconos, built with Bullet for the contact detection.
"""
import argparse
import json
import math
import time

import numpy as np
import siconos.kernel as kernel
import siconos.numerics as numerics
from siconos.mechanics.collision import RigidBodyDS, SiconosContactor, SiconosContactorSet, SiconosPlane, SiconosSphere
from siconos.mechanics.collision.bullet import SiconosBulletCollisionManager, SiconosBulletOptions

RADIUS, DENSITY, SPACING, FRICTION, RESTITUTION, GRAVITY = 0.005, 2500.0, 0.0105, 0.5, 0.3, 9.81
WORLD = 100.0  # Bullet works in single precision with lengths near one


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edge", type=int)
    parser.add_argument("--step", type=float, default=1e-3)
    parser.add_argument("--settle", type=float, default=0.4, help="simulated seconds")
    parser.add_argument("--steps", type=int, default=20, help="measured steps")
    parser.add_argument("--tolerance", type=float, default=1e-4)
    parser.add_argument("--iterations", type=int, default=1000, help="of the solver, at most")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds of wall time for settling")
    return parser.parse_args()


def add_spheres(model, edge):
    mass = DENSITY * 4 / 3 * math.pi * RADIUS**3
    inertia = np.eye(3) * 0.4 * mass * RADIUS**2
    random, bodies = np.random.default_rng(1), []
    jitter = 0.8 * (0.5 * SPACING - RADIUS)
    for cell in np.ndindex(edge, edge, edge):
        x, y, z = (np.array(cell[::-1]) + 0.5) * SPACING + random.uniform(-jitter, jitter, 3)
        body = RigidBodyDS([x, y, z, 1, 0, 0, 0], [0, 0, -0.5, 0, 0, 0], mass, inertia)
        contactors = SiconosContactorSet()
        contactors.append(SiconosContactor(SiconosSphere(RADIUS)))
        body.setContactors(contactors)
        body.setFExtPtr(np.array([0, 0, -GRAVITY * mass]))
        model.insertDynamicalSystem(body)
        bodies.append(body)
    return bodies


def quaternion_from_z(n):
    """The turn that takes e_z to n."""
    q = np.array([1 + n[2], -n[1], n[0], 0.0])
    if np.linalg.norm(q) < 1e-12:
        q = np.array([0.0, 1.0, 0.0, 0.0])
    return q / np.linalg.norm(q)


def add_walls(manager, length):
    walls = [((0, 0, 0), (0, 0, 1)), ((0, 0, 0), (1, 0, 0)), ((length, 0, 0), (-1, 0, 0)), ((0, 0, 0), (0, 1, 0)), ((0, length, 0), (0, -1, 0))]
    for point, normal in walls:
        contactors = SiconosContactorSet()
        contactors.append(SiconosContactor(SiconosPlane()))
        manager.insertStaticContactorSet(contactors, [*point, *quaternion_from_z(np.array(normal, float))])


def cone_residual(W, q, mu, r):
    """As in postprocess/siconos_problem.py, with W r taken from the solver."""
    u = W
    R, U = r.reshape(-1, 3), u.reshape(-1, 3)
    z = R - U
    z[:, 0] -= mu * np.hypot(U[:, 1], U[:, 2])
    size = np.hypot(z[:, 1], z[:, 2])
    normal = np.where(size <= mu * z[:, 0], z[:, 0], np.maximum(z[:, 0] + mu * size, 0) / (1 + mu * mu))
    shrink = np.minimum(1, mu * normal / np.where(size > 0, size, 1))
    projected = np.column_stack([normal, shrink * z[:, 1], shrink * z[:, 2]])
    largest = max(np.linalg.norm(v) for v in (q, r, u))
    return float(np.linalg.norm(R - projected) / largest) if largest > 0 else 0.0


def depth(bodies, length):
    """Deepest overlap of spheres and walls."""
    x = np.array([body.q()[:3] for body in bodies])
    deepest = max(0.0, float((RADIUS - x).max()), float((x[:, :2] + RADIUS - length).max()))
    try:
        from scipy.spatial import cKDTree

        pairs = cKDTree(x).query_pairs(2 * RADIUS, output_type="ndarray")
    except ImportError:
        return None
    if len(pairs):
        deepest = max(deepest, float((2 * RADIUS - np.linalg.norm(x[pairs[:, 0]] - x[pairs[:, 1]], axis=1)).max()))
    return deepest


def main():
    a = arguments()
    length = a.edge * SPACING
    model = kernel.NonSmoothDynamicalSystem(0.0, 1e9)
    bodies = add_spheres(model, a.edge)
    options = SiconosBulletOptions()
    options.worldScale = WORLD
    options.perturbationIterations = 0
    options.minimumPointsPerturbationThreshold = 0
    manager = SiconosBulletCollisionManager(options)
    add_walls(manager, length)
    manager.insertNonSmoothLaw(kernel.NewtonImpactFrictionNSL(RESTITUTION, 0.0, FRICTION, 3), 0, 0)

    solver = kernel.solver_options_create(numerics.SICONOS_FRICTION_3D_NSGS) if hasattr(kernel, "solver_options_create") else numerics.SolverOptions(numerics.SICONOS_FRICTION_3D_NSGS)
    solver.dparam[numerics.SICONOS_DPARAM_TOL] = a.tolerance
    solver.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = a.iterations
    contact = kernel.FrictionContact(3, solver)
    contact.setMaxSize(30 * len(bodies))
    contact.setMStorageType(numerics.NM_SPARSE_BLOCK)
    contact.setNumericsVerboseMode(False)
    contact.setKeepLambdaAndYState(True)  # warm start

    simulation = kernel.TimeStepping(model, kernel.TimeDiscretisation(0.0, a.step))
    simulation.insertIntegrator(kernel.MoreauJeanOSI(0.5))
    simulation.insertNonSmoothProblem(contact)
    simulation.insertInteractionManager(manager)
    simulation.setNewtonOptions(kernel.SICONOS_TS_LINEAR)
    simulation.setNewtonMaxIteration(1)
    simulation.setNewtonTolerance(1e-10)
    simulation.setWarnOnNonConvergence(False) if hasattr(simulation, "setWarnOnNonConvergence") else None

    def step():
        simulation.computeOneStep()
        simulation.nextStep()

    begin, settled = time.perf_counter(), 0.0
    while settled < a.settle - 1e-9 and time.perf_counter() - begin < a.limit:
        step()
        settled += a.step

    seconds, iterations, contacts, residual = 0.0, 0, 0, 0.0
    for _ in range(a.steps):
        begin = time.perf_counter()
        simulation.computeOneStep()
        seconds += time.perf_counter() - begin
        size = contact.getSizeOutput()
        q, z, w = (np.array(v)[:size] for v in (contact.q(), contact.z(), contact.w()))
        iterations += int(solver.iparam[numerics.SICONOS_IPARAM_ITER_DONE])
        contacts += size // 3
        residual = max(residual, cone_residual(w, q, FRICTION, z))
        begin = time.perf_counter()
        simulation.nextStep()
        seconds += time.perf_counter() - begin
    deepest = depth(bodies, length)
    print(json.dumps({"code": "siconos", "grains": len(bodies), "settled": settled, "contacts": contacts / a.steps, "iterations": iterations / a.steps,
                      "residual": residual, "penetration_per_radius": deepest / RADIUS if deepest is not None else None, "seconds_per_step": seconds / a.steps,
                      "steps_per_second": a.steps / seconds, "wall_per_simulated_second": seconds / a.steps / a.step}))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Makes the friction problems of this folder again: writes a case for each, runs it and keeps the problem of one step.

    tests/problems/make_problems.py [--program build/bin/percussion] [--output FOLDER] [NAME ...]

README.md says what each problem is. Needs nothing but the program and Python's own library.
"""
import argparse
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
OVERLAP = 1e-9  # m: contacts are closed from the first step on


def numbers(values):
    return "[" + ", ".join(repr(float(v)) for v in values) + "]"


def head(name, steps, h, gravity, more=""):
    return (f"case: {{name: {name}}}\ntime: {{end: {steps * h!r}, step: {h!r}}}\n"
            f"solver: {{type: hybrid, tolerance: 1.0e-10, max_iterations: 20000}}\ngravity: {gravity}\n{more}")


def stack(steps):
    """Eight spheres on top of each other, each twice as heavy as the one below: the heavy ones press on the light ones."""
    text = head("stack", steps, 1e-3, "[0, 0, -9.81]", "contact: {friction: 0.5}\n") + "nodes:\n"
    for k in range(8):
        z = 0.1 * (2 * k + 1) - (k + 1) * OVERLAP
        text += (f"  - {{type: rigid_body, name: n{k}, mass: {2.0 ** k!r}, position: [0, 0, {z!r}], velocity: [{0.01 * k!r}, 0, 0], "
                 "shape: {type: sphere, radius: 0.1}}\n")
    return text + "walls:\n  - {type: plane, point: [0, 0, 0], normal: [0, 0, 1]}\n"


def arch(steps):
    """Planar semicircular arch of 15 stones on the ground; every joint has a contact at either end. A push at the crown."""
    stones, inner, outer = 15, 1.0, 1.25
    middle, width = 0.5 * (inner + outer), math.pi / stones
    along = lambda angle: (math.cos(angle), math.sin(angle))
    across = lambda angle: (-math.sin(angle), math.cos(angle))
    centre = [tuple(middle * x for x in along((k + 0.5) * width)) for k in range(stones)]
    mass = 2000 * 0.5 * width * (outer**2 - inner**2)
    inertia = mass * ((outer - inner) ** 2 + (middle * width) ** 2) / 12
    text = head("arch", steps, 1e-3, "[0, -9.81]") + "nodes:\n"
    for k, c in enumerate(centre):
        speed = -0.02 if k == stones // 2 else 0.0
        text += (f"  - {{type: planar_body, name: s{k}, mass: {mass!r}, inertia: {inertia!r}, position: {numbers(c)}, velocity: [0, {speed}]}}\n")
    text += "contributions:\n"
    for joint in range(stones + 1):
        angle = joint * width
        # The plane belongs to the stone before the joint, at the ends to the ground; the points to the stone behind it.
        last = joint == stones
        body, support = (stones - 1, None) if last else (joint, joint - 1 if joint > 0 else None)
        normal = (0.0, 1.0) if last else across(angle)
        for radius in (inner, outer):
            point = [radius * e - c for e, c in zip(along(angle), centre[body])]
            origin = (0.0, 0.0) if support is None else centre[support]
            plane = [middle * e - o + OVERLAP * n for e, o, n in zip(along(angle), origin, normal)]
            second = "ground" if support is None else f"s{support}"
            text += (f"  - {{type: contact_plane, nodes: [s{body}, {second}], point: {numbers(point)}, normal: {numbers(normal)}, "
                     f"plane_point: {numbers(plane)}, friction: [{{set: disc, mu: [0.6]}}]}}\n")
    return text


def corners(steps):
    """Four blocks on top of each other, four corners each: twelve rows on six velocities. The third is struck from the side."""
    a, b, c = 0.4, 0.3, 0.1  # half edges
    mass = 8 * a * b * c * 1000
    inertia = [mass / 3 * (y * y + z * z) for y, z in ((b, c), (a, c), (a, b))]
    text = head("corners", steps, 1e-3, "[0, 0, -9.81]") + "nodes:\n"
    for k in range(4):
        v = 0.5 if k == 2 else 0.0
        text += (f"  - {{type: rigid_body, name: b{k}, mass: {mass!r}, inertia: {numbers(inertia)}, position: [0, 0, {c * (2 * k + 1)!r}], "
                 f"velocity: [{v}, {0.3 * v}, 0]}}\n")
    text += "contributions:\n"
    for k in range(4):
        second, height = ("ground", OVERLAP) if k == 0 else (f"b{k - 1}", c + OVERLAP)
        for x in (-a, a):
            for y in (-b, b):
                text += (f"  - {{type: contact_plane, nodes: [b{k}, {second}], point: {numbers((x, y, -c))}, normal: [0, 0, 1], "
                         f"plane_point: {numbers((0, 0, height))}, friction: [{{set: disc, mu: [0.4]}}]}}\n")
    return text


def crowd(steps):
    """Spheres of mixed size in a box whose floor is tilted by 30 degrees: a heap that slides into a corner."""
    return head("crowd", steps, 1e-3, "[4.0, 2.0, -8.5]", "contact: {friction: 0.15}\n") + """fills:
  - {type: lattice, lower: [0.01, 0.01, 0.01], upper: [0.49, 0.49, 0.35], radius: [0.03, 0.05], spacing: 0.105, jitter: 1.0, limit: 48}
walls:
  - {type: box, lower: [0, 0, 0], upper: [0.5, 0.5, 1.0], open: [top]}
"""


def capsules(steps):
    """Capsules of two sizes that have fallen into a box: contacts on the sides couple normal and tangents."""
    return head("capsules", steps, 2e-3, "[0, 0, -9.81]", "contact: {friction: 0.7}\n") + """random_seed: 1
fills:
  - {type: random, count: 24, lower: [0.01, 0.01, 0.01], upper: [0.24, 0.24, 1.0], radius: [0.04, 0.05], shape: {type: capsule, radius: 0.4, length: 1.0}}
walls:
  - {type: box, lower: [0, 0, 0], upper: [0.25, 0.25, 1.2], open: [top]}
"""


def crank(_):
    """Slider-crank with clearance: hinges as bilateral constraints (V, R, s) and corners in a notch."""
    return (HERE.parent.parent / "inputs/slider_crank/contacts.yaml").read_text()


# Case and the step that is kept.
PROBLEMS = {"stack": (stack, 1), "arch": (arch, 1), "corners": (corners, 1), "crowd": (crowd, 400), "capsules": (capsules, 250), "crank": (crank, 154)}


def make(program, name, folder):
    case, step = PROBLEMS[name]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "case.yaml").write_text(case(step))
        command = [program, "-q", "run", "case.yaml", "--output", "out", f"output.dump_problems={{every: {step}}}", "output.series=none"]
        if name == "crank":
            command += ["integrator={type: moreau}", "time.end=0.0155"]
        subprocess.run([str(c) for c in command], cwd=scratch, check=True)
        shutil.copyfile(scratch / f"out/problems/step_{step:06d}.hdf5", folder / f"{name}.hdf5")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=[], metavar="NAME", help=", ".join(PROBLEMS))
    parser.add_argument("--program", type=pathlib.Path, default=HERE.parent.parent / "build/bin/percussion")
    parser.add_argument("--output", type=pathlib.Path, default=HERE)
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in PROBLEMS]
    if unknown:
        parser.error(f"no such problem: {', '.join(unknown)}; there are {', '.join(PROBLEMS)}")
    for name in arguments.names or PROBLEMS:
        make(arguments.program.resolve(), name, arguments.output)
        print(f"{name}.hdf5: {(arguments.output / (name + '.hdf5')).stat().st_size} bytes")


if __name__ == "__main__":
    sys.exit(main())

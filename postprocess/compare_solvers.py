#!/usr/bin/env python3
"""Runs contact solvers on a folder of friction problems and writes a table and performance profiles (job_scripts/compare_solvers.sh).

    compare_solvers.py FOLDER [--program build/bin/percussion] [--solvers hybrid,admm] [--tolerances 1e-4,1e-8] [--output FOLDER]

Every solver of `percussion list solvers`, and Siconos' Gauss-Seidel, Newton and ADMM if its Python module is there. One core,
the shortest of several runs, a time limit for each; a run counts as solved if the residual at its end is at most the tolerance,
computed from the solution by the same formula for all. Results: table.csv, table.md and profile_<tolerance>.png (Dolan and
More 2002: the part of the problems that a solver solves within a factor of the fastest one).
"""
import argparse
import csv
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SICONOS = {"siconos-nsgs": "nsgs", "siconos-nsn_ac": "nsn_ac", "siconos-admm": "admm"}
COLUMNS = ["problem", "contacts", "tolerance", "solver", "solved", "seconds", "iterations", "residual", "note"]


def our_solvers(program):
    lines = subprocess.run([program, "list", "solvers"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.split()[0] for line in lines if line.strip()]


def has_siconos():
    return subprocess.run([sys.executable, "-c", "import siconos.numerics"], capture_output=True).returncode == 0


def command_of(arguments, solver, problem, tolerance, repeats):
    if solver in SICONOS:
        return [sys.executable, HERE / "siconos_problem.py", problem, SICONOS[solver], repr(tolerance), str(repeats)]
    return [arguments.program, "solve", problem, "--solver", solver, "--tolerance", repr(tolerance), "--max-iterations", "100000", "--repeat",
            str(repeats), "--json"]


def measure(arguments, solver, problem, tolerance):
    """One row of the table. A first run tells how long it takes; only quick ones are repeated."""
    row = {"problem": problem.stem, "contacts": "", "tolerance": tolerance, "solver": solver, "solved": False, "seconds": "", "iterations": "",
           "residual": "", "note": ""}
    repeats = 1
    while True:
        command = [str(word) for word in command_of(arguments, solver, problem, tolerance, repeats)]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=arguments.limit * repeats + 10)
            result = json.loads(run.stdout[run.stdout.index("{"):])
        except subprocess.TimeoutExpired:
            return row | {"note": f"longer than {arguments.limit:g} s"}
        except ValueError:
            return row | {"note": f"failed with exit code {run.returncode}: {(run.stderr.strip().splitlines() or ['no message'])[-1]}"}
        if "skipped" in result:
            return row | {"note": "skipped: " + result["skipped"]}
        row |= {key: result[key] for key in ("contacts", "solved", "seconds", "iterations", "residual")}
        if row["seconds"] > arguments.limit:
            return row | {"solved": False, "note": f"longer than {arguments.limit:g} s"}
        if not row["solved"]:
            return row | {"note": "not solved"}
        wanted = arguments.repeats if row["seconds"] * arguments.repeats < arguments.limit else 1
        if repeats >= wanted:
            return row
        repeats = wanted


def seconds_of(rows, tolerance):
    """{problem: {solver: seconds, or infinity if not solved}}; without solvers that cannot take the problem."""
    table = {}
    for row in rows:
        if row["tolerance"] == tolerance and not row["note"].startswith("skipped"):
            table.setdefault(row["problem"], {})[row["solver"]] = float(row["seconds"]) if row["solved"] else math.inf
    return table


def ratios(table, solver):
    """Time over that of the fastest solver, per problem that the solver takes and somebody solves."""
    best = {problem: min(times.values()) for problem, times in table.items()}
    return [times[solver] / best[problem] for problem, times in table.items() if solver in times and math.isfinite(best[problem])]


def text_of(seconds, best):
    if not math.isfinite(seconds):
        return "-"
    return f"**{1e3 * seconds:.3g}**" if seconds == best else f"{1e3 * seconds:.3g}"


def markdown(rows, solvers, tolerances):
    text = ""
    for tolerance in tolerances:
        table = seconds_of(rows, tolerance)
        text += f"### Tolerance {tolerance:g}, milliseconds\n\n| problem | " + " | ".join(solvers) + " |\n|" + "---|" * (len(solvers) + 1) + "\n"
        for problem, times in table.items():
            best = min(times.values())
            cells = [text_of(times[s], best) if s in times else "" for s in solvers]
            text += f"| {problem} | " + " | ".join(cells) + " |\n"
        mine = [[times[s] for times in table.values() if s in times] for s in solvers]
        text += "| solved | " + " | ".join(f"{sum(map(math.isfinite, times))} of {len(times)}" for times in mine) + " |\n\n"
        text += against_siconos(table, solvers)
    return text


def against_siconos(table, solvers):
    """The default solver against the best of Siconos' three."""
    if "hybrid" not in solvers or not all(s in solvers for s in SICONOS):
        return ""
    factors = []
    for times in table.values():
        peer = min((times[s] for s in SICONOS if s in times), default=None)
        if peer is not None and (math.isfinite(peer) or math.isfinite(times["hybrid"])):
            factors.append(peer / times["hybrid"])
    if not factors:
        return ""
    return (f"`hybrid` against the best of Siconos' three: {statistics.median(factors):.3g} times as fast in the median, "
            f"{min(factors):.3g} times where it does worst.\n\n")


def write_tables(folder, rows, solvers, tolerances):
    with open(folder / "table.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    begun = [t for t in tolerances if seconds_of(rows, t)]
    (folder / "table.md").write_text(markdown(rows, solvers, begun))


def draw_profile(rows, solvers, tolerance, file):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    table = seconds_of(rows, tolerance)
    figure, axes = plt.subplots(figsize=(8, 4.5))
    furthest = max((r for s in solvers for r in ratios(table, s) if math.isfinite(r)), default=1)
    for k, solver in enumerate(solvers):
        values = sorted(ratios(table, solver))
        x, y = [1.0], [0.0]
        for n, value in enumerate(values):
            if math.isfinite(value):
                x += [value, value]
                y += [y[-1], (n + 1) / len(values)]
        style = "--" if solver in SICONOS else "-" if k < 10 else ":"
        axes.plot(x + [2 * furthest], y + [y[-1]], style, color=f"C{k % 10}", label=solver, linewidth=2 if solver == "hybrid" else 1.3)
    axes.set(xscale="log", xlim=(1, 2 * furthest), ylim=(0, 1.02), xlabel="time / time of the fastest solver", ylabel="part of the problems solved",
             title=f"{len(table)} problems, tolerance {tolerance:g}")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5))
    figure.tight_layout()
    figure.savefig(file, dpi=120)
    plt.close(figure)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path, default=HERE.parent / "build/bin/percussion")
    parser.add_argument("--solvers", help="names by comma (default: all of ours, and Siconos' three if installed)")
    parser.add_argument("--tolerances", default="1e-4,1e-6,1e-8,1e-10")
    parser.add_argument("--repeats", type=int, default=5, help="runs of which the shortest counts (default 5)")
    parser.add_argument("--limit", type=float, default=20, help="seconds for one solution (default 20)")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("results/compare_solvers"))
    return parser.parse_args()


def main():
    arguments = parse()
    problems = sorted(arguments.folder.glob("*.hdf5"))
    if not problems:
        print(f"no *.hdf5 files in {arguments.folder}", file=sys.stderr)
        return 2
    if arguments.solvers:
        solvers = arguments.solvers.split(",")
    else:
        solvers = our_solvers(arguments.program)
        if has_siconos():
            solvers += list(SICONOS)
        else:
            print("Siconos is not installed (Debian: python3-siconos): only our own solvers are compared")
    tolerances = [float(t) for t in arguments.tolerances.split(",")]
    arguments.output.mkdir(parents=True, exist_ok=True)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # the same core for all
    rows = []
    for tolerance in tolerances:
        for problem in problems:
            for solver in solvers:
                rows.append(measure(arguments, solver, problem, tolerance))
                r = rows[-1]
                print(f"{tolerance:g} {problem.stem} {solver}: " + (f"{1e3 * r['seconds']:.3f} ms" if r["solved"] else r["note"]), flush=True)
            write_tables(arguments.output, rows, solvers, tolerances)  # a long comparison leaves something if it is ended
    try:
        for tolerance in tolerances:
            draw_profile(rows, solvers, tolerance, arguments.output / f"profile_{tolerance:.0e}.png")
    except ImportError:
        print("no profiles: matplotlib is not installed (Debian: python3-matplotlib)")
    print(f"\n{markdown(rows, solvers, tolerances)}\nResults are in {arguments.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

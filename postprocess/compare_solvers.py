#!/usr/bin/env python3
"""Runs contact solvers on a folder of friction problems and writes a table and performance profiles (job_scripts/compare_solvers.sh).

    compare_solvers.py FOLDER [--program build/bin/percussion] [--solvers hybrid,admm] [--tolerances 1e-4,1e-8] [--output FOLDER]
                       [--document docs/solvers.md]

Every solver of `percussion list solvers`, and Siconos' Gauss-Seidel, Newton and ADMM if its Python module is there. One core,
the shortest of several runs, a time limit for each; a run counts as solved if the residual at its end is at most the tolerance,
computed from the solution by the same formula for all. Tolerances go from loose to tight; a solver that missed one on a problem
is not asked for tighter ones there. Results: table.csv, table.md and profile_<tolerance>.png (Dolan and More 2002: the part of
the problems that a solver solves within a factor of the fastest one). --document puts the tables between the markers
`<!-- comparison: begin -->` and `<!-- comparison: end -->` of a Markdown file, and the profiles into a folder of its name beside it.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SICONOS = {"siconos-nsgs": "nsgs", "siconos-nsn_ac": "nsn_ac", "siconos-admm": "admm"}
BEGIN, END = "<!-- comparison: begin -->", "<!-- comparison: end -->"
START_UP = 5  # seconds that a run may take besides the solver: reading, MPI, Python
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


def measure(arguments, solver, problem, tolerance, last):
    """One row of the table. A first run tells how long it takes, unless `last`, the row of a looser tolerance, does; only quick
    ones are repeated."""
    row = {"problem": problem.stem, "contacts": "", "tolerance": tolerance, "solver": solver, "solved": False, "seconds": "", "iterations": "",
           "residual": "", "note": ""}
    if last and not last["solved"]:
        return row | {"note": last["note"] if last["note"].startswith(("skipped", "not solved at")) else f"not solved at {last['tolerance']:g}"}
    quick = last and last["seconds"] * arguments.repeats < 0.1 * arguments.limit
    repeats = arguments.repeats if quick else 1
    while True:
        command = [str(word) for word in command_of(arguments, solver, problem, tolerance, repeats)]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=(arguments.limit if repeats == 1 else arguments.limit * repeats) + START_UP)
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
        text += f"#### Tolerance {tolerance:g}, milliseconds\n\n| problem | " + " | ".join(solvers) + " |\n|" + "---|" * (len(solvers) + 1) + "\n"
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


def processor():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def write_document(document, arguments, rows, solvers, tolerances):
    """The tables between the markers of the document, the profiles beside it."""
    text = document.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{document} has no place for the tables: it needs the lines {BEGIN} and {END}")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    folder = document.with_suffix("")
    pictures = ""
    for tolerance in tolerances:
        name = f"profile_{tolerance:.0e}.png"
        if (arguments.output / name).is_file():
            folder.mkdir(exist_ok=True)
            shutil.copyfile(arguments.output / name, folder / name)
            pictures += f"![performance profile at {tolerance:g}]({folder.name}/{name})\n"
    problems = len({row["problem"] for row in rows})
    heading = (f"{problems} problems, one core of {processor()}, milliseconds, the shortest of {arguments.repeats} runs, "
               f"{arguments.limit:g} s at most; bold: the quickest, -: not solved, empty: not of the kind that the solver takes.\n\n")
    document.write_text(before + BEGIN + "\n" + heading + markdown(rows, solvers, tolerances) + pictures + END + after)


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
    parser.add_argument("--repeats", type=int, default=7, help="runs of which the shortest counts (default 7)")
    parser.add_argument("--limit", type=float, default=2, help="seconds for one solution (default 2)")
    parser.add_argument("--document", type=pathlib.Path, help="Markdown file that gets the tables and profiles")
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
    tolerances = sorted((float(t) for t in arguments.tolerances.split(",")), reverse=True)
    arguments.output.mkdir(parents=True, exist_ok=True)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # the same core for all
    rows, last = [], {}
    for tolerance in tolerances:
        for problem in problems:
            for solver in solvers:
                r = measure(arguments, solver, problem, tolerance, last.get((solver, problem)))
                rows.append(r)
                last[solver, problem] = r
                print(f"{tolerance:g} {problem.stem} {solver}: " + (f"{1e3 * r['seconds']:.3f} ms" if r["solved"] else r["note"]), flush=True)
            write_tables(arguments.output, rows, solvers, tolerances)  # a long comparison leaves something if it is ended
    try:
        for tolerance in tolerances:
            draw_profile(rows, solvers, tolerance, arguments.output / f"profile_{tolerance:.0e}.png")
    except ImportError:
        print("no profiles: matplotlib is not installed (Debian: python3-matplotlib)")
    if arguments.document:
        write_document(arguments.document, arguments, rows, solvers, tolerances)
    print(f"\n{markdown(rows, solvers, tolerances)}\nResults are in {arguments.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs the benchmarks with every method and writes what it measured into a table (job_scripts/verification_table.sh).

    verification_table.py                        all benchmarks
    verification_table.py --only B3,B5           these; the other rows stay as they are
    verification_table.py --readme other.md      another file with the two markers

Results: a Markdown table between the markers `<!-- verification table: begin -->` and `<!-- verification table: end -->`, the
same as results/verification/table.csv, and the runs beside it. What is measured: verification_measures.py.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from series import Series
from verification_measures import BENCHMARKS, METHODS

ROOT = pathlib.Path(__file__).resolve().parent.parent
RANGE = re.compile(rb'Name="normal_percussion"[^>]*RangeMin="([^"]*)"\s*RangeMax="([^"]*)"')
BEGIN, END = "<!-- verification table: begin -->", "<!-- verification table: end -->"


class NoSolution(Exception):
    """The program ended with exit code 3: the run could not go on."""


class Runner:
    """Runs of one benchmark with one method."""

    def __init__(self, program, folder, benchmark, method):
        self.program, self.benchmark, self.method = program, benchmark, method
        self.folder = folder / benchmark.id / method.name
        self.unconverged = 0  # steps of all runs

    def _call(self, arguments):
        done = subprocess.run([str(self.program), *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            last = (done.stdout.strip().splitlines() or ["no output"])[-1]
            raise (NoSolution if done.returncode == 3 else RuntimeError)(f"exit code {done.returncode}: {last}")

    def series(self, case, overrides=(), tag="run", **options):
        """Columns by name of one run. options: more keys of the integrator."""
        folder = self.folder / tag
        self._call(["-q", "run", f"inputs/{case}.yaml", self.method.override(**options), *overrides, "output.series=csv", "output.overwrite=true",
                    "--output", str(folder)])
        self.unconverged += json.loads((folder / "summary.json").read_text())["unconverged_steps"]
        return Series(folder / "series.csv").columns

    def try_series(self, *arguments, **options):
        """The same, or None if the run could not go on."""
        try:
            return self.series(*arguments, **options)
        except NoSolution:
            return None

    def contact_percussions(self, case, overrides):
        """Columns of a run with one contact, and the normal percussion of every frame; the frames are deleted."""
        columns = self.series(case, [*overrides, "output.bodies=false"])
        frames = self.folder / "run" / "contacts"
        P = []
        for frame in sorted(frames.glob("*_0.vtp")):
            low, high = map(float, RANGE.search(frame.read_bytes()).groups())
            P.append(high if low <= high else 0.0)  # an empty range: no contact
        shutil.rmtree(frames)
        return columns, P

    def convergence(self, case, overrides, spec, steps, reference):
        self.folder.mkdir(parents=True, exist_ok=True)
        table = self.folder / "convergence.csv"
        self._call(["-q", "convergence", f"inputs/{case}.yaml", *overrides, "--integrators", spec, "--steps", ",".join(map(repr, steps)),
                    "--reference", repr(reference), "--norm", "linf", "--output", str(table)])
        with open(table, newline="") as file:
            rows = list(csv.DictReader(file))
        self.unconverged += sum(row["status"] != "ok" for row in rows)
        return rows


def measure(program, folder, benchmark, method):
    """(cells, why) of one method; why: what went wrong, else empty."""
    if benchmark.without and benchmark.without[0](method):
        return ["-"] * len(benchmark.rows), ""
    run = Runner(program, folder, benchmark, method)
    try:
        cells = benchmark.measure(run)
    except (NoSolution, RuntimeError, OSError, ValueError, KeyError, IndexError) as error:
        return ["failed"] * len(benchmark.rows), str(error)
    return [cell if cell == "-" or run.unconverged == 0 else cell + "*" for cell in cells], ""


def footnotes():
    """Texts by number, and the number of (benchmark, row) or None."""
    texts, number = [], {}
    for benchmark in BENCHMARKS:
        for row in range(len(benchmark.rows)):
            parts = [benchmark.notes.get(row), benchmark.without[1] if benchmark.without else None]
            text = "; ".join(filter(None, parts))
            if text and text not in texts:
                texts.append(text)
            number[benchmark.id, row] = texts.index(text) + 1 if text else None
    return texts, number


def old_lines(text):
    """Rows of the table in the file, by benchmark and title."""
    lines = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == len(METHODS) + 2:
            lines[cells[0], re.sub(" <sup>.*</sup>", "", cells[1])] = cells[2:]
    return lines


def markdown(rows):
    """rows: {(id, row): cells}; rows that are missing are left out."""
    texts, number = footnotes()
    lines = ["| | | " + " | ".join(method.title for method in METHODS) + " |", "|---|---|" + "---|" * len(METHODS)]
    for benchmark in BENCHMARKS:
        for row in range(len(benchmark.rows)):
            cells = rows.get((benchmark.id, row))
            if cells:
                lines.append(f"| {benchmark.id} | {row_title(benchmark, row, number)} | " + " | ".join(cells) + " |")
    lines.append("")
    lines += [f"{k}) {text}.  " for k, text in enumerate(texts, 1)]
    if any(cell.endswith("*") for cells in rows.values() for cell in cells or []):
        lines.append("*) some steps stopped above the tolerance of the solver.  ")
    return "\n".join(lines)


def row_title(benchmark, row, number):
    mark = number[benchmark.id, row]
    return benchmark.rows[row] + (f" <sup>{mark}</sup>" if mark else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="benchmarks, by comma (default: all)")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/bin/percussion", help="default: build/bin/percussion")
    parser.add_argument("--readme", type=pathlib.Path, default=ROOT / "README.md", help="file with the markers (default: README.md)")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "results/verification", help="default: results/verification")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at the same time (default: all cores)")
    arguments = parser.parse_args()

    known = [benchmark.id for benchmark in BENCHMARKS]
    wanted = arguments.only.split(",") if arguments.only else known
    for name in wanted:
        if name not in known:
            sys.exit(f"--only {name}: no such benchmark; there are: {', '.join(known)}")
    if not arguments.program.is_file():
        sys.exit(f"{arguments.program} is not there: build it first (job_scripts/quickstart.sh)")
    if subprocess.run([str(arguments.program), "--version"], stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit(f"{arguments.program} does not start")
    text = arguments.readme.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        sys.exit(f"{arguments.readme}: needs the markers {BEGIN} and {END}, once each and in this order")
    head, tail = text[:text.index(BEGIN) + len(BEGIN)], text[text.index(END):]

    old = old_lines(text[len(head):-len(tail)])
    rows = {(b.id, r): old.get((b.id, b.rows[r])) for b in BENCHMARKS for r in range(len(b.rows))}
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)

    start, problems = time.monotonic(), []
    tasks = [(b, m) for b in BENCHMARKS if b.id in wanted for m in METHODS]
    with concurrent.futures.ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        futures = {pool.submit(measure, arguments.program.resolve(), folder, b, m): (b, m) for b, m in tasks}
        results = {}
        for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
            benchmark, method = futures[future]
            cells, why = future.result()
            results[benchmark.id, method.name] = cells
            if why:
                problems.append(f"{benchmark.id} with {method.title}: {why}")
            print(f"[{done}/{len(tasks)}, {time.monotonic() - start:.0f} s] {benchmark.id} {method.title}: {', '.join(cells)}", flush=True)
    for benchmark in BENCHMARKS:
        if benchmark.id in wanted:
            for row in range(len(benchmark.rows)):
                rows[benchmark.id, row] = [results[benchmark.id, method.name][row] for method in METHODS]

    # The file may have changed meanwhile: only what is between the markers is ours.
    text = arguments.readme.read_text()
    head, tail = text[:text.index(BEGIN) + len(BEGIN)], text[text.index(END):]
    arguments.readme.write_text(f"{head}\n{markdown(rows)}\n{tail}")
    with open(folder / "table.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["benchmark", "quantity"] + [method.name for method in METHODS])
        for (name, row), cells in rows.items():
            if cells:
                writer.writerow([name, next(b for b in BENCHMARKS if b.id == name).rows[row]] + cells)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{arguments.readme} and {folder / 'table.csv'} in {time.monotonic() - start:.0f} s")
    sys.exit(3 if problems else 0)


if __name__ == "__main__":
    main()

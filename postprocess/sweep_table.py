#!/usr/bin/env python3
"""Collects the runs of a parameter sweep (job_scripts/slurm/sweep.sh) in one CSV table: values of the input, status, results.

    sweep_table.py list.txt results/sweep -o results/sweep/sweep.csv

Run k of the list is in folder k; one without summary.json is listed as `no summary`. The last row of each time series gives the
energies at the end. Exit code 3 if a run did not finish. Needs numpy, and h5py for series in HDF5.
"""
import argparse
import csv
import json
import pathlib
import sys

import series as series_file

FIGURES = ["steps", "simulated_time", "wall_time", "contacts_last", "contacts_max", "iterations_avg", "worst_residual", "unconverged_steps", "deepest_penetration"]


def values_of(line):
    return dict(word.split("=", 1) for word in line.split() if "=" in word)


def row_of(number, values, folder):
    row = {"run": number, **values, "status": "no summary"}
    summary = folder / "summary.json"
    if summary.is_file():
        content = json.loads(summary.read_text())
        row["status"] = content["status"]
        row.update({name: content.get(name) for name in FIGURES})
    series = series_file.find(folder)
    if series and len(series.columns[series.time]):
        row.update({f"{name}_last": float(series.columns[name][-1]) for name in ("kinetic_energy", "potential_energy") if name in series.columns})
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=pathlib.Path, help="one line of values per run")
    parser.add_argument("results", type=pathlib.Path, help="folder with one folder per run")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, help="CSV file")
    arguments = parser.parse_args()
    lines = [line for line in arguments.list.read_text().splitlines() if line.strip() and not line.lstrip().startswith("#")]
    runs = [row_of(k, values_of(line), arguments.results / str(k)) for k, line in enumerate(lines, 1)]
    columns = list(dict.fromkeys(name for run in runs for name in run))
    with open(arguments.output, "w", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(runs)
    unfinished = [run["run"] for run in runs if run["status"] != "finished"]
    print(f"{arguments.output}: {len(runs)} runs, {len(runs) - len(unfinished)} finished")
    if unfinished:
        print(f"not finished: {', '.join(map(str, unfinished))}", file=sys.stderr)
        sys.exit(3)


if __name__ == "__main__":
    main()

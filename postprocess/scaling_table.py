#!/usr/bin/env python3
"""Makes one table of the measurements of a scaling study (`percussion bench --json`), as CSV and for reading.

    scaling_table.py strong results/strong_scaling/strong_*.json -o strong.csv
    scaling_table.py weak results/weak_scaling/weak_*.json

The fewest ranks are the reference. Strong: efficiency = T_1 n_1 / (T_n n); weak: T_1 / T_n. `sweep_efficiency` is the same for
the time per sweep and contact, so it does not count that another distribution needs more or fewer sweeps. Times are seconds per
step, averages over ranks; imbalance is the slowest rank by the average, without exchange.
Python's standard library only.
"""
import argparse
import csv
import json
import sys


def read(paths):
    points = []
    for path in paths:
        try:
            with open(path) as file:
                points.append(json.load(file))
        except (OSError, json.JSONDecodeError) as error:
            sys.exit(f"{path}: {error}")
    return sorted(points, key=lambda point: point["ranks"])


def rows_of(points, study):
    names = sorted({name for point in points for name in point["phases"]}, key=lambda name: -max(point["phases"].get(name, 0) / point["steps"] for point in points))
    first = points[0]
    rows = []
    for point in points:
        share = point["ranks"] / first["ranks"]
        work = point["contacts"] * point["sweeps"] / (first["contacts"] * first["sweeps"]) if first["contacts"] * first["sweeps"] > 0 else 1
        ratio = first["seconds_per_step"] / point["seconds_per_step"]
        row = {"ranks": point["ranks"], "grains": point["bodies"], "contacts": round(point["contacts"]), "sweeps": round(point["sweeps"], 2),
               "seconds_per_step": point["seconds_per_step"]}
        row.update({f"{name}_seconds": point["phases"].get(name, 0.0) / point["steps"] for name in names})
        row["imbalance"] = point["imbalance"]
        row["speedup"] = ratio if study == "strong" else ratio * share
        row["efficiency"] = ratio / share if study == "strong" else ratio
        row["sweep_efficiency"] = ratio * work / share
        row["updates_per_second_and_rank"] = point["updates_per_second"]
        rows.append(row)
    return rows


def text(value):
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", choices=("strong", "weak"))
    parser.add_argument("measurements", nargs="+", help="JSON files of `percussion bench`")
    parser.add_argument("-o", "--output", help="CSV file (default: only printed)")
    arguments = parser.parse_args()
    points = read(arguments.measurements)
    ranks = [point["ranks"] for point in points]
    if len(set(ranks)) < len(ranks):
        sys.exit(f"two measurements with the same number of ranks: {ranks}")
    rows = rows_of(points, arguments.study)
    table = [list(rows[0])] + [[text(value) for value in row.values()] for row in rows]
    widths = [max(len(line[k]) for line in table) for k in range(len(table[0]))]
    for line in table:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths)))
    if arguments.output:
        with open(arguments.output, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            file.write(f"# study: {arguments.study}\n")
            writer.writeheader()
            writer.writerows(rows)
        print(arguments.output)


if __name__ == "__main__":
    main()
